/** A store in memory for tests of what stands on stores; the contract's own tests keep it honest. */
import { createHash } from 'node:crypto';
import { CrossfootError } from '../../src/errors.ts';
import { checkKey, checkPrefix } from '../../src/store/object-key.ts';
import type { Store, StoreReader } from '../../src/store/store.ts';

/** The objects are handed out too, so that a test can change a stored byte. */
export function memoryStore(objects: Map<string, Uint8Array> = new Map<string, Uint8Array>()): Store {
  async function find(key: string): Promise<Uint8Array | null> {
    checkKey(key);
    return objects.get(key) ?? null;
  }
  return {
    async create(key, body) {
      checkKey(key);
      const pieces: Uint8Array[] = [];
      if (body instanceof Uint8Array) pieces.push(body);
      else for await (const piece of body.open()) pieces.push(piece);
      const bytes = new Uint8Array(Buffer.concat(pieces));
      if (!(body instanceof Uint8Array)) {
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        if (sha256 !== body.sha256 || bytes.length !== body.size) {
          throw new CrossfootError('store_checksum_mismatch', 'other bytes');
        }
      }
      if (objects.has(key)) return 'exists';
      objects.set(key, bytes);
      return 'created';
    },
    async readSmall(key, cap_bytes) {
      const bytes = await find(key);
      if (bytes !== null && bytes.length > cap_bytes) {
        throw new CrossfootError('store_object_too_large', 'too large');
      }
      return bytes === null ? null : bytes.slice();
    },
    async stat(key) {
      const bytes = await find(key);
      return bytes === null ? null : { size: bytes.length, created_at: 0n };
    },
    async *readRange(key, offset, length) {
      const bytes = await find(key);
      if (bytes === null || bytes.length < offset + length) {
        throw new CrossfootError('store_object_missing', 'absent or short');
      }
      const middle = offset + (length >> 1);
      if (middle > offset) yield bytes.slice(offset, middle);
      if (offset + length > middle) yield bytes.slice(middle, offset + length);
    },
    async *list(prefix) {
      checkPrefix(prefix);
      yield* [...objects.keys()].filter((key) => key.startsWith(prefix)).toSorted();
    },
    async delete(key) {
      checkKey(key);
      objects.delete(key);
    },
  };
}

/** The objects of another store below a prefix. */
export async function copyOf(store: StoreReader, prefix: string): Promise<Map<string, Uint8Array>> {
  const objects = new Map<string, Uint8Array>();
  for await (const key of store.list(prefix)) {
    const bytes = await store.readSmall(key, 2 ** 30);
    if (bytes !== null) objects.set(key, bytes);
  }
  return objects;
}
