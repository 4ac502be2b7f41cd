/** How many heavy figures an account may have worked out at once; more of them wait a moment, and then are refused. */
import { CrossfootError } from '../../errors.ts';

// Each holds a session of the ledger and may scan an account's entries: four leave sessions to everybody else.
const MAX_AT_ONCE = 4;
// A dashboard that opens a dozen figures at once is served, a loop that forgets to wait is not.
const MAX_WAITING = 12;
// Longer than a figure of most accounts takes, shorter than a client's patience.
const LONGEST_WAIT_MS = 5_000;

export interface FigureSlots {
  /** Runs `work` once the account has a slot free; refused when too many wait, or when it waited too long. */
  run<Result>(account_id: bigint, work: () => Promise<Result>): Promise<Result>;
}

/** Runs something after so many milliseconds, unless the function it gives is called before. */
type After = (ms: number, run: () => void) => () => void;

interface Slots {
  taken: number;
  /** Who waits, in the order of coming; calling one gives it a slot. */
  readonly waiting: Set<() => void>;
}

/** The slots of one serving process. */
export function createFigureSlots(after: After = later): FigureSlots {
  const accounts = new Map<bigint, Slots>();

  async function take(slots: Slots): Promise<void> {
    if (slots.taken < MAX_AT_ONCE) {
      slots.taken += 1;
      return;
    }
    if (slots.waiting.size >= MAX_WAITING) throw refused();
    await new Promise<void>((resolve, reject) => {
      const call = (): void => {
        forget();
        resolve();
      };
      const forget = after(LONGEST_WAIT_MS, () => {
        slots.waiting.delete(call);
        reject(refused());
      });
      slots.waiting.add(call);
    });
  }

  /** Hands the slot to whoever has waited longest. */
  function give(account_id: bigint, slots: Slots): void {
    const [next] = slots.waiting;
    if (next !== undefined) {
      slots.waiting.delete(next);
      next();
      return;
    }
    slots.taken -= 1;
    if (slots.taken === 0) accounts.delete(account_id);
  }

  return {
    async run(account_id, work) {
      const slots = accounts.get(account_id) ?? { taken: 0, waiting: new Set() };
      accounts.set(account_id, slots);
      await take(slots);
      try {
        return await work();
      } finally {
        give(account_id, slots);
      }
    },
  };
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
