/** Trying again when a store gave no answer. */
import { isCrossfootError } from '../errors.ts';

/** The clock, the waiting and the chance that a caller lends: microseconds, milliseconds, [0, 1). */
export interface Pace {
  readonly now: () => bigint;
  /** Rejects at once when the signal, if there is one, says so. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
}

const MOST_TRIES = 8;
const LONGEST_MICROSECONDS = 120_000_000n;
/** Doubled each time: the last of seven waits is 12.8 s at most. */
const FIRST_WAIT_MS = 200;

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
    await pace.sleep(pace.random() * FIRST_WAIT_MS * 2 ** (tries - 1));
  }
}
