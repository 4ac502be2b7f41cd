/** Reads a stored comparison: the record, and the changed rows that it names. */
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { isCrossfootError } from '../../errors.ts';
import type { StoreReader } from '../../store/store.ts';
import {
  type Comparison,
  COMPARISON_CAP_BYTES,
  corruptComparison,
  decodeComparison,
  type PublishedPair,
} from '../format/comparison.ts';
import { changesKey, comparisonKey, comparisonPrefix } from '../format/keys.ts';

/** The directory of the pair's comparison. */
export function prefixOfPair({ log, from, to }: PublishedPair): string {
  return comparisonPrefix(log.account_id, from.snapshot_id, to.snapshot_id);
}

/** The record; null if the comparison is not stored. Throws `file_corrupt` if it is of other snapshots or damaged. */
export async function readComparison(store: StoreReader, pair: PublishedPair): Promise<Comparison | null> {
  const key = comparisonKey(prefixOfPair(pair));
  const bytes = await store.readSmall(key, COMPARISON_CAP_BYTES).catch((error: unknown) => {
    if (!isCrossfootError(error, 'store_object_too_large')) throw error;
    throw corruptComparison(pair.from, pair.to, 'its record is too large');
  });
  return bytes === null ? null : decodeComparison(bytes, pair);
}

/**
 * Reads the changed rows to their end and passes them to `take`. Throws `file_corrupt` if a byte differs, at the latest
 * after the last piece: rely on no row before this returns.
 */
export async function readChangedRows(
  store: StoreReader,
  pair: PublishedPair,
  { rows_bytes, size_bytes, sha256 }: Comparison,
  take: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  const hash = createHash('sha256');
  let read = 0;
  async function* stored(): AsyncGenerator<Uint8Array> {
    for await (const piece of store.readRange(changesKey(prefixOfPair(pair)), 0, size_bytes)) {
      hash.update(piece);
      yield piece;
    }
  }
  async function takeRows(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const piece of pieces) {
      read += piece.length;
      // A damaged object must not fill the disk.
      if (read > rows_bytes) throw corrupt('its rows are too long');
      await take(piece);
    }
  }
  const corrupt = (wrong: string): Error => corruptComparison(pair.from, pair.to, wrong);
  try {
    await pipeline(stored, createGunzip(), takeRows);
  } catch (error) {
    if (isCrossfootError(error, 'store_object_missing')) throw corrupt('its rows are missing');
    if (isUnpacking(error)) throw corrupt('its rows cannot be unpacked');
    throw error;
  }
  if (read !== rows_bytes || hash.digest('hex') !== sha256) throw corrupt('its rows differ from its record');
}

/** True for an error of zlib, such as `Z_DATA_ERROR`. */
function isUnpacking(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
