/** A stored file of ten bytes in blocks of four, or any other, for tests of how it is read. */
import { createHash } from 'node:crypto';
import { isCrossfootError } from '../../../src/errors.ts';
import { CheckedBytes } from '../../../src/snapshot/read/checked-bytes.ts';
import type { CheckedFile } from '../../../src/snapshot/read/file-blocks.ts';
import { memoryStore } from '../../store/memory-store.ts';

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
export const key = 'v1/a/7/s/x/costs.parquet';
export const blocks_key = 'v1/a/7/s/x/costs.blocks';

/** A file and its list of digests in a store of its own. */
export function stored(bytes: Uint8Array, block_bytes: number) {
  const digests = [];
  for (let at = 0; at < bytes.length; at += block_bytes)
    digests.push(sha256(bytes.subarray(at, at + block_bytes)));
  const blocks = Buffer.concat(digests);
  const objects = new Map<string, Uint8Array>([
    [key, Uint8Array.from(bytes)],
    [blocks_key, Uint8Array.from(blocks)],
  ]);
  const blocks_sha256 = sha256(blocks).toString('hex');
  const file: CheckedFile = { key, blocks_key, size_bytes: bytes.length, block_bytes, blocks_sha256 };
  return { objects, file, store: memoryStore(objects) };
}

/** What came out before the end, and whether the end was a refusal. */
export async function taken(pieces: AsyncIterable<Uint8Array>) {
  const out: Uint8Array[] = [];
  try {
    for await (const piece of pieces) out.push(piece);
    return { bytes: Buffer.concat(out), refused: false };
  } catch (error) {
    if (!isCrossfootError(error, 'file_corrupt')) throw error;
    return { bytes: Buffer.concat(out), refused: true };
  }
}

export const ten = Buffer.from('0123456789');

/** A store that writes down which bytes it was asked for, and a cache with room for everything. */
export function counted(block_bytes = 4) {
  const { store, ...rest } = stored(ten, block_bytes);
  const asked: string[] = [];
  const watched: typeof store = {
    ...store,
    readSmall: (name, cap) => {
      asked.push(name);
      return store.readSmall(name, cap);
    },
    readRange: (name, offset, length) => {
      asked.push(`${offset}+${length}`);
      return store.readRange(name, offset, length);
    },
  };
  return { ...rest, store: watched, asked, kept: new CheckedBytes(1_000_000) };
}
