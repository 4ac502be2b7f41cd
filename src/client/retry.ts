/** Retries an interrupted transfer with growing waits. It gives up after eight tries in a row without any byte. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Interruption, PullStopped } from './errors.ts';

/** The limit of tries in a row without any byte. The waits between them take about a minute at most. */
const MAX_TRIES = 8;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;
/** If the server asks for a longer wait, this run ends; a later run may succeed. */
const MAX_PATIENCE_MS = 600_000;

export interface RetryTools {
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** Runs the attempt until it succeeds or fails for good. A call of `moved` resets the number of tries. */
export async function retry<Result>(
  what: string,
  { signal, say }: RetryTools,
  attempt: (moved: () => void) => Promise<Result>,
): Promise<Result> {
  let tries = 0;
  for (;;) {
    try {
      return await attempt(() => {
        tries = 0;
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Interruption)) throw error;
      tries += 1;
      if (tries >= MAX_TRIES || error.wait_ms > MAX_PATIENCE_MS) {
        throw new PullStopped(1, `${what}: ${error.message}; given up.`, error);
      }
      // Full jitter, so that clients that were interrupted together do not come back together.
      const jittered = Math.random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries);
      const wait_ms = Math.ceil(Math.max(error.wait_ms, jittered));
      say(`${what}: ${error.message}; again in ${(wait_ms / 1000).toFixed(1)} s`);
      await sleep(wait_ms, undefined, { signal });
    }
  }
}
