/** Ids of queued builds, derived from the build: equal builds have equal ids, so queueing is idempotent. */
import { createHash } from 'node:crypto';

/** The id of an account's build for a night. */
export function nightJobId(account_id: bigint, night: string): string {
  return idOf(`night ${account_id} ${night}`);
}

/** The id of an account's rebuild; an account has at most one. */
export function rebuildJobId(account_id: bigint): string {
  return idOf(`rebuild ${account_id}`);
}

/** A UUID of version 8, whose bits a program may choose freely: here from a SHA-256. */
function idOf(text: string): string {
  const hex = createHash('sha256').update(`crossfoot ${text}`).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
