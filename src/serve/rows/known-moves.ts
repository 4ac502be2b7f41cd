/**
 * The changes between two snapshots, computed once and then cached. While a large comparison runs, readers see a page
 * that says so.
 */
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';
import type { Diffs } from '../../diff/diff-cache.ts';
import { isCrossfootError } from '../../errors.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { type Moves, readMoves } from './moves.ts';
import { createPatience } from './patience.ts';

const MAX_PAIRS = 16;
/** A changed entry takes about 100 bytes, and so does an amount of an initiative and month. */
const ENTRY_BYTES = 128;
/** If both snapshots together have more rows, the comparison is large. */
const LARGE_ROWS = 200_000;

export interface KnownMoves {
  /** The moves; null while two large snapshots are compared for the first time. */
  readonly orProgress: (
    account_id: bigint,
    from: ReadableSnapshot,
    to: ReadableSnapshot,
  ) => Promise<Moves | null>;
}

/** `wait` ends when a reader has waited long enough for a comparison of large snapshots. */
export function createKnownMoves(diffs: Diffs, wait?: () => Promise<void>): KnownMoves {
  const cache = new Cache<string, Moves>({
    max_entries: MAX_PAIRS,
    max_bytes: MEMORY_BUDGET.moves,
    bytesOf: ({ groups, by_initiative }) =>
      ENTRY_BYTES * (1 + by_initiative.size() + groups.reduce((sum, { entries }) => sum + entries.length, 0)),
  });
  const patience = createPatience(wait);

  return {
    async orProgress(account_id, from, to) {
      const key = `${account_id} ${from.snapshot_id} ${to.snapshot_id}`;
      patience.requireUnfailed(key);
      const compare = () => cache.get(key, () => diffs.use(account_id, from, to, readMoves));
      if (cache.peek(key) !== undefined || rowsOf(from) + rowsOf(to) <= LARGE_ROWS) return await compare();
      return cache.has(key) ? null : await patience.unlessSlow(key, compare(), hasFailed);
    },
  };
}

/** False for a comparison that waited too long: the next request begins it again, and until then the page shows progress. */
function hasFailed(error: unknown): boolean {
  return !isCrossfootError(error, 'comparison_waited');
}

function rowsOf({ tables }: ReadableSnapshot): number {
  return tables.reduce((sum, { row_count }) => sum + row_count, 0);
}
