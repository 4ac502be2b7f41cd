/** Trying again when a store gave no answer. */
import type { Pace } from '../clock.ts';
import { isCrossfootError } from '../errors.ts';

/** A restart of a bucket's gateway, or of a switch on the way to it, takes less. */
const MAX_MICROSECONDS = 120_000_000n;
const FIRST_WAIT_MS = 200;
/** The wait is doubled up to this one, so that a bucket is used again within seconds of its return. */
const MAX_WAIT_MS = 12_800;
const MICROSECONDS_PER_MILLISECOND = 1_000;

/**
 * Runs `step`, again after `store_outcome_unknown` only, with full jitter, for two minutes. The step must send the
 * very same bytes each time, so that a success hidden by a lost reply is recognised.
 */
export async function untilAnswered<T>(pace: Pace, step: () => Promise<T>): Promise<T> {
  const began = pace.now();
  let waited = 0n;
  for (let tries = 1; ; tries += 1) {
    try {
      return await step();
    } catch (error) {
      // The waits count too: a clock that is set back must not prolong the two minutes.
      const over = waited >= MAX_MICROSECONDS || pace.now() - began >= MAX_MICROSECONDS;
      if (over || !isCrossfootError(error, 'store_outcome_unknown')) throw error;
    }
    const wait_ms = pace.random() * Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), MAX_WAIT_MS);
    waited += BigInt(Math.round(wait_ms * MICROSECONDS_PER_MILLISECOND));
    await pace.sleep(wait_ms);
  }
}
