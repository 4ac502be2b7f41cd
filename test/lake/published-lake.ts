/** Three versions of the fixture company, the first of them pinned, and the catalogue that is derived of them. */
import { globSync } from 'node:fs';
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
import { AT, type BuildHarness, change, openBuildHarness } from '../snapshot/builder/real-build.ts';

const ACCOUNT = 1n;
const DAY = 86_400_000_000n;
export const PIN = 'close-2026-06';
/** One cent more for cost 3086, then a hundred more. */
const STEPS = [1, 100];

export interface PublishedLake {
  readonly harness: BuildHarness;
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

export async function openPublishedLake(): Promise<PublishedLake> {
  const harness = await openBuildHarness();
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-lake-'));
  const owner = await harness.database.client('cf_owner');
  const { snapshot_id } = await harness.build();
  const now = AT + DAY;
  const tools = { store: harness.store, clock: clockAt(now), newNonce: () => '0'.repeat(32) };
  await pin({ account_id: ACCOUNT, snapshot_id, name: PIN, by: 'test', now, until: now + DAY }, tools);
  for (const [index, cents] of STEPS.entries()) {
    await change(
      owner,
      `update ledger.cost_entries set amount_cents = amount_cents + ${cents}, usd_amount_cents = usd_amount_cents + ${cents} where id = 3086`,
    );
    await harness.build({ at: AT + BigInt(index + 1) * 3_600_000_000n });
  }
  const source = lakeSource(
    ACCOUNT,
    readerAt(harness.store, () => now),
  );
  const pinsOf: LakeMoment['pinsOf'] = (status) => pinsAt(status, now).map(({ name }) => name);
  const gather = async (): Promise<GatheredLake> => {
    const log = await readLog(harness.store, ACCOUNT);
    const marks = await readMarks(harness.store, ACCOUNT);
    return await gatherLake({ log, marks, shows: () => true, pinsOf }, source, cacheStored());
  };
  let made = 0;
  return {
    harness,
    source,
    gather,
    read: async () => openLake(await gather()),
    pathOf: (id, table) =>
      globSync(join(harness.root, '*', 'v1/a/1/s', `${id}-*`, `${table}.parquet`))[0] ?? '',
    newPath: () => join(folder, `${made++}.ducklake`),
    async close() {
      await harness.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Calls `ask` with a session of DuckDB that has the catalogue as `lake`, without the extension. */
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
