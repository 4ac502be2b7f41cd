/** Trying again what was interrupted, at growing distances, as long as that leads anywhere. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Interruption, PullStopped } from './outcome.ts';

/** In a row without a byte; with the waits below that is some two minutes. */
const MAX_TRIES = 8;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;
/** A server that asks for more is down for long: the next run will do. */
const MAX_PATIENCE_MS = 600_000;

export interface Persistence {
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** Runs the attempt until it succeeds or fails for good; whenever it calls `moved`, the counting begins anew. */
export async function persist<Result>(
  what: string,
  { signal, say }: Persistence,
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
      // Anywhere between at once and the full wait: many clients that were cut off together come back apart.
      const jittered = Math.random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries);
      const wait_ms = Math.ceil(Math.max(error.wait_ms, jittered));
      say(`${what}: ${error.message}; again in ${(wait_ms / 1000).toFixed(1)} s`);
      await sleep(wait_ms, undefined, { signal });
    }
  }
}
