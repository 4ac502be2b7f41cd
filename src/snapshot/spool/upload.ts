/** Uploads audited bytes to the store and checks that the stored bytes equal them. */
import { CrossfootError } from '../../errors.ts';
import type { Pace } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { Content, Store } from '../../store/store.ts';
import { digest, sha256Hex } from '../format/digest.ts';

/** A table's file: its bytes and the digests of its blocks. */
export interface BlockedContent extends Content {
  readonly blocks: Uint8Array;
}

/** Creates the object and reads it back whole. Throws `refusal` if size or digest differ from the content's. */
export async function upload(
  store: Store,
  pace: Pace,
  key: string,
  content: Content,
  refusal: (key: string) => CrossfootError = differs,
): Promise<void> {
  await untilAnswered(pace, () => store.create(key, content));
  await readBack(store, pace, key, content, refusal);
}

/** The same for a table's file, whose block digests are compared too and then uploaded as their own object. */
export async function uploadBlocked(
  store: Store,
  pace: Pace,
  keys: { readonly file: string; readonly blocks: string },
  content: BlockedContent,
): Promise<void> {
  await untilAnswered(pace, () => store.create(keys.file, content));
  const blocks = await readBack(store, pace, keys.file, content, differs);
  if (!Buffer.from(blocks).equals(content.blocks)) throw differs(keys.blocks);
  await upload(store, pace, keys.blocks, contentOfBytes(content.blocks));
}

/** Bytes in memory as content that can be sent more than once. */
export function contentOfBytes(bytes: Uint8Array): Content {
  async function* open(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  return { size: bytes.length, sha256: sha256Hex(bytes), open };
}

// It does not matter whether the create succeeded or found an earlier try of its own: only the bytes read back count.
async function readBack(
  store: Store,
  pace: Pace,
  key: string,
  content: Content,
  refusal: (key: string) => CrossfootError,
): Promise<Uint8Array> {
  const stored = await untilAnswered(pace, () => store.stat(key));
  // Compare the size first: the digest covers only the expected length, not bytes beyond it.
  if (stored?.size !== content.size) throw refusal(key);
  const found = await untilAnswered(pace, () => digest(store.readRange(key, 0, content.size)));
  if (found.sha256 !== content.sha256) throw refusal(key);
  return found.blocks;
}

function differs(key: string): CrossfootError {
  return new CrossfootError('upload_differs', 'publish: the stored bytes differ from the audited bytes.', {
    hint: 'Nothing was published. Build again; if it happens twice, test the store.',
    data: { key },
  });
}
