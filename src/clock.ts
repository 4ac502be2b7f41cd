/** The clock port: code takes time and randomness as an argument, so that a test can set both. */
import type { Instant } from './instant.ts';

/** The present moment, waits in milliseconds, random numbers in [0, 1). */
export interface Clock {
  readonly now: () => Instant;
  /** Rejects as soon as the signal, if given, is aborted. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
}
