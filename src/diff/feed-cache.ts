/** A cache of the files of the change feed. Snapshots never change, so a cached file never becomes stale. */
import { DISK_BUDGET, MEMORY_BUDGET } from '../cache-budget.ts';
import { Cache } from '../cache.ts';
import type { After } from '../concurrency-limit.ts';
import { CrossfootError } from '../errors.ts';
import { limitComparisons } from './comparison-limit.ts';
import type { FeedFile, TablePair } from './feed-file.ts';
import { heldCache } from './held-cache.ts';

/** The maximum number of cached files. Each is an open file. */
const MAX_ENTRIES = 32;
/** One file is written at a time. This many requests of an account may wait; any further one is refused. */
const MAX_WAITING = 16;
/** The facts of a file stay when it leaves the cache: those of twelve tables of 14 days, each hour, for four accounts. */
const FACTS_BYTES = 256;
/** After 30 s without a byte the server closes the connection: the refusal of a request for many files comes before. */
const LONGEST_WALK_MS = 20_000;

/** What an answer says of a file. */
type FeedFacts = Pick<FeedFile, 'rows' | 'size_bytes' | 'sha256'>;

export interface Feeds {
  /** The facts of a file, which is written only if they are not known. */
  facts(pair: TablePair): Promise<FeedFacts>;
  /**
   * Takes one step for each version of a request, in order. After 20 s the request is refused. The facts known by then stay known,
   * so the same request goes on from there.
   */
  walk<Version, Result>(
    versions: readonly Version[],
    step: (version: Version) => Promise<Result>,
  ): Promise<readonly Result[]>;
  /** Calls `work` with the file of a table's changed rows between two snapshots. The file stays until `work` ends. */
  use<Result>(pair: TablePair, work: (file: FeedFile) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Caches the files that `write` writes, up to the limits. Without `after` a file waits as long as it must. */
export function cacheFeeds(write: (pair: TablePair) => Promise<FeedFile>, after?: After): Feeds {
  const limit = limitComparisons({ most: MAX_WAITING, after });
  const cache = heldCache<FeedFile>({ max_entries: MAX_ENTRIES, max_bytes: DISK_BUDGET.feed });
  const known = new Cache<string, FeedFacts>({
    max_bytes: MEMORY_BUDGET.feed_facts,
    bytesOf: () => FACTS_BYTES,
  });
  const use: Feeds['use'] = (pair, work) =>
    cache.use(keyOf(pair), () => limit.run(pair.account_id, () => write(pair)), work);
  return {
    use,
    facts: (pair) =>
      known.get(keyOf(pair), () =>
        use(pair, async ({ rows, size_bytes, sha256 }) => ({ rows, size_bytes, sha256 })),
      ),
    walk: async (versions, step) => await walkWithin(versions, step, after),
    close: () => cache.clear(),
  };
}

function keyOf({ account_id, table, earlier, later }: TablePair): string {
  return `${account_id} ${table} ${earlier.snapshot_id} ${later.snapshot_id}`;
}

async function walkWithin<Version, Result>(
  versions: readonly Version[],
  step: (version: Version) => Promise<Result>,
  after?: After,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const refused = Promise.withResolvers<never>();
  let isLate = false;
  const forget = after?.(LONGEST_WALK_MS, () => {
    isLate = true;
    refused.reject(
      new CrossfootError(
        'comparison_waited',
        `After ${LONGEST_WALK_MS / 1000} s the changes of ${results.length} of ${versions.length} versions are known; try again in some seconds to go on from there.`,
        { hint: 'Wait as long as Retry-After says, then try again.' },
      ),
    );
  });
  const walk = async (): Promise<readonly Result[]> => {
    for (const version of versions) {
      if (isLate) break; // its request is refused: the others come with the next
      results.push(await step(version));
    }
    return results;
  };
  try {
    return await Promise.race([walk(), refused.promise]);
  } finally {
    forget?.();
  }
}
