/**
 * Reads the comparison that a build stored. Two snapshots are compared here and now if theirs is missing, damaged or
 * made by other rules.
 */
import { join } from 'node:path';
import type { PublishedPair } from '../snapshot/format/comparison.ts';
import { readChangedRows, readComparison } from '../snapshot/read/read-comparison.ts';
import type { LogReader } from '../snapshot/read/signed-reader.ts';
import type { StoreReader } from '../store/store.ts';
import type { ChangesFile } from './changes-file.ts';
import { compareSnapshots, type CompareTools, inOwnFolder, openChanges, type Pair } from './compare.ts';
import { rulesDigest } from './rules.ts';

export interface StoredComparisons {
  readonly store: StoreReader;
  readonly log: LogReader;
  /** Called for a stored comparison that could not be read; the snapshots are then compared. */
  readonly onUnread: (pair: Pair, error: unknown) => void;
}

/** The stored comparison of the pair if it is whole, else a new one. The caller must close the result. */
export async function readOrCompare(
  pair: Pair,
  stored: StoredComparisons,
  tools: CompareTools,
): Promise<ChangesFile> {
  try {
    const found = await openStored(pair, stored, tools);
    if (found !== null) return found;
  } catch (error) {
    tools.signal.throwIfAborted();
    stored.onUnread(pair, error);
  }
  return await compareSnapshots(pair, tools);
}

async function openStored(
  pair: Pair,
  { store, log }: StoredComparisons,
  tools: CompareTools,
): Promise<ChangesFile | null> {
  const published = await publishedPair(pair, log);
  const record = published === null ? null : await readComparison(store, published);
  if (published === null || record?.rules_sha256 !== rulesDigest(tools.sql)) return null;
  return await inOwnFolder(tools, async (directory) => {
    const path = join(directory, 'changes.ndjson');
    const handle = await tools.fs.open(path, 'wx');
    try {
      await readChangedRows(store, published, record, async (piece) => {
        tools.signal.throwIfAborted();
        await handle.writeFile(piece);
      });
    } finally {
      await handle.close();
    }
    return await openChanges({ path, tables: record.tables }, tools);
  });
}

/** Both entries of the log; null for a retracted snapshot: its comparison is no longer stored, and is made when asked. */
export async function publishedPair(
  { account_id, earlier, later }: Pair,
  log: LogReader,
): Promise<PublishedPair | null> {
  if (earlier.retraction !== null || later.retraction !== null) return null;
  const [from, to] = [
    await log.entryOf(account_id, earlier.snapshot_id),
    await log.entryOf(account_id, later.snapshot_id),
  ];
  return from === null || to === null ? null : { log: await log.logOf(account_id), from, to };
}
