/**
 * Limits how many rows of stored tables are read, sorted and folded for pages at the same time: they stay in memory until the page
 * is made. Each account has one waiting list, and the lists are served in turn.
 */
import { type After, ConcurrencyLimit } from '../../concurrency-limit.ts';
import { CrossfootError } from '../../errors.ts';
import { later } from './figure-slots.ts';

/** A view of a million sorted rows takes about 200 MB. */
const TOTAL_ROWS = 1_500_000;
/** No work counts as fewer rows, so that three run at once: each further one delays every other request. */
const MIN_ROWS = 500_000;
/** No work counts as more rows, so that the small table of another account never waits for a huge one. */
const MAX_ROWS = 1_000_000;
/** A person opens a dozen pages in tabs; a program that opens a hundred is refused. */
const MAX_WAITING = 16;
/** After 30 s without a byte the server closes the connection: the refusal comes before, and leaves time to make the page. */
const LONGEST_WAIT_MS = 15_000;

export interface RowLimit {
  /** Runs work over so many rows once its account has no other. */
  run<Result>(account_id: bigint, rows: number, work: () => Promise<Result>): Promise<Result>;
}

/** The limit of one serving process. */
export function createRowLimit(after: After = later): RowLimit {
  const limit = new ConcurrencyLimit<bigint>({
    at_once: 1,
    in_all: TOTAL_ROWS,
    waiting: MAX_WAITING,
    wait: { ms: LONGEST_WAIT_MS, after },
    refusal: () =>
      new CrossfootError(
        'figures_in_flight',
        `Too many pages of this account's rows are being made; at most ${MAX_WAITING} wait for the one before.`,
        { hint: 'Wait for a running request to end, then try again.' },
      ),
  });
  return {
    run: (account_id, rows, work) =>
      limit.run(account_id, work, Math.min(Math.max(rows, MIN_ROWS), MAX_ROWS)),
  };
}
