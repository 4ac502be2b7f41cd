/** The clock port: code takes time and randomness as an argument, so that a test can set both. */

/** Microseconds since 1970, waits in milliseconds, random numbers in [0, 1). */
export interface Pace {
  readonly now: () => bigint;
  /** Rejects at once when the signal, if there is one, says so. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
}
