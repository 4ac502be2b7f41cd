/** The real clock, sleep and random source, passed to code that takes them as arguments. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { fromMs } from '../instant.ts';

/** Clock, sleep and random source of this machine. */
export const CLOCK: Clock = {
  now: () => fromMs(Date.now()),
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal === undefined ? {} : { signal }),
  random: () => Math.random(),
};

/** Identifies the builds and marks of this process: its machine and process id, and a new nonce for each. */
export const IDENTITY = {
  by: `${hostname()}/${process.pid}`,
  newNonce: () => randomBytes(16).toString('hex'),
} as const;
