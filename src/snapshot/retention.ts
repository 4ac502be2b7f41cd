/** How long a snapshot is kept. */

const MICROSECONDS_PER_HOUR = 3_600_000_000n;
/** The contract: earlier snapshots are kept 14 days. */
export const KEPT_DAYS = 14n;

/**
 * When a snapshot of this moment expires, having been followed by a newer one at `superseded_at`. The day after
 * that keeps an old newest from vanishing the second it is replaced, in the middle of a download.
 */
export function expiresAt(generated_at: bigint, superseded_at: bigint): bigint {
  const kept = generated_at + KEPT_DAYS * 24n * MICROSECONDS_PER_HOUR;
  const replaced = superseded_at + 24n * MICROSECONDS_PER_HOUR;
  return kept > replaced ? kept : replaced;
}
