/** The real clock, waiting and chance, lent to the code that takes them as arguments. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pace } from '../clock.ts';

const MICROSECONDS_PER_MILLISECOND = 1_000n;

/** Time and chance of this machine. */
export const PACE: Pace = {
  now: () => BigInt(Date.now()) * MICROSECONDS_PER_MILLISECOND,
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal === undefined ? {} : { signal }),
  random: () => Math.random(),
};

/** What tells this process's builds and marks from those of any other. */
export const MARKING = {
  by: `${hostname()}/${process.pid}`,
  newNonce: () => randomBytes(16).toString('hex'),
} as const;
