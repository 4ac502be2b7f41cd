/** Ids of queued builds, derived from the build: equal builds have equal ids, so queueing is idempotent. */
import { createHash } from 'node:crypto';

/** The id of an account's build for a night. */
export function nightJobId(account_id: bigint, night: string): string {
  return idOf(`night ${account_id} ${night}`);
}

/** The limit of rebuilds of an account: those that run, and the next. */
export const REBUILDS = 3;

/** The id of an account's rebuild. `which`, from 1: a further one is queued only while those before it run. */
export function rebuildJobId(account_id: bigint, which = 1): string {
  return idOf(which === 1 ? `rebuild ${account_id}` : `rebuild ${account_id} ${which}`);
}

/** The ids of all rebuilds that an account may have. */
export function rebuildJobIds(account_id: bigint): readonly string[] {
  return Array.from({ length: REBUILDS }, (_, index) => rebuildJobId(account_id, index + 1));
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
