/**
 * Reads a store in which snapshots have either layout: a packed file is read by its own key, as if it were an object. Where it
 * lies is read from the manifest of its build, unchecked: its reader compares its bytes with their digest in any case.
 */
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';
import { CrossfootError, isCrossfootError } from '../../errors.ts';
import type { StoredObject, StoreReader } from '../../store/store.ts';
import { fileKey, manifestKey, packedFileOfKey } from '../format/keys.ts';
import { MANIFEST_CAP_BYTES, readManifest } from '../format/manifest.ts';
import { isPacked, PACK_FILE, placesIn } from '../format/pack.ts';
import { type Instant, MINUTE } from '../../instant.ts';

type Places = ReturnType<typeof placesIn>;

/** Of a build, each packed file. */
const PLACE_BYTES = 128;
/** A damaged manifest that was restored from a copy serves again after this time. */
const FRESH_MICROSECONDS = Number(MINUTE);

/** The same store; every method but the three that read a key is its own. */
export function unpacked<Reader extends StoreReader>(store: Reader, now: () => Instant): Reader {
  const builds = new Cache<string, Places | null>({
    max_bytes: MEMORY_BUDGET.packed_places,
    bytesOf: (build) => PLACE_BYTES * (1 + (build?.places.size ?? 0)),
    max_age: FRESH_MICROSECONDS,
    clock: () => Number(now()),
    keep: (places) => places !== null,
  });

  async function readPlaces(prefix: string): Promise<Places | null> {
    try {
      const bytes = await store.readSmall(manifestKey(prefix), MANIFEST_CAP_BYTES);
      const packed = bytes === null ? undefined : readManifest(bytes).packed;
      return packed === undefined ? null : placesIn(packed);
    } catch (error) {
      // The reader of the manifest tells of its damage.
      if (isCrossfootError(error, 'manifest_invalid') || isCrossfootError(error, 'store_object_too_large'))
        return null;
      throw error;
    }
  }

  async function find(key: string) {
    const file = packedFileOfKey(key);
    if (file === null || !isPacked(file.name)) return null;
    const build = await builds.get(file.prefix, () => readPlaces(file.prefix));
    const place = build?.places.get(file.name);
    if (build === null || place === undefined) return null;
    return { ...place, pack: fileKey(file.prefix, PACK_FILE), pack_bytes: build.size_bytes };
  }

  async function* readRange(...given: Parameters<StoreReader['readRange']>): AsyncGenerator<Uint8Array> {
    const [key, offset, length, memory] = given;
    const found = await find(key);
    if (found === null) return yield* store.readRange(...given);
    if (offset + length > found.size_bytes) {
      throw new CrossfootError('store_object_missing', 'store: an object is missing or too short.', {
        data: { key },
      });
    }
    yield* store.readRange(found.pack, found.offset + offset, length, memory);
  }

  return {
    ...store,
    async readSmall(key, cap_bytes) {
      const found = await find(key);
      if (found === null) return await store.readSmall(key, cap_bytes);
      const { pack, offset, size_bytes } = found;
      if (size_bytes > cap_bytes) {
        throw new CrossfootError(
          'store_object_too_large',
          `store: an object has ${size_bytes} bytes; at most ${cap_bytes} are allowed.`,
          { data: { key, size: size_bytes, cap_bytes } },
        );
      }
      const pieces: Uint8Array[] = [];
      try {
        for await (const piece of store.readRange(pack, offset, size_bytes)) pieces.push(piece);
      } catch (error) {
        if (isCrossfootError(error, 'store_object_missing')) return null;
        throw error;
      }
      return new Uint8Array(Buffer.concat(pieces));
    },
    async stat(key): Promise<StoredObject | null> {
      const found = await find(key);
      if (found === null) return await store.stat(key);
      const pack = await store.stat(found.pack);
      // An object of another length holds other files than the manifest says.
      return pack?.size === found.pack_bytes ? { ...pack, size: found.size_bytes } : null;
    },
    readRange,
  };
}
