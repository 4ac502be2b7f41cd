/** Cells of CSV files, as they are written and as they are read. */
import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../../src/ledger/sources/csv.ts';

type Cell = string | null;

/** Null has no quotes, an empty text has them, and any other text may have them. */
const written = (cell: Cell, quoted: boolean): string => {
  if (cell === null) return '';
  return cell === '' || quoted || /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
};

async function read(text: string): Promise<readonly (readonly Cell[])[]> {
  const rows = await Array.fromAsync(readCsv(Readable.from([Buffer.from(text)])));
  return rows.flat().map(({ cells }) => cells);
}

describe('a cell of a CSV file', () => {
  it('is null without quotes and an empty text with them, also beside each other', async () => {
    expect(await read('a,b,c\n,"",x\n"",,""""\n,,\n')).toEqual([
      ['a', 'b', 'c'],
      [null, '', 'x'],
      ['', null, '"'],
      [null, null, null],
    ]);
    expect(await read('\uFEFFa,,""\r\n1,,2\r\n')).toEqual([
      ['a', null, ''],
      ['1', null, '2'],
    ]);
  });

  it('is separated by the separator of the header, with any text in quoted names', async () => {
    expect(await read('"a;b;c",d\n1,"2;3"\n')).toEqual([
      ['a;b;c', 'd'],
      ['1', '2;3'],
    ]);
    expect(await read('"a,b,c";d\n1;"2,3"\n')).toEqual([
      ['a,b,c', 'd'],
      ['1', '2,3'],
    ]);
  });

  it('is read as it was written, in any row', async () => {
    const cell = fc.option(fc.string({ unit: fc.constantFrom('"', ',', '\n', 'a', ' ', 'é'), maxLength: 5 }));
    const row = fc.array(fc.tuple(cell, fc.boolean()), { minLength: 3, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 6 }), async (rows) => {
        const lines = [
          'a,b,c',
          ...rows.map((cells) => cells.map(([text, quoted]) => written(text, quoted)).join(',')),
        ];
        const expected = rows.map((cells) => cells.map(([text]) => text));
        expect((await read(`${lines.join('\n')}\n`)).slice(1)).toEqual(expected);
      }),
    );
  });
});
