/** The ranges of a build that other workers may read. */
import type { KeyRange } from '../../ledger/moment/table-ranges.ts';
import type { Moment } from '../../ledger/moment/moment.ts';
import type { PartName, StoredPart } from './stored-parts.ts';

export interface OfferedRange extends PartName {
  readonly range: KeyRange;
}

/** The ranges of a build, and what a worker needs to see its moment. */
export interface Offer {
  readonly account_id: bigint;
  readonly nonce: string;
  readonly moment: Pick<Moment, 'exported_snapshot' | 'generated_at' | 'pg_snapshot'>;
  readonly ranges: readonly OfferedRange[];
}

/** A range for the build: to read it, or to fetch the part that another worker stored. */
export interface NextRange {
  /** Its place in the offer. */
  readonly index: number;
  readonly stored: StoredPart | null;
}

/** Disposing of them withdraws what is left. */
export interface SharedRanges extends AsyncDisposable {
  /**
   * Waits for a stored range, or a range without a worker. Null once none is left. Throws the error of a range that no worker
   * can read, or the reason of the signal.
   */
  next(signal: AbortSignal): Promise<NextRange | null>;
}

/** Offers ranges to other workers; null if they cannot be reached. */
export type ShareRanges = (offer: Offer) => Promise<SharedRanges | null>;

/** The ranges of a build that reads all of them itself. */
export function unsharedRanges(count: number): SharedRanges {
  let begun = 0;
  return {
    next: async (signal) => {
      signal.throwIfAborted();
      begun += 1;
      return begun > count ? null : { index: begun - 1, stored: null };
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}
