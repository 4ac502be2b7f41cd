/** Every month of a real snapshot, held against DuckDB over its files and against reported_totals. */
import { beforeAll, expect, it } from 'vitest';
import type { MonthSeries } from '../../../src/figures/month-series.ts';
import { createRowLimit } from '../../../src/serve/limits/row-limit.ts';
import { createMonths } from '../../../src/serve/money/months.ts';
import type { SnapshotReader } from '../../../src/snapshot/read/snapshot-reader.ts';
import { askDuckDb } from '../../parquet/read-back.ts';
import { firstSnapshot } from '../../fixtures/first-snapshot.ts';
import { readAll } from '../../store/contract.ts';
import { EARLIER, LATEST } from '../fake-parts.ts';
import { GivenSnapshots } from '../given-snapshots.ts';

const ACCOUNT = 1n;

let reader: SnapshotReader;
let id = '';
beforeAll(async () => {
  ({ id, reader } = await firstSnapshot());
});

/** Sums by initiative and month: the DuckDB of the same question. */
async function asked(table: string, where: string): Promise<ReadonlyMap<string, bigint>> {
  const bytes = await readAll(await reader.openTable(ACCOUNT, id, table));
  const rows = await askDuckDb(
    bytes,
    `select coalesce(initiative_id::varchar, 'all') || ' ' || coalesce(strftime(period_month, '%Y-%m-%d'), 'none') as place,
       sum(usd_amount_cents)::bigint as cents
     from file where ${where} and usd_amount_cents is not null
     group by grouping sets ((initiative_id, period_month), (period_month)) having sum(usd_amount_cents) <> 0`,
  );
  const sums = rows as { place: string; cents: bigint }[]; // as the query selects them
  return new Map(sums.map(({ place, cents }) => [place, cents]));
}

/** The sums of a series that are not zero, by the same keys. */
function sumsOf(of: string, { months, undated }: MonthSeries, figure: 'cost_cents' | 'cash_value_cents') {
  return [...months, { ...undated, month: 'none' }].flatMap((each): [string, bigint][] =>
    each[figure] === 0n ? [] : [[`${of} ${each.month}`, each[figure]]],
  );
}

it('hold the cost and the cash value of each initiative and month, as DuckDB adds them up from the files', async () => {
  const snapshot = await reader.pinned(ACCOUNT, id);
  if (snapshot === null) throw new Error('the snapshot is published');
  const fold = await createMonths(reader, createRowLimit())(ACCOUNT, snapshot);
  const span = { first: '2015-01-01', last: '2030-12-01' };
  const initiatives = await askDuckDb(
    await readAll(await reader.openTable(ACCOUNT, id, 'initiatives')),
    'select initiative_id from file',
  );
  const ids = (initiatives as { initiative_id: bigint }[]).map(({ initiative_id }) => initiative_id); // a bigint column
  const own = await fold.initiatives(ids, span);
  const series: readonly (readonly [string, MonthSeries])[] = [
    ['all', fold.portfolio(span)],
    ...ids.map((each) => [String(each), own(each)] as const),
  ];
  for (const [table, figure, where] of [
    ['costs', 'cost_cents', 'true'],
    ['reported_value', 'cash_value_cents', "entry_type <> 'capacity'"],
  ] as const) {
    const found = new Map(series.flatMap(([of, each]) => sumsOf(of, each, figure)));
    const expected = await asked(table, where);
    expect(found.size).toBeGreaterThan(20);
    expect(found).toEqual(expected);
  }
});

it('all months together are the cost and the cash value of all time in reported_totals', async () => {
  const snapshot = await reader.pinned(ACCOUNT, id);
  if (snapshot === null) throw new Error('the snapshot is published');
  const fold = await createMonths(reader, createRowLimit())(ACCOUNT, snapshot);
  const span = fold.span('2026-07-15');
  if (span === null) throw new Error('the fixture has dated entries');
  const { months, earlier, later, undated } = fold.portfolio(span);
  const [total] = await askDuckDb(
    await readAll(await reader.openTable(ACCOUNT, id, 'reported_totals')),
    "select cost_cents, cash_value_cents from file where scope = 'portfolio' and window_key = 'all'",
  );
  const sum = (figure: 'cost_cents' | 'cash_value_cents') =>
    [...months, earlier, later, undated].reduce<bigint>((all, each) => all + each[figure], 0n);
  expect({ cost_cents: sum('cost_cents'), cash_value_cents: sum('cash_value_cents') }).toEqual(total);
});

/** A stored sum of May 2026. */
const stored = (initiative_id: bigint | null, opex_cents: bigint) => ({
  initiative_id,
  month: '2026-05-01',
  from_day: '2026-05-01',
  through_day: '2026-05-31',
  opex_cents,
});

const costIn = ({ months: [month] }: MonthSeries) => month?.cost_cents;

it('the months of a snapshot are its own, also after those of another and of other initiatives', async () => {
  const of: Readonly<Record<string, readonly [bigint, bigint, bigint]>> = {
    [EARLIER]: [100n, 20n, 3n],
    [LATEST]: [700n, 80n, 9n],
  };
  // Each row is a row group, so that the initiatives lie in different ones.
  const snapshots = new GivenSnapshots((_, snapshot_id) => {
    const costs = of[snapshot_id] ?? [0n, 0n, 0n];
    const sum = costs.reduce((all, each) => all + each);
    return {
      month_sums: [stored(null, sum), ...costs.map((each, index) => stored(BigInt(101 + index), each))],
    };
  }, 1);
  const months = createMonths(snapshots, createRowLimit());
  const may = { first: '2026-05-01', last: '2026-05-01' };
  for (const [named, ids] of [
    [EARLIER, [101n]],
    [LATEST, [101n]],
    [LATEST, [101n, 102n, 103n]],
    [EARLIER, [103n, 102n]],
  ] as const) {
    const snapshot = await snapshots.pinned(7n, named);
    if (snapshot === null) throw new Error('the snapshot is published');
    const fold = await months(7n, snapshot);
    const own = await fold.initiatives(ids, may);
    const costs = of[named] ?? [];
    expect([named, costIn(fold.portfolio(may))]).toEqual([
      named,
      costs.reduce((all, each) => all + each, 0n),
    ]);
    expect([named, ...ids.map((each) => costIn(own(each)))]).toEqual([
      named,
      ...ids.map((each) => costs[Number(each) - 101]),
    ]);
  }
});

it('a month that the sums split at a day counts once, as the whole month says, and an amount without a month stands apart', async () => {
  const part = (from_day: string, through_day: string, opex_cents: bigint) => ({
    ...stored(null, opex_cents),
    from_day,
    through_day,
  });
  const month_sums = [
    part('2026-05-01', '2026-05-15', 300n),
    part('2026-05-01', '2026-05-31', 700n),
    part('2026-05-16', '2026-05-31', 400n),
    { ...stored(null, 50n), month: null, from_day: null, through_day: null },
  ];
  const snapshots = new GivenSnapshots(() => ({ month_sums }));
  const snapshot = await snapshots.pinned(7n, LATEST);
  if (snapshot === null) throw new Error('the snapshot is published');
  const fold = await createMonths(snapshots, createRowLimit())(7n, snapshot);
  const { months, undated } = fold.portfolio({ first: '2026-05-01', last: '2026-05-01' });
  expect(months.map(({ cost_cents }) => cost_cents)).toEqual([700n]); // 300 + 400 are the same entries
  expect(undated.cost_cents).toBe(50n);
});
