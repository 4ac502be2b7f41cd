/** The delay of an account's build after the night falls due, so that not all accounts read the ledger at the same time. */
import { createHash } from 'node:crypto';

/** A number of milliseconds from 0 to below `bound_ms`, always the same for an account. */
export function jitterMs(account_id: bigint, bound_ms: number): number {
  const hash = createHash('sha256').update(`jitter ${account_id}`).digest().readUInt32BE(0);
  return Math.floor((hash / 2 ** 32) * bound_ms);
}
