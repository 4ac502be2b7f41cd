/** Retries a call to the store whose outcome is unknown, because no answer came. */
import type { Clock } from '../clock.ts';
import { isCrossfootError } from '../errors.ts';
import { MILLISECOND, MINUTE } from '../instant.ts';

/** The total time of all retries: longer than a restart of a bucket's gateway or of a network switch. */
const MAX_RETRY_MICROSECONDS = 2n * MINUTE;
const FIRST_WAIT_MS = 200;
/** The maximum wait between retries: a bucket is used again within seconds after it answers again. */
const MAX_WAIT_MS = 12_800;

/**
 * Runs `step`, and retries it only after `store_outcome_unknown`, with full jitter, for two minutes. The step must send the
 * same bytes each time, so that a success with a lost reply is recognised.
 */
export async function untilAnswered<T>(clock: Clock, step: () => Promise<T>): Promise<T> {
  const began = clock.now();
  let waited = 0n;
  for (let tries = 1; ; tries += 1) {
    try {
      return await step();
    } catch (error) {
      // Add up the waits too: a clock that is set back must not extend the two minutes.
      const over = waited >= MAX_RETRY_MICROSECONDS || clock.now() - began >= MAX_RETRY_MICROSECONDS;
      if (over || !isCrossfootError(error, 'store_outcome_unknown')) throw error;
    }
    const wait_ms = clock.random() * Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), MAX_WAIT_MS);
    waited += BigInt(Math.round(wait_ms * Number(MILLISECOND)));
    await clock.sleep(wait_ms);
  }
}
