/** Rows and cells of CSV: as another parser reads them, in pieces of any size, and where a row is broken. */
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readCsv } from '../../../src/ledger/sources/csv.ts';
import { CsvBroken, type CsvRow } from '../../../src/ledger/staging/row.ts';

interface Outcome {
  readonly rows: readonly CsvRow[];
  readonly broken: readonly [line: number | null, column: string | null, reason: string] | null;
}

/** What is read of a text in pieces of so many bytes. */
async function read(text: string, size: number, max_row_bytes?: number): Promise<Outcome> {
  const bytes = Buffer.from(text);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const rows: CsvRow[] = [];
  try {
    for await (const some of readCsv(pieces(), null, max_row_bytes)) rows.push(...some);
    return { rows, broken: null };
  } catch (error) {
    if (!(error instanceof CsvBroken)) throw error;
    return { rows, broken: [error.line, error.column, error.message] };
  }
}

const SIZES = [1, 2, 3, 7, 1_000];

const BROKEN = [
  ['h,i\n1,"2\n3,4\n', 2, 'i', 'a closing quote before the end of the file'],
  ['h,i\n"1\n2",3\n4,5"\n6,7\n', 4, 'i', 'a quote only at the beginning of a cell'],
  ['h,i\n1"2,3\n"4,5\n', 2, 'h', 'a quote only at the beginning of a cell'],
  ['h,i\n"1"2,3\n', 2, 'h', 'a comma or the end of the row after a closing quote'],
  ['h,i\r\n"1" ,3\r\n', 2, 'h', 'a comma or the end of the row after a closing quote'],
  ['h,i\n"1"\r,3\n', 2, 'h', 'a comma or the end of the row after a closing quote'],
  ['h,i\n1,2\n3\r4,5\n', 3, null, 'lines that end with a line feed'],
  ['h,i\n"1",2\n"3",4\r', 3, null, 'lines that end with a line feed'],
] as const;

it.each(BROKEN)('the broken row of %j is named by its line %s and its column %s', async (text, ...found) => {
  for (const size of SIZES) {
    const { broken } = await read(text, size);
    expect(broken, `in pieces of ${size}`).toEqual([found[0], found[1], expect.stringContaining(found[2])]);
  }
});

it('the rows before a broken one are given', async () => {
  const { rows, broken } = await read('h,i\n1,2\n3,"4"5\n6,7\n', 1_000);
  expect(rows.map(({ line, cells }) => [line, ...cells])).toEqual([
    [1, 'h', 'i'],
    [2, '1', '2'],
  ]);
  expect(broken?.[0]).toBe(3);
});

it('a row longer than the limit is refused with its line, after an earlier fault in the row', async () => {
  // The limit is 8 bytes: the row of 8 is read, and that of 9 is not.
  for (const size of SIZES) {
    expect(await read('h,i\n12,45678\n', size, 8), `in pieces of ${size}`).toMatchObject({ broken: null });
    for (const row of ['12,456789\n', '12,456789', '"2,456789\n', '"2,456789"\n'])
      expect((await read(`h,i\n${row}`, size, 8)).broken, `${row} in pieces of ${size}`).toEqual([
        2,
        expect.any(String),
        expect.stringContaining('a row of at most'),
      ]);
    expect((await read('h,i\n1"2,456789\n', size, 8)).broken?.[2]).toContain('a quote only at the beginning');
  }
});

it('a row tells whether its text is whole', async () => {
  const { rows } = await read('h,i\na,b\n\0,c\n"d",\uFFFD\n"\0",e\né,f\n', 1_000);
  expect(rows.map(({ isWhole }) => isWhole)).toEqual([true, true, false, false, false, true]);
});

const BITS = ['"', '""', ',', ';', '\n', '\r\n', '\r', 'a', 'bc', ' ', 'é', '€', '\u{1F4B6}'];

/** A text of rows that are written right, or of bits in any order. */
const TEXTS = fc.oneof(
  fc.array(fc.constantFrom(...BITS), { maxLength: 14 }).map((bits) => bits.join('')),
  fc
    .array(fc.array(fc.array(fc.constantFrom(...BITS), { maxLength: 4 }), { minLength: 1, maxLength: 4 }), {
      maxLength: 4,
    })
    .map((rows) =>
      rows
        .map((cells) => cells.map((bits) => `"${bits.join('').replaceAll('"', '""')}"`).join(','))
        .join('\r\n'),
    ),
);

/** The cells as another parser reads them; null for a text that it refuses. */
function otherwise(text: string): readonly unknown[] | null {
  try {
    return parse(text, {
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      cast: (cell, { quoting }) => {
        if (!quoting && cell.includes('\r')) throw new TypeError('a return alone');
        return cell === '' && !quoting ? null : cell;
      },
    });
  } catch {
    return null;
  }
}

it('rows are read, or refused, as another parser does', async () => {
  await fc.assert(
    fc.asyncProperty(TEXTS, fc.constantFrom(...SIZES), async (text, size) => {
      const { rows, broken } = await read(`h,i,j\n${text}`, size);
      const cells = broken === null ? rows.map((row) => row.cells) : null;
      expect(cells).toEqual(otherwise(`h,i,j\n${text}`));
      if (cells === null) return;
      // Each row begins behind the line ends of those before it.
      const ends = rows.map((row) => row.cells.join('').split('\n').length);
      expect(rows.map(({ line }) => line)).toEqual(
        ends.map((_, index) => 1 + ends.slice(0, index).reduce((sum, count) => sum + count, 0)),
      );
    }),
    { numRuns: 500 },
  );
});
