/** The rows of a view are those of its own file, page and columns, wherever they stand in the file. */
import { expect, it } from 'vitest';
import { createCachedRows } from '../../../src/serve/rows/cached-rows.ts';
import { filterRows, pageRows } from '../../../src/serve/rows/filter-rows.ts';
import { readRowQuery } from '../../../src/serve/rows/row-query.ts';
import { costs } from '../../../src/tables/costs.ts';
import { rowsOf } from '../given-snapshots.ts';

const rowLimit = { run: async <Result>(_: bigint, __: number, work: () => Promise<Result>) => await work() };

/** The rows of a file whose ids begin here. */
const ids = (first: bigint) =>
  Array.from({ length: 60 }, (_, index) => ({
    cost_entry_id: first + BigInt(index),
    // Of the two files, other rows belong to initiative 1.
    initiative_id: BigInt((index + (first === 100n ? 0 : 1)) % 2),
  }));

it('a view of one file is not shown for the same view of another, nor a page or columns for others', async () => {
  const cached = createCachedRows(rowLimit);
  const shownBy = async (sha256: string, first: bigint, address: string, name = 'cost_entry_id') => {
    const rows = rowsOf(costs, ids(first));
    const query = readRowQuery(new URLSearchParams(address), costs, costs.columns);
    const view = { table: costs, rows, sha256, query };
    const found = await cached.filtered(1n, view);
    const read = costs.columns.filter((column) => column.name === name);
    const page = await cached.page(1n, view, found, read);
    return [found.count, page.length, page[0]?.[0]];
  };
  for (const time of [1, 2]) {
    const shown = [
      await shownBy('a', 100n, ''),
      await shownBy('b', 900n, ''),
      await shownBy('b', 900n, 'page=2'),
      await shownBy('b', 900n, '', 'initiative_id'),
      await shownBy('a', 100n, 'initiative_id=1'),
      await shownBy('b', 900n, 'initiative_id=1'),
      await shownBy('b', 900n, 'initiative_id=1&cost_entry_id_from=905'),
    ];
    expect([time, ...shown]).toEqual([
      time,
      [60, 50, 100n],
      [60, 50, 900n],
      [60, 10, 950n],
      [60, 50, 1n],
      [30, 30, 101n],
      [30, 30, 900n],
      [27, 27, 906n],
    ]);
  }
});

const VENDORS = ['Open Sky', 'OpenAI', 'Aider', 'openai gmbh', null];

it.each([
  ['vendor_name_contains=open', [0, 1, 3]],
  ['vendor_name_contains=AI', [1, 2, 3]],
  ['vendor_name_contains=open&vendor_name_contains=AI', [1, 3]],
  ['vendor_name_contains=AI&vendor_name_contains=sky', []],
  ['vendor_name_not=OpenAI', [0, 2, 3, 4]],
  ['vendor_name_not=OpenAI&vendor_name_not=', [0, 2, 3]],
  ['vendor_name_contains=ai&vendor_name_not=OpenAI', [2, 3]],
  ['vendor_name_from=Open&vendor_name_through=OpenAI', [0, 1]],
  ['vendor_name=Aider&vendor_name=', [2, 4]],
  ['vendor_name_contains=ai&cost_entry_id=1&cost_entry_id=4', [1]],
])('%s shows the rows that meet each of its conditions: %j', async (address, expected) => {
  const given = VENDORS.map((vendor_name, index) => ({ cost_entry_id: BigInt(index), vendor_name }));
  const query = readRowQuery(new URLSearchParams(address), costs, costs.columns);
  const of = { table: 'costs', columns: [], facets: [], amount: null };
  for (const group_rows of [5, 2]) {
    const { index, count } = await filterRows(rowsOf(costs, given, group_rows), query, of);
    expect([...(index ?? []), count]).toEqual([...expected, expected.length]);
  }
});

it('a page has its rows in the order of the view, however far from each other they stand in the file', async () => {
  const all = Array.from({ length: 60_000 }, (_, index) => ({ cost_entry_id: BigInt(index) }));
  const file = rowsOf(costs, all, 25_000);
  let reads = 0;
  const read: typeof file.read = (...asked) => {
    reads += 1;
    return file.read(...asked);
  };
  const rows = { ...file, read };
  const index = Uint32Array.of(59_999, 3, 20_482, 20_483, 20_484, 24_999, 25_000, 40_962, 0, 3);
  const page = await pageRows(rows, ['cost_entry_id'], { index, count: index.length }, [0, 50]);
  expect(page).toEqual([...index].map((row) => [BigInt(row)]));
  expect(reads).toBe(1);
  expect(await pageRows(rows, ['cost_entry_id'], { index, count: index.length }, [8, 9])).toEqual([[0n]]);
});
