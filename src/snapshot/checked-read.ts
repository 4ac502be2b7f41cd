/**
 * Reading a table's file so that no unchecked byte ever gets out: each block is held back until its digest, from a
 * list that was itself checked against the manifest, has matched.
 */
import { createHash } from 'node:crypto';
import { CrossfootError, isCrossfootError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { DIGEST_BYTES, sha256Hex } from './digest.ts';

export interface CheckedFile {
  readonly key: string;
  readonly blocks_key: string;
  readonly size_bytes: number;
  readonly block_bytes: number;
  readonly blocks_sha256: string;
}

/** The bytes `from` through `to`, both inclusive and inside the file; a bad block throws `file_corrupt` in its place. */
export async function* readChecked(
  store: Store,
  file: CheckedFile,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    const digests = await readDigests(store, file);
    const end = Math.min(blockStart(file, to) + file.block_bytes, file.size_bytes);
    let start = blockStart(file, from);
    let block = emptyBlock(file, start);
    let filled = 0;
    for await (const piece of store.readRange(file.key, start, end - start)) {
      for (let at = 0; at < piece.length;) {
        const part = piece.subarray(at, at + block.length - filled);
        block.set(part, filled);
        filled += part.length;
        at += part.length;
        if (filled < block.length) continue;
        checkBlock(file, digests, start, block);
        yield block.subarray(Math.max(0, from - start), to + 1 - start);
        start += block.length;
        block = emptyBlock(file, start);
        filled = 0;
        if (start >= end) return;
      }
    }
    throw corrupt(file, start);
  } catch (error) {
    // Absent or cut short is as corrupt as a flipped bit: the manifest says what must be there.
    throw isCrossfootError(error, 'store_object_missing') ? corrupt(file, null, error) : error;
  }
}

/** The same as a stream for a response; its first block is checked before this returns, so that it can still refuse. */
export async function openChecked(
  store: Store,
  file: CheckedFile,
  from: number,
  to: number,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const pieces = readChecked(store, file, from, to);
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

async function readDigests(store: Store, file: CheckedFile): Promise<Uint8Array> {
  const length = Math.ceil(file.size_bytes / file.block_bytes) * DIGEST_BYTES;
  const digests = await store.readSmall(file.blocks_key, length).catch((error: unknown) => {
    throw isCrossfootError(error, 'store_object_too_large') ? corrupt(file, null, error) : error;
  });
  if (digests?.length !== length || sha256Hex(digests) !== file.blocks_sha256) throw corrupt(file, null);
  return digests;
}

function blockStart(file: CheckedFile, at: number): number {
  return at - (at % file.block_bytes);
}

function emptyBlock(file: CheckedFile, start: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Math.max(0, Math.min(file.block_bytes, file.size_bytes - start)));
}

function checkBlock(file: CheckedFile, digests: Uint8Array, start: number, block: Uint8Array): void {
  const at = (start / file.block_bytes) * DIGEST_BYTES;
  const expected = digests.subarray(at, at + DIGEST_BYTES);
  if (!createHash('sha256').update(block).digest().equals(expected)) throw corrupt(file, start);
}

function corrupt(file: CheckedFile, offset: number | null, cause?: unknown): CrossfootError {
  return new CrossfootError('file_corrupt', 'A file of this snapshot is damaged and is not served.', {
    hint: 'The snapshot of another night may be whole; the damaged one has to be restored from a copy.',
    data: { key: file.key, offset },
    cause,
  });
}
