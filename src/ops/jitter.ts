/** Delays the nightly build of each account by a time of its own, so that not all builds read the ledger at once. */
import { createHash } from 'node:crypto';

/** A number of milliseconds from 0 to below `bound_ms`, always the same for an account. */
export function jitterMs(account_id: bigint, bound_ms: number): number {
  const hash = createHash('sha256').update(`jitter ${account_id}`).digest().readUInt32BE(0);
  return Math.floor((hash / 2 ** 32) * bound_ms);
}
