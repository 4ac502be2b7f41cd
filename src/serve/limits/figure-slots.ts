/** How many heavy figures an account may have worked out at once; more of them wait a moment, and then are refused. */
import { type After, ConcurrencyLimit } from '../../concurrency-limit.ts';
import { CrossfootError } from '../../errors.ts';

// Each holds a session of the ledger and may scan an account's entries: four leave sessions to everybody else.
const MAX_AT_ONCE = 4;
// A dashboard that opens a dozen figures at once is served, a loop that forgets to wait is not.
const MAX_WAITING = 12;
// Longer than a figure of most accounts takes, shorter than a client's patience.
const LONGEST_WAIT_MS = 5_000;

/** Runs the work on a figure once its account has a slot free. */
export type FigureSlots = Pick<ConcurrencyLimit<bigint>, 'run'>;

/** The slots of one serving process. */
export function createFigureSlots(after: After = later): FigureSlots {
  return new ConcurrencyLimit<bigint>({
    at_once: MAX_AT_ONCE,
    waiting: MAX_WAITING,
    wait: { ms: LONGEST_WAIT_MS, after },
    refusal: refused,
  });
}

// 429 and not 503: the service is well, and it is this client that can make it better by asking for less at a time.
function refused(): CrossfootError {
  return new CrossfootError(
    'figures_in_flight',
    `Too many figures of this account are being worked out at once; at most ${MAX_AT_ONCE} are.`,
    { hint: 'Ask for the next figure once one has been answered.' },
  );
}

function later(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
