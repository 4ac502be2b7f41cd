/**
 * Cursors: the position where a list continues, valid for one account, route and set of filters. A cursor is base64url
 * of a version byte, the change time and id of the last row, and an HMAC. The HMAC covers these bytes and what the
 * cursor is valid for.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CrossfootError } from '../../errors.ts';
import { refusedParameter } from '../http/parameters.ts';
import type { Position } from '../../ledger/lists/keyset.ts';
import { secondOfSnapshotId, snapshotIdOf } from '../../snapshot/format/snapshot-id.ts';

const VERSION = 1;
const PLACE_BYTES = 1 + 8 + 8;
/**
 * The version of a cursor of a snapshot's list: the time in the snapshot's id follows, in seconds, after the place.
 */
const SNAPSHOT_VERSION = 2;
const SNAPSHOT_BYTES = PLACE_BYTES + 8;
const SEAL_BYTES = 32;

/** What a cursor is valid for. */
export interface Bound {
  readonly account_id: bigint;
  readonly route: string;
  /** The parsed filters, so that two spellings of one moment are equal; without the cursor and the page's size. */
  readonly filters: Readonly<Record<string, unknown>>;
}

export interface Cursors {
  /** The cursor of the page after this position; `snapshot_id` is the snapshot that the list is read from. */
  seal(bound: Bound, after: Position, snapshot_id?: string): string;
  /** The position in a cursor; refuses a cursor that was changed, or made for another account, route or filter. */
  open(bound: Bound, cursor: string): OpenedCursor;
}

export interface OpenedCursor extends Position {
  /** The snapshot that the list is read from; absent for a live list. */
  readonly snapshot_id?: string;
}

/** The refusal of a cursor. */
export function foreignCursor(): CrossfootError {
  return refusedParameter('The parameter cursor does not belong to this list with these parameters.');
}

/** Cursors that the first key signs and every key verifies. */
export function createCursors([first, ...others]: readonly [string, ...string[]]): Cursors {
  return {
    seal(bound, { updated_at, id }, snapshot_id) {
      const position = Buffer.alloc(snapshot_id === undefined ? PLACE_BYTES : SNAPSHOT_BYTES);
      position.writeUInt8(snapshot_id === undefined ? VERSION : SNAPSHOT_VERSION);
      position.writeBigInt64BE(updated_at, 1);
      position.writeBigInt64BE(id, 9);
      if (snapshot_id !== undefined) position.writeBigInt64BE(secondOfSnapshotId(snapshot_id), PLACE_BYTES);
      return Buffer.concat([position, sealOf(first, bound, position)]).toString('base64url');
    },
    open(bound, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      // Decoding skips characters that are not base64url and stray bits, so compare the re-encoded text.
      const intact = bytes.length >= PLACE_BYTES + SEAL_BYTES && bytes.toString('base64url') === cursor;
      const position = bytes.subarray(0, Math.max(0, bytes.length - SEAL_BYTES));
      const seal = bytes.subarray(position.length);
      if (!intact || ![first, ...others].some((key) => timingSafeEqual(sealOf(key, bound, position), seal))) {
        throw foreignCursor();
      }
      const place = { updated_at: position.readBigInt64BE(1), id: position.readBigInt64BE(9) };
      // Only a position that this program sealed comes here, so its length follows from its version.
      if (position.readUInt8() === VERSION) return place;
      return { ...place, snapshot_id: snapshotIdOf(position.readBigInt64BE(PLACE_BYTES)) };
    },
  };
}

function sealOf(key: string, { account_id, route, filters }: Bound, position: Buffer): Buffer {
  const sorted = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [name, String(value)]);
  // JSON keeps the parts apart: two different lists of texts never give the same JSON.
  const bound = JSON.stringify(['cursor', String(account_id), route, sorted]);
  return createHmac('sha256', key).update(position).update(bound).digest();
}
