/** What a reader is shown of the staged builds, every byte of it read and compared. */
import { secondOfSnapshotId, snapshotIdOf } from '../../../src/snapshot/format/snapshot-id.ts';
import type { Store } from '../../../src/store/store.ts';
import { ACCOUNT, MIDNIGHT, readerAt } from '../../snapshot/builder/build-harness.ts';
import { readAll } from '../../store/contract.ts';
import { BETWEEN_BUILDS, type StagedFiles, momentOf } from './staged-build.ts';

/** Which build is the latest, by its number; null before the first. Throws unless all of its tables are whole. */
export async function servedNumber(store: Store, files: StagedFiles): Promise<number | null> {
  const latest = await aReader(store).latest(ACCOUNT);
  if (latest === null) return null;
  await holdWhole(store, files, latest.snapshot_id);
  return Number((secondOfSnapshotId(latest.snapshot_id) - MIDNIGHT) / BETWEEN_BUILDS);
}

/** Throws unless that build can be read whole, by its own address. */
export async function holdNumber(store: Store, files: StagedFiles, number: number): Promise<void> {
  await holdWhole(store, files, snapshotIdOf(momentOf(number)));
}

// A reader of its own each time: what another one checked before must not count.
function aReader(store: Store) {
  return readerAt(store, () => MIDNIGHT);
}

async function holdWhole(store: Store, files: StagedFiles, snapshot_id: string): Promise<void> {
  const reader = aReader(store);
  const found = await reader.pinned(ACCOUNT, snapshot_id);
  if (found === null) throw new Error(`${snapshot_id} is not there`);
  for (const { name } of found.tables) {
    const bytes = await readAll(await reader.openTable(ACCOUNT, snapshot_id, name));
    if (files.get(`${name}.parquet`)?.equals(bytes) !== true)
      throw new Error(`${name} is not what was built`);
  }
  const missing = [...files.keys()].filter(
    (file) => file.endsWith('.parquet') && !found.tables.some(({ name }) => file === `${name}.parquet`),
  );
  if (missing.length > 0) throw new Error(`${missing.join(', ')} not published`);
}
