import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readNdjson } from '../../../src/ledger/sources/ndjson.ts';

const LIMIT = 20;

/** The lines of all rows that these pieces of a file give, the header first. */
async function linesOf(...pieces: readonly string[]): Promise<readonly number[]> {
  const lines: number[] = [];
  const source = Readable.from(pieces.map((piece) => Buffer.from(piece)));
  for await (const rows of readNdjson(source, null, LIMIT)) lines.push(...rows.map(({ line }) => line));
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

it('a letter of ndjson whose bytes stand in two pieces of the file is read as the same letter', async () => {
  const bytes = Buffer.from('{"name":"Kühlung"}\n{"name":"Öl"}\n');
  const names: (string | null)[] = [];
  // Each piece has a single byte.
  const source = Readable.from([...bytes].map((byte) => Buffer.from([byte])));
  for await (const rows of readNdjson(source)) names.push(...rows.map(({ cells }) => cells[0] ?? null));
  expect(names).toEqual(['name', 'Kühlung', 'Öl']);
});

it('the last line of ndjson counts without its end, whole or in pieces', async () => {
  expect(await linesOf('{"id":1}\n{"id":2}')).toEqual([1, 1, 2]);
  expect(await linesOf('{"id":1}\n{"i', 'd":2}')).toEqual([1, 1, 2]);
  expect(await linesOf('{"id":1}')).toEqual([1, 1]);
});

it('the lines of ndjson count blank lines, before the first object and behind it', async () => {
  expect(await linesOf('{"id":1}\n\n \n{"id":2}\n')).toEqual([1, 1, 2, 3, 4]);
  // The header, and the object on the third line.
  expect(await linesOf('\n\n{"id":1}\n')).toEqual([1, 3]);
});

it('a number of ndjson in any form keeps the digits of its file, like a text of the same digits', async () => {
  const forms = (
    '0 -0 -0.0 0.0 7 -7 100 1.50 -12.5 12.00 0.1 0.10 0.000001 0.0000012 1e5 1E5 -1.5e-7 1e21 123456789012345 1234567890123456 ' +
    '9007199254740993 12345678901234.56 0.12345678901234567 123456789012345678901234567890.10'
  ).split(' ');
  const pieces = forms.flatMap((form) =>
    [
      `{"a":${form},"b":"${form}"}`,
      `{"a" : ${form} , "b": "x:${form},"}`,
      `{"b":[${form}],"a":\t${form}}`,
    ].map((line) => `${line}\n`),
  );
  const source = Readable.from(pieces.map((piece) => Buffer.from(piece)));
  const [, ...rows] = (await Array.fromAsync(readNdjson(source))).flat();
  expect(rows.map(({ cells, numbers }) => [...cells, ...(numbers ?? [])])).toEqual(
    forms.flatMap((form) => [
      [form, form, 0],
      [form, `x:${form},`, 0],
      [form, `[${form}]`, 0],
    ]),
  );
});

it('a field of ndjson may have the name of a property that every object has', async () => {
  const line = '{"toString":"a","__proto__":"b","constructor":1}\n{"__proto__":null}\n';
  const rows = (await Array.fromAsync(readNdjson(Readable.from([Buffer.from(line)])))).flat();
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['toString', '__proto__', 'constructor'],
    ['a', 'b', '1'],
    [null, null, null],
  ]);
});
