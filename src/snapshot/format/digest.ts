/** SHA-256 of a file as a whole and block by block, in one pass. */
import { createHash } from 'node:crypto';
import { type Digests, FileDigest } from '../../parquet/digest.ts';

/**
 * The size of a block: small enough to hold in memory while it is checked, and so large that its digest of 32 bytes adds almost
 * nothing to the file.
 */
export const BLOCK_BYTES = 1_048_576;
/** The length of one block's digest in a `.blocks` object. */
export const DIGEST_BYTES = 32;

/** Reads all pieces and computes the same digests as the writer of the file. */
export async function digest(pieces: AsyncIterable<Uint8Array>): Promise<Digests> {
  const digests = new FileDigest();
  for await (const piece of pieces) digests.update(piece);
  return digests.finish();
}

/** The SHA-256 of bytes in memory, in lower-case hex. */
export function sha256Hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Below this size, hashing in another thread takes longer than hashing here. */
const ASIDE_BYTES = 65_536;

/** The SHA-256 in hex, computed in another thread for a large block. The caller must not change the bytes meanwhile. */
export async function sha256Aside(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (bytes.length < ASIDE_BYTES) return sha256Hex(bytes);
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
}
