/** One built snapshot of the fixture company as files in a folder: Parquet, and the CSV made of it. */
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIGESTS_FILE, decodeDigests } from '../../src/snapshot/format/stored-digests.ts';
import type { SnapshotDigests } from '../../src/warehouse/digests.ts';
import { firstSnapshot } from '../fixtures/first-snapshot.ts';
import { readAll } from '../store/contract.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

interface LoadedCompany {
  /** An empty ledger, to load into. */
  readonly database: TestDatabase;
  readonly folder: string;
  readonly digests: SnapshotDigests;
  readonly snapshot_id: string;
  /** A folder of this name as a delivery leaves it; returns its path. */
  delivered(name: string): Promise<string>;
  close(): Promise<void>;
}

/** The folder holds what a reader would have downloaded. */
export async function openLoadedCompany(): Promise<LoadedCompany> {
  const [database, folder, snapshot] = await Promise.all([
    createDatabase(),
    mkdtemp(join(tmpdir(), 'crossfoot-loaded-')),
    firstSnapshot(),
  ]);
  const { id: snapshot_id, reader, served } = snapshot;
  for (const [name, bytes] of served?.bytes ?? []) {
    await writeFile(join(folder, `${name}.parquet`), bytes);
    const csv = await readAll(await reader.openCsv(1n, snapshot_id, name, { forSpreadsheets: false }));
    await writeFile(join(folder, `${name}.csv`), csv);
  }
  const digests = decodeDigests(await reader.readFile(1n, snapshot_id, DIGESTS_FILE));
  return {
    database,
    folder,
    digests,
    snapshot_id,
    async delivered(name) {
      const prefix = join(folder, name);
      const below = `snapshots/${snapshot_id}`;
      await mkdir(join(prefix, below), { recursive: true });
      for (const table of served?.bytes.keys() ?? []) {
        await copyFile(join(folder, `${table}.parquet`), join(prefix, below, `${table}.parquet`));
      }
      await writeFile(join(prefix, 'latest.json'), JSON.stringify({ snapshot_id, folder: below }));
      return prefix;
    },
    async close() {
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}
