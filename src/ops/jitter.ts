/** How long after the night falls due each account may begin, so that not all of them ask the ledger at once. */
import { createHash } from 'node:crypto';

/** Milliseconds from 0 up to, not including, `bound_ms`; the same for an account every night. */
export function jitterMs(account_id: bigint, bound_ms: number): number {
  const drawn = createHash('sha256').update(`jitter ${account_id}`).digest().readUInt32BE(0);
  return Math.floor((drawn / 2 ** 32) * bound_ms);
}
