/** Limits how many figures of an account are computed at the same time. Further requests wait, then are refused. */
import { type After, ConcurrencyLimit } from '../../concurrency-limit.ts';
import { CrossfootError } from '../../errors.ts';

// Each computation holds a database session and may scan all entries of an account. Four leave sessions for other accounts.
const MAX_COMPUTATIONS = 4;
// A dashboard that requests a dozen figures at once is served; a loop without pauses is refused.
const MAX_WAITING_REQUESTS = 12;
// Longer than the computation takes for most accounts, shorter than a client waits.
const LONGEST_WAIT_MS = 5_000;

/** Runs a computation once its account has a free slot. */
export type FigureSlots = Pick<ConcurrencyLimit<bigint>, 'run'>;

/** The slots of one serving process. */
export function createFigureSlots(after: After = later): FigureSlots {
  return new ConcurrencyLimit<bigint>({
    at_once: MAX_COMPUTATIONS,
    waiting: MAX_WAITING_REQUESTS,
    wait: { ms: LONGEST_WAIT_MS, after },
    refusal: refused,
  });
}

// 429 and not 503: the service works; this client can help by sending fewer requests at the same time.
function refused(): CrossfootError {
  return new CrossfootError(
    'figures_in_flight',
    `Too many figures of this account are being computed at the same time; the maximum is ${MAX_COMPUTATIONS}.`,
    { hint: 'Wait for a running request to end, then try again.' },
  );
}

/** Calls `run` by the timer of the process. */
export function later(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
