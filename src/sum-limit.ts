/** The largest sum of cents, and the error for a larger one, for builds, the API and the assistant. */
import { CrossfootError } from './errors.ts';

/** 2^53 - 1: JSON numbers are exact up to here. The ledger refuses larger single amounts; this file refuses larger sums. */
const MAX_SUM_CENTS = 9_007_199_254_740_991n;

/**
 * Throws if a figure is beyond the limit, above or below zero. Figures are the fields whose names end in `_cents`. `where`
 * names their scope and window; it is called only for an error.
 */
export function requireExactSums(where: () => string, figures: object): void {
  for (const [name, sum] of Object.entries<unknown>({ ...figures })) {
    if (typeof sum !== 'bigint' || !name.endsWith('_cents')) continue;
    if (sum > MAX_SUM_CENTS || sum < -MAX_SUM_CENTS)
      throw sumTooLarge(where(), wordsOf(name), `${sum} cents`);
  }
}

/** The error for a sum that is too large even for the database: then its window and value are unknown. */
export function sumBeyondDatabase(cause: unknown): CrossfootError {
  return sumTooLarge('this account', 'a sum', 'beyond 2^63 cents', cause);
}

/** The error for one figure; `where` names its scope and window. */
export function sumTooLarge(where: string, figure: string, found: string, cause?: unknown): CrossfootError {
  return new CrossfootError(
    'sum_too_large',
    `${where}: ${figure} is ${found}; a sum may be at most ${MAX_SUM_CENTS} cents (2^53 - 1) above or below zero.`,
    {
      hint: 'Correct the largest amounts of that window in the ledger, then build again.',
      data: { place: where, figure, expected: `at most ${MAX_SUM_CENTS} cents`, found },
      cause,
    },
  );
}

/** `net_value_cents` as `net value`. */
function wordsOf(name: string): string {
  return name.replace(/_cents$/, '').replaceAll('_', ' ');
}
