/** SHA-256 of a file as a whole and block by block, in one pass. */
import { createHash } from 'node:crypto';
import { type Digests, FileDigest } from '../../parquet/digest.ts';

/** Small enough to hold back while it is checked, large enough that its digest costs nothing beside it. */
export const BLOCK_BYTES = 1_048_576;
/** One block's digest in a `.blocks` object. */
export const DIGEST_BYTES = 32;

/** Reads the pieces to their end and digests them as the writer of the file did. */
export async function digest(pieces: AsyncIterable<Uint8Array>): Promise<Digests> {
  const digests = new FileDigest();
  for await (const piece of pieces) digests.update(piece);
  return digests.finish();
}

/** The SHA-256 of bytes at hand, in lower-case hex. */
export function sha256Hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Handed to another thread, less than this would take longer than here. */
const ASIDE_BYTES = 65_536;

/** The same of bytes that nobody writes to meanwhile; a block, which takes milliseconds, beside this thread. */
export async function sha256Aside(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (bytes.length < ASIDE_BYTES) return sha256Hex(bytes);
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
}
