/** Bringing audited bytes into the store, and proving that what is stored is what was audited. */
import { CrossfootError } from '../../errors.ts';
import type { Pace } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { Content, Store } from '../../store/store.ts';
import { digest, sha256Hex } from '../format/digest.ts';

/** A table's file of a build: its bytes and the digests of its blocks. */
export interface BlockedContent extends Content {
  readonly blocks: Uint8Array;
}

/** Creates the object and reads it back whole; size and digest must be those of the content. */
export async function upload(store: Store, pace: Pace, key: string, content: Content): Promise<void> {
  await untilAnswered(pace, () => store.create(key, content));
  await readBack(store, pace, key, content);
}

/** The same for a file whose blocks are served one by one: the block digests are compared too. */
export async function uploadBlocked(
  store: Store,
  pace: Pace,
  keys: { readonly file: string; readonly blocks: string },
  content: BlockedContent,
): Promise<void> {
  await untilAnswered(pace, () => store.create(keys.file, content));
  const blocks = await readBack(store, pace, keys.file, content);
  if (!Buffer.from(blocks).equals(content.blocks)) throw differs(keys.blocks);
  await upload(store, pace, keys.blocks, contentOfBytes(content.blocks));
}

/** Bytes at hand as content that can be sent again and again. */
export function contentOfBytes(bytes: Uint8Array): Content {
  async function* open(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  return { size: bytes.length, sha256: sha256Hex(bytes), open };
}

// Whether the create won or found its own earlier try, only what is read back counts.
async function readBack(store: Store, pace: Pace, key: string, content: Content): Promise<Uint8Array> {
  const stored = await untilAnswered(pace, () => store.stat(key));
  // The size first: a digest of the expected length alone would not see that the object is longer.
  if (stored?.size !== content.size) throw differs(key);
  const found = await untilAnswered(pace, () => digest(store.readRange(key, 0, content.size)));
  if (found.sha256 !== content.sha256) throw differs(key);
  return found.blocks;
}

function differs(key: string): CrossfootError {
  return new CrossfootError('upload_differs', 'publish: what the store gives back is not what was audited.', {
    hint: 'Nothing became visible; build again, and test the store if it happens twice.',
    data: { key },
  });
}
