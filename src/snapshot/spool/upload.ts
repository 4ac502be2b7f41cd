/**
 * Uploads audited bytes to the store and checks that the stored bytes equal them: by reading them back, or by the SHA-256 that
 * the store computed, if its self-test showed that it does.
 */
import { CrossfootError, isCrossfootError } from '../../errors.ts';
import type { Clock } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { Content, Store } from '../../store/store.ts';
import type { Digests } from '../../parquet/digest.ts';
import { BLOCK_BYTES, digest, sha256Hex } from '../format/digest.ts';

/** A table's file: its bytes and the digests of its blocks. */
export interface BlockedContent extends Content {
  readonly blocks: Uint8Array;
}

/**
 * Creates the object, and reads it back whole unless the store stated its digest. Throws `refusal` if size or digest differ from
 * the content's.
 */
export async function upload(
  store: Store,
  clock: Clock,
  key: string,
  content: Content,
  refusal: (key: string) => CrossfootError = differs,
): Promise<void> {
  if (await createStated(store, clock, key, content, content.sha256)) return;
  await readBack(store, clock, key, content, refusal);
}

/** The same for a table's file, whose block digests are compared too. */
export async function uploadBlocked(
  store: Store,
  clock: Clock,
  key: string,
  content: BlockedContent,
): Promise<void> {
  if (await createStated(store, clock, key, content, content.sha256)) return;
  const blocks = await readBack(store, clock, key, content, differs);
  if (!Buffer.from(blocks).equals(content.blocks)) throw differs(key);
}

/**
 * Creates the object. True if this call created it and the store stated this SHA-256, which it computed from the bytes that it
 * received: then nothing need be read back.
 */
export async function createStated(
  store: Store,
  clock: Clock,
  key: string,
  body: Uint8Array | Content,
  sha256: string,
): Promise<boolean> {
  let stated: string | undefined;
  await untilAnswered(clock, () => store.create(key, body, (computed) => void (stated = computed)));
  return stated === sha256;
}

/** Bytes in memory as content that can be sent more than once. */
export function contentOfBytes(bytes: Uint8Array): Content {
  async function* open(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  return { size: bytes.length, sha256: sha256Hex(bytes), open };
}

// It does not matter whether the create succeeded or found an earlier try of its own: the bytes read back count.
async function readBack(
  store: Store,
  clock: Clock,
  key: string,
  content: Content,
  refusal: (key: string) => CrossfootError,
): Promise<Uint8Array> {
  const read = content.size <= BLOCK_BYTES ? readAtOnce : readInPieces;
  const found = await untilAnswered(clock, () => read(store, key, content.size));
  if (found?.size_bytes !== content.size) throw refusal(key);
  if (found.sha256 !== content.sha256) throw refusal(key);
  return found.blocks;
}

/** The digests of an object that fits into memory, by one call of the store; null if the object is missing or larger. */
async function readAtOnce(store: Store, key: string, size: number): Promise<Digests | null> {
  const bytes = await store.readSmall(key, size).catch((error: unknown) => {
    if (isCrossfootError(error, 'store_object_too_large')) return null;
    throw error;
  });
  return bytes === null ? null : await digest(contentOfBytes(bytes).open());
}

/** The digests of a larger object; null if its size differs: the digests cover only the expected length. */
async function readInPieces(store: Store, key: string, size: number): Promise<Digests | null> {
  const stored = await store.stat(key);
  return stored?.size === size ? await digest(store.readRange(key, 0, size)) : null;
}

function differs(key: string): CrossfootError {
  return new CrossfootError('upload_differs', 'publish: the stored bytes differ from the audited bytes.', {
    hint: 'Nothing was published. Build again; if it happens twice, test the store.',
    data: { key },
  });
}
