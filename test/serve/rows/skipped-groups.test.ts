/** A view reads only the row groups whose least and greatest values may fit its filters. */
import { describe, expect, it } from 'vitest';
import { groupsOf } from '../../../src/snapshot/read/initiative-rows.ts';
import { filterRows } from '../../../src/serve/rows/filter-rows.ts';
import { readRowQuery } from '../../../src/serve/rows/row-query.ts';
import type { FieldValue, TableRows } from '../../../src/snapshot/read/rows.ts';
import { costs } from '../../../src/tables/costs.ts';

/** Three groups of two rows each, and a group of empty values. */
const IDS = [
  [1n, 4n],
  [4n, 8n],
  [9n, null],
  [null, null],
] as const;
const known = (values: readonly (bigint | null)[]) => values.filter((value) => value !== null);

/** Rows of `costs`; every column has these values. Notes which groups are read. */
function grouped(): { readonly rows: TableRows; readonly read: number[] } {
  const read: number[] = [];
  const groups = IDS.map((values, index) => ({
    first: 2 * index,
    rows: 2,
    least: () => known(values)[0] ?? null,
    greatest: () => known(values).at(-1) ?? null,
  }));
  const rows: TableRows = {
    count: 8,
    columns: costs.columns,
    groups,
    turn: async () => undefined,
    async *read(names, { from = 0, to = 8 } = {}) {
      for (const [index, values] of IDS.entries()) {
        if (2 * index < from || 2 * index >= to) continue;
        read.push(index);
        const own: readonly FieldValue[] = values;
        yield { first: 2 * index, rows: 2, columns: names.map(() => own) };
      }
    },
  };
  return { rows, read };
}

describe('a view of four row groups with ids 1 and 4; 4 and 8; 9 and none; none', () => {
  it.each([
    ['vendor_id=4', [0, 1, 3], [1, 2]],
    ['vendor_id=1', [0, 3], [0]],
    ['vendor_id=8', [1, 3], [3]],
    ['vendor_id=9', [2, 3], [4]],
    ['vendor_id=3', [0, 3], []],
    ['vendor_id=10', [3], []],
    ['vendor_id=', [0, 1, 2, 3], [5, 6, 7]],
    ['vendor_id=1&vendor_id=9', [0, 2, 3], [0, 4]],
    ['vendor_id_from=8', [1, 2, 3], [3, 4]],
    ['vendor_id_through=4', [0, 1, 3], [0, 1, 2]],
    ['vendor_id_from=5&vendor_id_through=8', [1, 3], [3]],
  ])('filtered by %s reads the groups %j', async (address, groups, found) => {
    const { rows, read } = grouped();
    const query = readRowQuery(new URLSearchParams(address), costs, costs.columns);
    const { index } = await filterRows(rows, query, {
      table: 'costs',
      columns: [],
      facets: [],
      amount: null,
    });
    expect(read).toEqual(groups);
    expect([...(index ?? [])]).toEqual(found);
  });
});

describe('the row groups of some initiatives', () => {
  it.each([
    ['none', [], []],
    ['1', [1n], [0, 3]],
    ['4', [4n], [0, 1, 3]],
    ['8', [8n], [1, 3]],
    ['1 and 9', [1n, 9n], [0, 2, 3]],
    ['10', [10n], [3]],
  ])('%s are those whose bounds hold one of them, and those without bounds', (_, ids, expected) => {
    const { rows } = grouped();
    expect(groupsOf(rows, ids).map(({ first }) => first / 2)).toEqual(expected);
  });
});
