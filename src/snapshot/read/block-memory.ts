/**
 * Memory of blocks that is used again. With a new megabyte for each block, V8 collected its whole heap after every twenty
 * blocks, and this took a third of the time of a large download.
 */
import { BLOCK_BYTES } from '../format/digest.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** A stream needs two: one is sent while the next one is read. */
const MAX_FREE_BLOCKS = 4;

const free: ArrayBuffer[] = [];
/** The memory of blocks that were given to one response alone. */
const lent = new WeakSet<ArrayBuffer>();

/** Memory of this length, with any content. Its owner is the caller. */
export function takeMemory(length: number): Bytes {
  const memory = length === BLOCK_BYTES ? free.pop() : undefined;
  return new Uint8Array(memory ?? new ArrayBuffer(length));
}

/** Allows that the block's memory is given back. Nothing but one response may hold the block. */
export function lendMemory({ buffer }: Bytes): void {
  lent.add(buffer);
}

/** Call it once the socket has taken the piece. Memory that was not lent, or is given back already, stays as it is. */
export function giveBackMemory({ buffer }: Uint8Array): void {
  if (!(buffer instanceof ArrayBuffer) || !lent.delete(buffer)) return;
  if (buffer.byteLength === BLOCK_BYTES && free.length < MAX_FREE_BLOCKS) free.push(buffer);
}
