/** Time and chance as a caller lends them: code that takes them as an argument can be run at any moment. */

/** The clock, the waiting and the chance that a caller lends: microseconds, milliseconds, [0, 1). */
export interface Pace {
  readonly now: () => bigint;
  /** Rejects at once when the signal, if there is one, says so. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
}
