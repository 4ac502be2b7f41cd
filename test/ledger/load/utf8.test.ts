import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { watchUtf8 } from '../../../src/ledger/load/utf8.ts';

/** The malformed lines of a text cut into chunks of `size` bytes. */
async function malformedLines(bytes: Buffer, size: number): Promise<readonly number[]> {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  const malformed = new Set<number>();
  await text(Readable.from(chunks).pipe(watchUtf8(malformed)));
  return [...malformed];
}

describe('watchUtf8', () => {
  it('names the lines that are malformed, wherever the chunks are cut', async () => {
    // Lines 2, 4 and 6: a lone continuation, a sequence cut by the line's end, one cut by the file's.
    const bytes = Buffer.concat([
      Buffer.from('é€\u{1F600}\n'),
      Buffer.from([0x61, 0x80, 0x0a]),
      Buffer.from('é\n'),
      Buffer.from([0xe2, 0x82, 0x0a]),
      Buffer.from('plain\n'),
      Buffer.from([0xf0, 0x9f, 0x98]),
    ]);
    for (const size of [1, 2, 3, 4, 5, 7, 100]) {
      expect(await malformedLines(bytes, size), `chunks of ${size}`).toEqual([2, 4, 6]);
    }
  });

  it('takes any text in UTF-8, cut anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), async (any, size) => {
        expect(await malformedLines(Buffer.from(any), size)).toEqual([]);
      }),
      { seed: 11, numRuns: 300 },
    );
  });
});
