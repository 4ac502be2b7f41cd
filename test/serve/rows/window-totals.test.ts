/** Totals of windows, read from rows in the order of a file: initiatives by their ids, the portfolio last. */
import { expect, it } from 'vitest';
import { readInitiative, readTotals } from '../../../src/serve/rows/window-totals.ts';
import type { RowsOf } from '../../../src/snapshot/read/rows.ts';
import type { Reporting } from '../../../src/tables/all.ts';
import { reported_totals } from '../../../src/tables/reported_totals.ts';
import { rowsOf } from '../given-snapshots.ts';

type Rows = RowsOf<Reporting['reported_totals']>;

function totalsOf(initiative_id: bigint | null, window_key: string, cost_cents: bigint) {
  return {
    initiative_id,
    window_key,
    window_label: window_key,
    window_kind: window_key === 'all' ? 'all_time' : 'fiscal_year',
    from_date: window_key === 'all' ? null : '2026-01-01',
    through_date: '2026-12-31',
    window_complete: false,
    cost_cents,
    cash_value_cents: 0n,
    net_value_cents: -cost_cents,
    freed_capacity_cents: 0n,
  };
}

/** A file of these rows, in row groups of so many. */
function fileOf(all: readonly ReturnType<typeof totalsOf>[], group_rows?: number): Rows {
  return rowsOf(reported_totals, all, group_rows) as Rows; // the rows are of the table
}

it('the last initiative has its totals, also where it has all time alone', async () => {
  const rows = fileOf([
    totalsOf(101n, 'all', 700n),
    totalsOf(101n, 'fy2026', 500n),
    totalsOf(102n, 'all', 900n),
    totalsOf(null, 'all', 1_600n),
    totalsOf(null, 'fy2026', 500n),
  ]);
  const { portfolio, initiatives } = await readTotals(rows, ['all', 'fy2026']);
  const costs = [101n, 102n].map((id) => ['all', 'fy2026'].map((key) => initiatives.get(id, key)?.cost));
  expect(costs).toEqual([
    [700n, 500n],
    [900n, undefined],
  ]);
  expect([...portfolio].map(([key, { cost }]) => [key, cost])).toEqual([
    ['all', 1_600n],
    ['fy2026', 500n],
  ]);
});

/** All time of an initiative, or of the portfolio for null, that ends on this day. */
function through(id: bigint | null, through_date: string) {
  return { ...totalsOf(id, 'all', 100n), through_date };
}

it('all time ends for each initiative on its own last day, and for the portfolio on the last of all', async () => {
  const rows = fileOf([
    through(101n, '2026-03-31'),
    through(102n, '2026-05-31'),
    through(null, '2026-05-31'),
  ]);
  const { portfolio, initiatives } = await readTotals(rows, ['all']);
  const ends = [101n, 102n].map((id) => initiatives.get(id, 'all')?.through_date);
  expect([...ends, portfolio.get('all')?.through_date]).toEqual(['2026-03-31', '2026-05-31', '2026-05-31']);
  expect((await readInitiative(rows, 101n)).get('all')?.through_date).toBe('2026-03-31');
});

it('an initiative whose windows lie in two row groups has those of both', async () => {
  const rows = fileOf(
    [
      totalsOf(101n, 'all', 700n),
      totalsOf(102n, 'all', 900n),
      totalsOf(102n, 'fy2026', 800n),
      totalsOf(102n, 'fy2027', 100n),
      totalsOf(103n, 'all', 50n),
      totalsOf(null, 'all', 1_650n),
    ],
    2,
  );
  const costsOf = async (id: bigint) =>
    Array.from(await readInitiative(rows, id), ([key, { cost }]) => [key, cost]);
  expect(await costsOf(102n)).toEqual([
    ['all', 900n],
    ['fy2026', 800n],
    ['fy2027', 100n],
  ]);
  expect(await costsOf(103n)).toEqual([['all', 50n]]);
  expect(await costsOf(104n)).toEqual([]);
});
