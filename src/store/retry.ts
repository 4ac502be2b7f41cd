/** Trying again when a store gave no answer. */
import { isCrossfootError } from '../errors.ts';

/** The clock, the waiting and the chance that a caller lends: microseconds, milliseconds, [0, 1). */
export interface Pace {
  now(): bigint;
  sleep(milliseconds: number): Promise<void>;
  random(): number;
}

const MOST_TRIES = 8;
const LONGEST_MICROSECONDS = 120_000_000n;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 20_000;

/**
 * Runs `step`, again after `store_outcome_unknown` only, with full jitter: eight tries or two minutes. The step
 * must send the very same each time, so that a success hidden by a lost reply is recognised as its own.
 */
export async function untilAnswered<T>(pace: Pace, step: () => Promise<T>): Promise<T> {
  const deadline = pace.now() + LONGEST_MICROSECONDS;
  for (let tries = 1; ; tries += 1) {
    try {
      return await step();
    } catch (error) {
      const again =
        isCrossfootError(error, 'store_outcome_unknown') && tries < MOST_TRIES && pace.now() < deadline;
      if (!again) throw error;
    }
    await pace.sleep(pace.random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1)));
  }
}
