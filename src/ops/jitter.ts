/** The delay of an account's build after the night falls due, so that not all accounts read the ledger at once. */
import { createHash } from 'node:crypto';

/** Milliseconds from 0 to below `bound_ms`; fixed for an account. */
export function jitterMs(account_id: bigint, bound_ms: number): number {
  const drawn = createHash('sha256').update(`jitter ${account_id}`).digest().readUInt32BE(0);
  return Math.floor((drawn / 2 ** 32) * bound_ms);
}
