/** One built snapshot of the fixture company as files in a folder: Parquet, and the CSV made of it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIGESTS_FILE, decodeDigests } from '../../src/snapshot/format/stored-digests.ts';
import type { SnapshotDigests } from '../../src/warehouse/digests.ts';
import { readerAt } from '../snapshot/build/build-harness.ts';
import { AT, type BuildYard, openYard } from '../snapshot/build/real-build.ts';
import { readAll } from '../store/contract.ts';

interface LoadedCompany {
  readonly yard: BuildYard;
  readonly folder: string;
  readonly digests: SnapshotDigests;
  close(): Promise<void>;
}

/** Builds once; the folder holds what a reader would have downloaded. */
export async function openLoadedCompany(): Promise<LoadedCompany> {
  const [yard, folder] = await Promise.all([openYard(), mkdtemp(join(tmpdir(), 'crossfoot-loaded-'))]);
  const { snapshot_id } = await yard.build();
  const served = await yard.served();
  const reader = readerAt(yard.store, () => AT);
  for (const [name, bytes] of served?.bytes ?? []) {
    await writeFile(join(folder, `${name}.parquet`), bytes);
    const csv = await readAll(await reader.openCsv(1n, snapshot_id, name, { forSpreadsheets: false }));
    await writeFile(join(folder, `${name}.csv`), csv);
  }
  const digests = decodeDigests(await reader.readFile(1n, snapshot_id, DIGESTS_FILE));
  return {
    yard,
    folder,
    digests,
    async close() {
      await yard.close();
      await rm(folder, { recursive: true });
    },
  };
}
