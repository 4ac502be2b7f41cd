/**
 * Cursors: where a list goes on, for the account, route and filters it was made for and no others. A version byte, the
 * change time and id of the last row, and an HMAC over these and over what they are bound to; all of it as base64url.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { CrossfootError } from '../../errors.ts';
import type { Place } from '../../ledger/lists/keyset.ts';

const VERSION = 1;
const PLACE_BYTES = 1 + 8 + 8;
const SEAL_BYTES = 32;

/** What a cursor is good for. */
export interface Bound {
  readonly account_id: bigint;
  readonly route: string;
  /** The filters as they were read, so that two spellings of one moment are one; not the cursor or the page's size. */
  readonly filters: Readonly<Record<string, unknown>>;
}

export interface Cursors {
  /** The cursor of the page after this place. */
  seal(bound: Bound, place: Place): string;
  /** The place of a cursor; refuses one that was changed, or made for another account, route or filter. */
  open(bound: Bound, cursor: string): Place;
}

/** Cursors that the first key signs and every key verifies. */
export function createCursors([first, ...others]: readonly [string, ...string[]]): Cursors {
  return {
    seal(bound, { updated_at, id }) {
      const place = Buffer.alloc(PLACE_BYTES);
      place.writeUInt8(VERSION);
      place.writeBigInt64BE(updated_at, 1);
      place.writeBigInt64BE(id, 9);
      return Buffer.concat([place, sealOf(first, bound, place)]).toString('base64url');
    },
    open(bound, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      // Decoding skips what is not base64url and drops stray bits: only the way back is a cursor of ours.
      const whole = bytes.length === PLACE_BYTES + SEAL_BYTES && bytes.toString('base64url') === cursor;
      const place = bytes.subarray(0, PLACE_BYTES);
      const seal = bytes.subarray(PLACE_BYTES);
      if (!whole || ![first, ...others].some((key) => timingSafeEqual(sealOf(key, bound, place), seal))) {
        throw new CrossfootError(
          'parameter_refused',
          'The parameter cursor is not one that this list gave for these parameters.',
        );
      }
      return { updated_at: place.readBigInt64BE(1), id: place.readBigInt64BE(9) };
    },
  };
}

function sealOf(key: string, { account_id, route, filters }: Bound, place: Buffer): Buffer {
  const given = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [name, String(value)]);
  // JSON keeps what is bound apart: no two lists of texts are written alike.
  const bound = JSON.stringify(['cursor', String(account_id), route, given]);
  return createHmac('sha256', key).update(place).update(bound).digest();
}
