/** Three versions of the fixture company, the first of them pinned, and the catalogue that is made from them. */
import { globSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { lakeSource } from '../../src/lake/lake-source.ts';
import type { Lake } from '../../src/lake/lake.ts';
import { cacheStored, gatherLake, type LakeMoment, type LakeSource } from '../../src/lake/gather-lake.ts';
import { type GatheredLake, openLake } from '../../src/lake/gathered-lake.ts';
import { pinsAt } from '../../src/snapshot/format/snapshot-status.ts';
import { pin } from '../../src/snapshot/keep/pins.ts';
import { readLog } from '../../src/snapshot/read/read-log.ts';
import { readMarks } from '../../src/snapshot/read/read-marks.ts';
import { clockAt, readerAt } from '../snapshot/builder/build-harness.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import type { Store } from '../../src/store/store.ts';
import { type Kept, keptObjects } from '../support/kept-objects.ts';
import { AT, change, openBuildHarness } from '../snapshot/builder/real-build.ts';
import { copyOf } from '../store/memory-store.ts';

const ACCOUNT = 1n;
const DAY = 86_400_000_000n;
const NOW = AT + DAY;
export const PIN = 'close-2026-06';
/** One cent more for cost 3086, then a hundred more. */
const STEPS = [1, 100];

const pinsOf: LakeMoment['pinsOf'] = (status) => pinsAt(status, NOW).map(({ name }) => name);

export interface PublishedLake {
  readonly store: Store;
  /** A folder for what a test makes. */
  readonly root: string;
  readonly source: LakeSource;
  /** Reads everything anew. */
  readonly read: () => Promise<Lake>;
  /** The same, not parsed yet. */
  readonly gather: () => Promise<GatheredLake>;
  /** The path of a stored file of a table. */
  readonly pathOf: (snapshot_id: string, table: string) => string;
  /** A path for a catalogue that does not exist yet. */
  readonly newPath: () => string;
  close(): Promise<void>;
}

async function publishLake(): Promise<Kept<null>> {
  await using opened = new AsyncDisposableStack();
  const harness = await openBuildHarness();
  opened.defer(() => harness.close());
  const owner = await harness.database.client('cf_owner');
  const { snapshot_id } = await harness.build();
  const tools = { store: harness.store, clock: clockAt(NOW), newNonce: () => '0'.repeat(32) };
  const until = NOW + DAY;
  await pin({ account_id: ACCOUNT, snapshot_id, name: PIN, by: 'test', now: NOW, until }, tools);
  for (const [index, cents] of STEPS.entries()) {
    await change(
      owner,
      `update ledger.cost_entries set amount_cents = amount_cents + ${cents}, usd_amount_cents = usd_amount_cents + ${cents} where id = 3086`,
    );
    await harness.build({ at: AT + BigInt(index + 1) * 3_600_000_000n });
  }
  return { facts: null, objects: await copyOf(harness.store, `v1/a/${ACCOUNT}/`) };
}

/** Copies the versions into a new folder. The first test file of a run publishes them for all others. */
export async function openPublishedLake(): Promise<PublishedLake> {
  const { objects } = await keptObjects('lake', publishLake);
  const root = await mkdtemp(join(tmpdir(), 'crossfoot-lake-'));
  const store = await openFolderStore({ fs, root: join(root, 'objects'), randomUuid: randomUUID });
  for (const [key, bytes] of objects) await store.create(key, bytes);
  const source = lakeSource(
    ACCOUNT,
    readerAt(store, () => NOW),
  );
  const gather = async (): Promise<GatheredLake> => {
    const log = await readLog(store, ACCOUNT);
    const marks = await readMarks(store, ACCOUNT);
    return await gatherLake({ log, marks, shows: () => true, pinsOf }, source, cacheStored());
  };
  let made = 0;
  return {
    store,
    root,
    source,
    gather,
    read: async () => openLake(await gather()),
    pathOf: (id, table) => globSync(join(root, 'objects/v1/a/1/s', `${id}-*`, `${table}.parquet`))[0] ?? '',
    newPath: () => join(root, `${made++}.ducklake`),
    close: () => rm(root, { recursive: true }),
  };
}

/** Calls `ask` with a session that attaches the catalogue as `lake`: as an ordinary file of DuckDB, without the extension DuckLake. */
export async function inDuckdb<Result>(
  path: string,
  ask: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    await connection.run(`set timezone = 'UTC'; attach '${path}' as lake (read_only)`);
    return await ask(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** The rows of a select, each cell as text. */
export async function rowsOf(
  connection: DuckDBConnection,
  sql: string,
): Promise<readonly Readonly<Record<string, string | null>>[]> {
  const reader = await connection.runAndReadAll(`select columns(*)::varchar from (${sql})`);
  return reader.getRowObjectsJson() as Record<string, string | null>[]; // every cell is a text
}
