/**
 * Reading a table's file so that no unchecked byte ever gets out: each block is held back until its digest, from a
 * list that was itself checked against the manifest, has matched. Only the blocks that a range touches are read.
 */
import { CrossfootError, isCrossfootError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import type { CheckedBytes } from './checked-bytes.ts';
import { DIGEST_BYTES, sha256Hex } from './digest.ts';

export interface CheckedFile {
  readonly key: string;
  readonly blocks_key: string;
  readonly size_bytes: number;
  readonly block_bytes: number;
  readonly blocks_sha256: string;
}

/**
 * The bytes `from` through `to`, both inclusive and inside the file; a bad block throws `file_corrupt` in its place.
 * What `kept` holds is not read again; without it, every byte comes from the store.
 */
export async function* readChecked(
  store: Store,
  file: CheckedFile,
  from: number,
  to: number,
  kept?: CheckedBytes,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    const digests = await readDigests(store, file, kept);
    const last = Math.floor(to / file.block_bytes);
    let index = Math.floor(from / file.block_bytes);
    const wanted = (block: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
      const start = index * file.block_bytes;
      return block.subarray(Math.max(0, from - start), to + 1 - start);
    };
    while (index <= last) {
      const known = kept?.get(digestAt(digests, index));
      if (known !== undefined) {
        yield wanted(known);
        index += 1;
        continue;
      }
      // Neighbours are read in one call: a bucket takes its time to answer each.
      let end = index + 1;
      while (end <= last && kept?.has(digestAt(digests, end)) !== true) end += 1;
      for await (const block of readBlocks(store, file, index, end)) {
        const digest = digestAt(digests, index);
        if (sha256Hex(block) !== digest) throw corrupt(file, index);
        kept?.set(digest, block);
        yield wanted(block);
        index += 1;
      }
    }
  } catch (error) {
    // Absent or cut short is as corrupt as a flipped bit: the manifest says what must be there.
    throw isCrossfootError(error, 'store_object_missing') ? corrupt(file, null, error) : error;
  }
}

/** The pieces as a stream for a response; the first is awaited before this returns, so that it can still refuse. */
export async function openStream(
  pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const first = await pieces.next();
  return new ReadableStream(
    {
      start(controller) {
        if (!first.done) controller.enqueue(first.value);
      },
      async pull(controller) {
        const next = await pieces.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    // One block at a time: a slow reader must not make us hold a whole file.
    { highWaterMark: 0 },
  );
}

/** All the pieces as one. */
export async function joined(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer>> {
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read);
}

/** A small object in one piece, held to its length and digest; any other throws `file_corrupt`. */
export async function readWhole(
  store: Store,
  key: string,
  { size_bytes, sha256 }: { readonly size_bytes: number; readonly sha256: string },
  kept: CheckedBytes,
): Promise<Uint8Array<ArrayBuffer>> {
  const known = kept.get(sha256);
  if (known !== undefined) return known;
  const read = await store.readSmall(key, size_bytes).catch((error: unknown) => {
    throw isCrossfootError(error, 'store_object_too_large') ? differs(key, 'it', null, error) : error;
  });
  if (read === null || sha256Hex(read) !== sha256) throw differs(key, 'it', null);
  const bytes = Uint8Array.from(read);
  kept.set(sha256, bytes);
  return bytes;
}

async function readDigests(store: Store, file: CheckedFile, kept?: CheckedBytes): Promise<Uint8Array> {
  const known = kept?.get(file.blocks_sha256);
  if (known !== undefined) return known;
  const length = Math.ceil(file.size_bytes / file.block_bytes) * DIGEST_BYTES;
  const read = await store.readSmall(file.blocks_key, length).catch((error: unknown) => {
    throw isCrossfootError(error, 'store_object_too_large') ? corrupt(file, null, error) : error;
  });
  if (read?.length !== length || sha256Hex(read) !== file.blocks_sha256) throw corrupt(file, null);
  const digests = Uint8Array.from(read);
  kept?.set(file.blocks_sha256, digests);
  return digests;
}

function digestAt(digests: Uint8Array, index: number): string {
  return Buffer.from(digests.subarray(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES)).toString('hex');
}

/** The blocks from `first` up to, not including, `end`, whole but not yet checked. */
async function* readBlocks(
  store: Store,
  file: CheckedFile,
  first: number,
  end: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const stop = Math.min(end * file.block_bytes, file.size_bytes);
  let start = first * file.block_bytes;
  let block = new Uint8Array(Math.min(file.block_bytes, stop - start));
  let filled = 0;
  for await (const piece of store.readRange(file.key, start, stop - start)) {
    for (let at = 0; at < piece.length;) {
      const part = piece.subarray(at, at + block.length - filled);
      block.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < block.length) continue;
      yield block;
      start += block.length;
      if (start >= stop) return;
      block = new Uint8Array(Math.min(file.block_bytes, stop - start));
      filled = 0;
    }
  }
  throw corrupt(file, start / file.block_bytes);
}

function corrupt(file: CheckedFile, block: number | null, cause?: unknown): CrossfootError {
  const place = block === null ? 'it or its list of digests' : `its block ${block}`;
  return differs(file.key, place, block, cause);
}

function differs(key: string, place: string, block: number | null, cause?: unknown): CrossfootError {
  return new CrossfootError(
    'file_corrupt',
    `${key}: ${place} is not what was audited; the file is not served.`,
    {
      hint: 'The snapshot of another night may be whole; the damaged one has to be restored from a copy.',
      data: { key, block },
      cause,
    },
  );
}
