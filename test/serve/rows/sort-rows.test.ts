/** The order of a view's rows, and how much of it is worked out between two turns of other work. */
import { describe, expect, it } from 'vitest';
import { filterRows } from '../../../src/serve/rows/filter-rows.ts';
import { readRowQuery } from '../../../src/serve/rows/row-query.ts';
import { sortedPlaces } from '../../../src/serve/rows/sort-rows.ts';
import type { FieldValue, TableRows } from '../../../src/snapshot/read/rows.ts';
import { costs } from '../../../src/tables/costs.ts';

const ROWS = 100_000;

async function noTurn(): Promise<void> {
  // Nothing else has to be done.
}

/** Numbers that repeat, in no order, and a missing one in every ten. */
function valuesOf(rows: number): FieldValue[] {
  return Array.from({ length: rows }, (_, row) => (row % 10 === 3 ? null : BigInt((row * 7_919) % 1_000)));
}

/** The places in order, by one sort of the whole. */
function byOneSort(values: readonly FieldValue[], descending: boolean): number[] {
  const rank = (index: number): number => {
    const value = values[index];
    if (value === null || value === undefined) return Infinity;
    return descending ? -Number(value) : Number(value);
  };
  return [...values.keys()].toSorted((a, b) => (rank(a) === rank(b) ? a - b : rank(a) - rank(b)));
}

describe('the rows of a view in the order of a column', () => {
  it('has missing values last in both directions, and equal values in the order of the file', async () => {
    const values = [5n, null, 3n, 5n, null, 4n];
    expect([...(await sortedPlaces(values, { descending: false }, noTurn))]).toEqual([2, 5, 0, 3, 1, 4]);
    expect([...(await sortedPlaces(values, { descending: true }, noTurn))]).toEqual([0, 3, 5, 2, 1, 4]);
  });

  it('is exact for amounts beyond 2^53, of which two would be one number', async () => {
    const most = 2n ** 53n;
    const values = [most + 1n, most, -most - 1n, null, -most, 7n];
    expect([...(await sortedPlaces(values, { descending: false }, noTurn))]).toEqual([2, 4, 5, 1, 0, 3]);
    expect([...(await sortedPlaces(values, { descending: true }, noTurn))]).toEqual([0, 1, 5, 4, 2, 3]);
  });

  it('has texts in the order of their code points, and equal texts in the order of the file', async () => {
    // U+1F600 is two surrogates, of which the first is a smaller number than U+FF5E.
    const values = ['b', '\u{1f600}', '\uff5e', 'b', 'a', null, 'B'];
    expect([...(await sortedPlaces(values, { descending: false }, noTurn))]).toEqual([6, 4, 0, 3, 2, 1, 5]);
    expect([...(await sortedPlaces(values, { descending: true }, noTurn))]).toEqual([1, 2, 0, 3, 4, 6, 5]);
  });

  it.each([0, 1, 2_047, 2_048, 2_049, 8_193, 24_577, ROWS])(
    'is the same as by one sort, of %i rows',
    async (rows) => {
      const values = valuesOf(rows);
      for (const descending of [false, true]) {
        const places = await sortedPlaces(values, { descending }, noTurn);
        expect([...places]).toEqual(byOneSort(values, descending));
      }
    },
  );

  it.each([
    ['one digit', [2047n, 0n, 2046n, 1n, null]],
    ['the least number of two digits', [2047n, 2048n, 0n, 2049n, null]],
    ['digits that are equal but for the first', [3n * 2n ** 44n, 2n ** 44n, null, 2n * 2n ** 44n]],
    ['negative amounts', [-1n, -4_196_352n, 4_196_352n, 0n, null, -2_048n]],
    ['the widest exact range', [2n ** 52n - 2n, null, -(2n ** 52n), 0n]],
    ['a range that is one too wide', [2n ** 52n, null, -(2n ** 52n), 2n ** 52n - 1n]],
    ['no value at all', [null, null, null]],
  ] as const)('is right for ids and amounts with %s', async (_, values) => {
    for (const descending of [false, true]) {
      const places = await sortedPlaces(values, { descending }, noTurn);
      expect([...places]).toEqual(byOneSort(values, descending));
    }
  });

  it.each([
    // 100,000 texts are 49 runs of 2,048. Merging them takes six passes, to 4,096, 8,192 and so on to 131,072 rows. Each pass
    // has 48 whole steps: 48 × 2,048 = 98,304. The search for numbers ends in its two steps: 49 + 6 × 48 + 2 = 339.
    ['2,048 texts that are sorted or merged', 'vendor_name', 339],
    // 100,000 numbers are two steps of 65,536. They are read, ranked from 0 to 1,000, and counted and moved by that one digit.
    ['65,536 amounts that are read or moved', 'usd_amount_cents', 8],
  ] as const)('lets other work run after every %s, and after a piece is read', async (_, name, sorting) => {
    let turns = 0;
    const numbers = valuesOf(ROWS);
    const texts = numbers.map((value) => (value === null ? null : String(value).padStart(4, '0')));
    const column = costs.columns.filter((each) => each.name === name);
    const rows: TableRows = {
      count: ROWS,
      columns: column,
      groups: [],
      turn: async () => {
        turns += 1;
      },
      async *read() {
        yield { first: 0, rows: ROWS, columns: [name === 'vendor_name' ? texts : numbers] };
      },
    };
    const query = readRowQuery(new URLSearchParams(`sort=${name}`), costs, column);
    const found = await filterRows(rows, query, { table: 'costs', columns: [], facets: [], amount: null });
    expect(turns).toBe(sorting + 1);
    expect([...(found.index ?? [])]).toEqual(byOneSort(numbers, false));
  });
});
