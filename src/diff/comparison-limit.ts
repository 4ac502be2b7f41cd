/** Limits what the engine compares for a server at the same time: each comparison may use the engine's whole memory. */
import { type After, ConcurrencyLimit } from '../concurrency-limit.ts';
import { CrossfootError } from '../errors.ts';

/**
 * After 30 s without a byte the server closes the connection: the refusal comes before, and leaves a comparison that began late
 * time to end.
 */
const LONGEST_WAIT_MS = 15_000;

interface Waiting {
  /** How many of an account may wait. */
  readonly most: number;
  /** The timer of the process; without it the wait has no limit. */
  readonly after?: After | undefined;
}

/** One runs at a time. Each account has one waiting list, and the lists are served in turn. */
export function limitComparisons({ most, after }: Waiting): ConcurrencyLimit<bigint> {
  return new ConcurrencyLimit<bigint>({
    at_once: 1,
    in_all: 1,
    waiting: most,
    refusal: tooManyComparisons,
    ...(after && { wait: { ms: LONGEST_WAIT_MS, after, refusal: waitedTooLong } }),
  });
}

/** The refusal of one comparison too many. */
function tooManyComparisons(): CrossfootError {
  return new CrossfootError(
    'figures_in_flight',
    'Too many comparisons of this account are waiting already.',
    { hint: 'Try again once one of them has ended.' },
  );
}

// 503 and not 429: the comparisons of other accounts may be what it waited for.
function waitedTooLong(): CrossfootError {
  return new CrossfootError(
    'comparison_waited',
    `This comparison waited ${LONGEST_WAIT_MS / 1000} s for the comparisons before it; try again in some seconds.`,
    { hint: 'Wait as long as Retry-After says, then try again.' },
  );
}
