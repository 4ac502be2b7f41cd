/** The real clock, waiting and chance, lent to the code that takes them as arguments. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pace } from '../store/retry.ts';

const MICROSECONDS_PER_MILLISECOND = 1_000n;

/** Time and chance of this machine. */
export const PACE: Pace = {
  now: () => BigInt(Date.now()) * MICROSECONDS_PER_MILLISECOND,
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal === undefined ? {} : { signal }),
  random: () => Math.random(),
};
