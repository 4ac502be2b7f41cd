/** A cache of the files of the change feed. Snapshots never change, so a cached file never becomes stale. */
import type { After } from '../concurrency-limit.ts';
import { limitComparisons } from './comparison-limit.ts';
import type { FeedFile, TablePair } from './feed-file.ts';
import { heldCache } from './held-cache.ts';

/** The maximum number of cached files. Each is an open file. */
const MAX_ENTRIES = 32;
/** Disk space of all cached files. */
const CACHE_BYTES = 536_870_912;
/** One file is written at a time. This many requests of an account may wait; any further one is refused. */
const MAX_WAITING = 16;

export interface Feeds {
  /** Calls `work` with the file of a table's changed rows between two snapshots. The file stays until `work` ends. */
  use<Result>(pair: TablePair, work: (file: FeedFile) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Caches the files that `write` writes, up to the limits. Without `after` a file waits as long as it must. */
export function cacheFeeds(write: (pair: TablePair) => Promise<FeedFile>, after?: After): Feeds {
  const limit = limitComparisons({ most: MAX_WAITING, after });
  const cache = heldCache<FeedFile>({ max_entries: MAX_ENTRIES, max_bytes: CACHE_BYTES });
  return {
    use: (pair, work) => {
      const { account_id, table, earlier, later } = pair;
      const key = `${account_id} ${table} ${earlier.snapshot_id} ${later.snapshot_id}`;
      return cache.use(key, () => limit.run(account_id, () => write(pair)), work);
    },
    close: () => cache.clear(),
  };
}
