import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { FileDigest, type Digests } from '../../src/parquet/digest.ts';

const BLOCK = 1_048_576;

function digestOf(pieces: Iterable<Uint8Array>): Digests {
  const digest = new FileDigest();
  for (const piece of pieces) digest.update(piece);
  return digest.finish();
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

it('an empty file has no block and the digest of nothing', () => {
  // SHA-256 of the empty message, as FIPS 180-4 gives it.
  const sha = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  expect(digestOf([])).toEqual({ size_bytes: 0, sha256: sha, blocks: new Uint8Array(0) });
});

it.each([1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 3 * BLOCK + 5])(
  'the digests are of each 1 MiB of %i bytes, in pieces of any size',
  (size) => {
    const bytes = Buffer.alloc(size, 'crossfoot');
    const blocks: string[] = [];
    for (let at = 0; at < size; at += BLOCK) blocks.push(sha256(bytes.subarray(at, at + BLOCK)));
    const expected = { size_bytes: size, sha256: sha256(bytes), blocks: blocks.join('') };
    fc.assert(
      fc.property(fc.integer({ min: 50_000, max: 2 * BLOCK }), (piece) => {
        const pieces: Uint8Array[] = [];
        for (let at = 0; at < size; at += piece) pieces.push(bytes.subarray(at, at + piece));
        const { blocks: found, ...rest } = digestOf(pieces);
        expect({ ...rest, blocks: Buffer.from(found).toString('hex') }).toEqual(expected);
      }),
      { numRuns: 10, endOnFailure: true },
    );
  },
);
