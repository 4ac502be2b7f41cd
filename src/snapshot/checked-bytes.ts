/** What was read and found right, so that a reader who skips about a file does not read its blocks again and again. */
import { LRUCache } from 'lru-cache';

/** Keys and bookkeeping of an entry: without it, a million tiny blocks would count as nothing. */
const ENTRY_BYTES = 256;

/**
 * Bytes by their own SHA-256 in hex, the least recently used forgotten first. What stands here is right whatever
 * became of the store, because only bytes that were just held to that digest are put in.
 */
export type CheckedBytes = LRUCache<string, Uint8Array<ArrayBuffer>>;

/** Keeps up to so many bytes. */
export function keepCheckedBytes(max_bytes: number): CheckedBytes {
  return new LRUCache<string, Uint8Array<ArrayBuffer>>({
    maxSize: max_bytes,
    sizeCalculation: (bytes) => bytes.length + ENTRY_BYTES,
  });
}
