/** SHA-256 of a file as a whole and block by block, in one pass. */
import { createHash, type Hash } from 'node:crypto';

/** Small enough to hold back while it is checked, large enough that its digest costs nothing beside it. */
export const BLOCK_BYTES = 1_048_576;
/** One block's digest in a `.blocks` object. */
export const DIGEST_BYTES = 32;

export interface Digest {
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** The digests of the blocks, one after the other. */
  readonly blocks: Uint8Array;
}

/** Reads the pieces to their end and digests them. */
export async function digest(pieces: AsyncIterable<Uint8Array>): Promise<Digest> {
  const whole = createHash('sha256');
  const blocks: Uint8Array[] = [];
  let block: Hash = createHash('sha256');
  let size = 0;
  for await (const piece of pieces) {
    whole.update(piece);
    for (let at = 0; at < piece.length;) {
      const part = piece.subarray(at, at + BLOCK_BYTES - (size % BLOCK_BYTES));
      block.update(part);
      at += part.length;
      size += part.length;
      if (size % BLOCK_BYTES === 0) {
        blocks.push(block.digest());
        block = createHash('sha256');
      }
    }
  }
  if (size % BLOCK_BYTES !== 0) blocks.push(block.digest());
  return { size, sha256: whole.digest('hex'), blocks: Buffer.concat(blocks) };
}

/** The SHA-256 of bytes at hand, in lower-case hex. */
export function sha256Hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
