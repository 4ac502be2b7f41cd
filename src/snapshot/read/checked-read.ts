/**
 * Reading a table's file so that no unchecked byte ever gets out: each block is held back until its digest, from a
 * list that was itself checked against the manifest, has matched. Only the blocks that a range touches are read.
 */
import { isCrossfootError } from '../../errors.ts';
import type { StoreReader } from '../../store/store.ts';
import type { CheckedBytes } from './checked-bytes.ts';
import { sha256Hex } from '../format/digest.ts';
import { type CheckedFile, corrupt, differsFromAudit, FileBlocks } from './file-blocks.ts';

/**
 * Blocks that all readers together may hold ahead of their clients, in MiB. A few keep fast clients busy; one for each
 * of a hundred stalled clients would double what those cost.
 */
const MAX_BLOCKS_AHEAD = 8;
let blocksAhead = 0;

/**
 * The bytes `from` through `to`, both inclusive and inside the file; a bad block throws `file_corrupt` in its place.
 * What `kept` holds is not read again; without it, every byte comes from the store. While one block is taken the next
 * one is read and checked, and no more: a slow reader must not make us hold a whole file.
 */
export async function* readChecked(
  store: StoreReader,
  file: CheckedFile,
  from: number,
  to: number,
  kept?: CheckedBytes,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const last = Math.floor(to / file.block_bytes);
  let blocks: FileBlocks | undefined;
  let coming: Promise<Uint8Array<ArrayBuffer>> | undefined;
  try {
    blocks = await FileBlocks.open(store, file, { last, kept });
    for (let index = Math.floor(from / file.block_bytes); index <= last; index += 1) {
      const block = await (coming ?? blocks.read(index));
      if (coming !== undefined) blocksAhead -= 1;
      coming = undefined;
      if (index < last && blocksAhead < MAX_BLOCKS_AHEAD) {
        blocksAhead += 1;
        coming = blocks.read(index + 1);
        coming.catch(() => undefined); // told when it is its turn
      }
      const start = index * file.block_bytes;
      yield block.subarray(Math.max(0, from - start), to + 1 - start);
    }
  } catch (error) {
    // Absent or cut short is as corrupt as a flipped bit: the manifest says what must be there.
    throw isCrossfootError(error, 'store_object_missing') ? corrupt(file, null, error) : error;
  } finally {
    if (coming !== undefined) blocksAhead -= 1;
    await Promise.allSettled([coming]);
    await blocks?.close();
  }
}

/** The pieces as a stream for a response; the first is awaited before this returns, so that it can still refuse. */
export async function openStream(
  pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  return streamOf(await pieces.next(), pieces);
}

function streamOf(
  first: IteratorResult<Uint8Array<ArrayBuffer>> | null,
  pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      async pull(controller) {
        const next = first ?? (await pieces.next());
        first = null; // or a client that stops would hold the first piece beside the one it stopped in
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 }, // nothing is read ahead of the client here
  );
}

/** All the pieces as one; a single one is not copied. */
export async function joined(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer>> {
  const read: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of pieces) read.push(piece);
  const [first] = read;
  return first !== undefined && read.length === 1 ? first : Buffer.concat(read);
}

/** A small object in one piece, held to its length and digest; any other throws `file_corrupt`. */
export async function readWhole(
  store: StoreReader,
  key: string,
  { size_bytes, sha256 }: { readonly size_bytes: number; readonly sha256: string },
  kept: CheckedBytes,
): Promise<Uint8Array<ArrayBuffer>> {
  return await kept.get(sha256, async () => {
    const read = await store.readSmall(key, size_bytes).catch((error: unknown) => {
      throw isCrossfootError(error, 'store_object_too_large')
        ? differsFromAudit(key, 'it', null, error)
        : error;
    });
    if (read === null || sha256Hex(read) !== sha256) throw differsFromAudit(key, 'it', null);
    return Uint8Array.from(read);
  });
}
