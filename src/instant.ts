/** Instants as numbers, and their units. Without imports: also the audit counts in them, and it may reach no other room. */

declare const unit: unique symbol;

/**
 * A moment in UTC, in microseconds since 1970. Text is parsed once, where it enters the program. The mark is optional, so that
 * a sum of an instant and a duration is an instant again; a number of another unit that bears its own mark is refused.
 */
export type Instant = bigint & { readonly [unit]?: 'microseconds since 1970' };

/** The units of instants and durations, in microseconds. */
export const MILLISECOND = 1_000n;
export const SECOND = 1_000n * MILLISECOND;
export const MINUTE = 60n * SECOND;
export const HOUR = 60n * MINUTE;
export const DAY = 24n * HOUR;

/** An instant or a duration in whole milliseconds; the rest is cut off. */
export const toMs = (microseconds: bigint): number => Number(microseconds / MILLISECOND);

/** An instant or a duration that is given in whole milliseconds. */
export const fromMs = (ms: number): bigint => BigInt(ms) * MILLISECOND;
