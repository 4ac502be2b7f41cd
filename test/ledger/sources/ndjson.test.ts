import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readNdjson } from '../../../src/ledger/sources/ndjson.ts';

const LIMIT = 20;

/** The lines of all rows that these pieces of a file give, the header first. */
async function linesOf(...pieces: readonly string[]): Promise<readonly number[]> {
  const lines: number[] = [];
  const source = Readable.from(pieces.map((piece) => Buffer.from(piece)));
  for await (const { line } of readNdjson(source, null, LIMIT)) lines.push(line);
  return lines;
}

// The third line has 21 characters: 6 before the digits, 14 digits and the bracket, or 15 digits and no bracket.
it.each([
  ['within one piece of the file', ['{"id":1}\n\n{"id":12345678901234}\n']],
  ['over two pieces', ['{"id":1}\n\n{"id":1234567', '8901234}\n']],
  ['without its end', ['{"id":1}\n', '\n{"id":123456789012345']],
])('an ndjson line that is too long is refused with its number: %s', async (_, pieces) => {
  await expect(linesOf(...pieces)).rejects.toMatchObject({
    line: 3,
    message: `lines of at most ${LIMIT} characters`,
  });
});

it('an ndjson line of exactly the longest length is read, whole or in pieces', async () => {
  // {"id":1234567890123} has 6 + 13 + 1 = 20 characters.
  expect(await linesOf('{"id":1}\n{"id":1234567890123}\n')).toEqual([1, 1, 2]);
  expect(await linesOf('{"id":1}\n{"id":123', '4567890123}', '\n')).toEqual([1, 1, 2]);
});
