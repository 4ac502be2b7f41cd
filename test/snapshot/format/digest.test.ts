import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BLOCK_BYTES, digest, sha256Aside } from '../../../src/snapshot/format/digest.ts';
import { contentOf } from '../../store/contract.ts';

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

test('the digests are of the whole and of each block of 1 MiB, for pieces of any size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: -1, max: 1 }),
      fc.integer({ min: 100_000, max: 2_500_000 }),
      async (blocks, more, pieceBytes) => {
        const bytes = Buffer.alloc(Math.max(0, blocks * BLOCK_BYTES + more), 'any bytes');
        const expected = [];
        for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
          expected.push(sha256(bytes.subarray(at, at + BLOCK_BYTES)));
        }
        const found = await digest(contentOf(bytes, pieceBytes).open());
        expect(found.size_bytes).toBe(bytes.length);
        expect(found.sha256).toBe(sha256(bytes).toString('hex'));
        expect(Buffer.concat(expected).equals(found.blocks)).toBe(true);
      },
    ),
    { numRuns: 30, endOnFailure: true },
  );
});

// FIPS 180-4 gives these.
test.each([
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
])('the digest beside the thread is the one on it (%#)', async (text, expected) => {
  expect(await sha256Aside(Uint8Array.from(Buffer.from(text)))).toBe(expected);
});
