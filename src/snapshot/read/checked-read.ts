/**
 * Reads a table's file in blocks, and returns a block only if its digest matches. The list of digests was itself checked
 * against the manifest. Only the blocks of the requested range are read.
 */
import { isCrossfootError } from '../../errors.ts';
import type { StoreReader } from '../../store/store.ts';
import type { CheckedBytes } from './checked-bytes.ts';
import { sha256Hex } from '../format/digest.ts';
import { type BlockOptions, type CheckedFile, corrupt, differsFromAudit, FileBlocks } from './file-blocks.ts';

/**
 * The most blocks of 1 MiB that all readers together read before their clients ask for them. A few keep fast clients busy.
 * With a hundred stalled clients, one block more for each would double the memory.
 */
const MAX_BLOCKS_AHEAD = 8;
let blocksAhead = 0;

/**
 * The bytes `from` through `to`, both inclusive and inside the file; throws `file_corrupt` at a bad block. Without
 * a cache, every byte comes from the store. While the caller takes one block, only the
 * next one is read and checked: a slow reader must not make the process hold a whole file.
 */
export async function* readChecked(
  store: StoreReader,
  file: CheckedFile,
  from: number,
  to: number,
  options: BlockOptions = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const last = Math.floor(to / file.block_bytes);
  let blocks: FileBlocks | undefined;
  let coming: Promise<Uint8Array<ArrayBuffer>> | undefined;
  try {
    blocks = await FileBlocks.open(store, file, { ...options, last });
    for (let index = Math.floor(from / file.block_bytes); index <= last; index += 1) {
      const block = await (coming ?? blocks.read(index));
      if (coming !== undefined) blocksAhead -= 1;
      coming = undefined;
      if (index < last && blocksAhead < MAX_BLOCKS_AHEAD) {
        blocksAhead += 1;
        coming = blocks.read(index + 1);
        coming.catch(() => undefined); // the error is thrown when the block is due
      }
      const start = index * file.block_bytes;
      yield block.subarray(Math.max(0, from - start), to + 1 - start);
    }
  } catch (error) {
    // A missing or truncated file is corrupt too: the manifest says what must be there.
    throw isCrossfootError(error, 'store_object_missing') ? corrupt(file, null, error) : error;
  } finally {
    if (coming !== undefined) blocksAhead -= 1;
    await Promise.allSettled([coming]);
    await blocks?.close();
  }
}

/** The pieces as a stream for a response. The first piece is awaited before this returns, so that its error is thrown here. */
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
        first = null; // release it: a stalled client would otherwise hold this piece and the next one
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 }, // the stream itself reads nothing ahead
  );
}

/** Joins the pieces; a single piece is not copied. */
export async function joined(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer>> {
  const read: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of pieces) read.push(piece);
  const [first] = read;
  return first !== undefined && read.length === 1 ? first : Buffer.concat(read);
}

/** Reads a small object whole; throws `file_corrupt` if it is missing or its digest differs. */
export async function readWhole(
  store: StoreReader,
  key: string,
  { size_bytes, sha256 }: { readonly size_bytes: number; readonly sha256: string },
  cache: CheckedBytes,
): Promise<Uint8Array<ArrayBuffer>> {
  return await cache.get(sha256, async () => {
    const read = await store.readSmall(key, size_bytes).catch((error: unknown) => {
      throw isCrossfootError(error, 'store_object_too_large')
        ? differsFromAudit(key, 'it', null, error)
        : error;
    });
    if (read === null || sha256Hex(read) !== sha256) throw differsFromAudit(key, 'it', null);
    return Uint8Array.from(read);
  });
}
