/** Totals of chosen rows: exact, and none where amounts do not belong together. */
import { describe, expect, it } from 'vitest';
import { openRowSums } from '../../src/figures/row-totals.ts';
import { TABLES } from '../../src/tables/all.ts';

const COSTS = ['amount_cents', 'currency', 'usd_amount_cents', 'vendor_name'];

const BY_VENDOR = { table: 'costs', columns: COSTS, facets: ['vendor_name'], amount: 'usd_amount_cents' };

/** The sums of rows of `costs`. */
function costs(rows: readonly (readonly [bigint, string, bigint | null, string | null])[]) {
  const sums = openRowSums(BY_VENDOR);
  const columns = sums.needs.map((name) => rows.map((row) => row[COSTS.indexOf(name)] ?? null));
  // In two pieces, as a file gives them.
  sums.add(
    columns,
    rows.flatMap((_, index) => (index % 2 === 0 ? [index] : [])),
  );
  sums.add(
    columns,
    rows.flatMap((_, index) => (index % 2 === 0 ? [] : [index])),
  );
  return sums;
}

describe('totals of chosen rows', () => {
  it('add dollars of all rows to the last cent, and count rows without an amount', () => {
    const sums = costs([
      [9_007_199_254_740_993n, 'USD', 9_007_199_254_740_993n, null],
      [500n, 'EUR', null, null],
      [-2n, 'USD', -2n, null],
    ]);
    expect(sums.totals()).toEqual([
      { column: 'amount_cents', cents: null, empty: 0, differs_in: 'currency', currency: null },
      {
        column: 'usd_amount_cents',
        cents: 9_007_199_254_740_991n,
        empty: 1,
        differs_in: null,
        currency: null,
      },
    ]);
  });

  it('add to the last cent more amounts than a number holds exactly, also for a value', () => {
    // 40,000 × (2^38 - 1) is above 2^53, and a sum of numbers would lose its last digits.
    const amount = 2n ** 38n - 1n;
    const rows = Array.from({ length: 40_000 }, () => [amount, 'USD', amount, 'OpenAI'] as const);
    const sums = openRowSums(BY_VENDOR);
    const columns = sums.needs.map((name) => rows.map((row) => row[COSTS.indexOf(name)] ?? null));
    sums.add(
      columns,
      rows.map((_, index) => index),
    );
    const cents = 10_995_116_277_720_000n;
    expect(sums.totals().map((total) => total.cents)).toEqual([cents, cents]);
    expect(sums.facets().get('vendor_name')).toEqual([{ value: 'OpenAI', rows: 40_000, cents }]);
  });

  it('add amounts of one currency, and give no total of no rows', () => {
    const [own] = costs([
      [700n, 'EUR', null, null],
      [50n, 'EUR', null, null],
    ]).totals();
    expect(own).toEqual({ column: 'amount_cents', cents: 750n, empty: 0, differs_in: null, currency: 'EUR' });
    expect(
      costs([])
        .totals()
        .map(({ cents }) => cents),
    ).toEqual([null, null]);
  });

  it('never add freed capacity to cash', () => {
    const columns = ['usd_amount_cents', 'entry_type'];
    const options = { table: 'reported_value', columns, facets: ['entry_type'], amount: 'usd_amount_cents' };
    const totalOf = (types: readonly string[]) => {
      const sums = openRowSums(options);
      const values = { usd_amount_cents: types.map(() => 5n), entry_type: types };
      sums.add(
        sums.needs.map((name) => (name === 'entry_type' ? values.entry_type : values.usd_amount_cents)),
        types.map((_, row) => row),
      );
      const facets = sums.facets().get('entry_type');
      return [sums.totals()[0]?.cents, sums.totals()[0]?.differs_in, facets?.[0]?.cents];
    };
    expect(totalOf(['cost_savings', 'capacity_realized'])).toEqual([10n, null, 5n]);
    expect(totalOf(['capacity', 'capacity'])).toEqual([10n, null, 10n]);
    expect(totalOf(['capacity', 'cost_savings'])).toEqual([null, 'entry_type', null]);
  });

  it('never add a window to its parts, or card charges to bills', () => {
    const totals = openRowSums({
      table: 'reported_totals',
      columns: ['scope', 'window_kind', 'cost_cents'],
      facets: [],
      amount: null,
    });
    const values: Record<string, readonly (string | bigint)[]> = {
      scope: ['portfolio', 'portfolio'],
      window_kind: ['fiscal_year', 'all_time'],
      cost_cents: [5n, 5n],
    };
    totals.add(
      totals.needs.map((name) => values[name] ?? []),
      [0, 1],
    );
    expect(totals.totals()).toEqual([
      { column: 'cost_cents', cents: null, empty: 0, differs_in: 'window_kind', currency: null },
    ]);
    const bills = openRowSums({
      table: 'ai_spend',
      columns: ['source_kind', 'billed_cents'],
      facets: [],
      amount: null,
    });
    const add = (kinds: readonly string[]) =>
      bills.add(
        bills.needs.map((name) => (name === 'source_kind' ? kinds : kinds.map(() => 3n))),
        kinds.map((_, row) => row),
      );
    add(['provider_bill', 'ai_vendor']);
    expect(bills.totals()[0]?.cents).toBe(6n);
    add(['card']);
    expect(bills.totals()[0]).toMatchObject({ cents: null, differs_in: 'source_kind' });
  });

  it('sum by value, the largest amount of either sign first', () => {
    const sums = costs([
      [1n, 'USD', 300n, 'Anthropic'],
      [1n, 'USD', -900n, 'OpenAI'],
      [1n, 'USD', 200n, 'Anthropic'],
      [1n, 'USD', null, null],
    ]);
    expect(sums.facets().get('vendor_name')).toEqual([
      { value: 'OpenAI', rows: 1, cents: -900n },
      { value: 'Anthropic', rows: 2, cents: 500n },
      { value: null, rows: 1, cents: null },
    ]);
  });

  it('count the rows of a value without amounts, and give zero for a sum of zero', () => {
    const sums = costs([
      [1n, 'USD', null, 'A'],
      [1n, 'USD', null, 'A'],
      [1n, 'USD', null, 'B'],
      [1n, 'USD', null, 'B'],
      [1n, 'USD', null, 'B'],
      [1n, 'USD', 5n, 'C'],
      [1n, 'USD', -5n, 'C'],
    ]);
    expect(sums.facets().get('vendor_name')).toEqual([
      { value: 'B', rows: 3, cents: null },
      { value: 'A', rows: 2, cents: null },
      { value: 'C', rows: 2, cents: 0n },
    ]);
    expect(sums.totals()[1]).toMatchObject({ cents: 0n, empty: 5 });
    expect(
      costs([[2n ** 38n, 'USD', -(2n ** 38n), 'A']])
        .totals()
        .map(({ cents }) => cents),
    ).toEqual([2n ** 38n, -(2n ** 38n)]);
  });

  it('are given by value up to two thousand values, and not for more', () => {
    const found = [2_000, 2_001].map((values) =>
      costs(Array.from({ length: values }, (_, index) => [1n, 'USD', 1n, String(index)]))
        .facets()
        .get('vendor_name'),
    );
    expect(found.map((sums) => sums?.length)).toEqual([2_000, 0]);
  });

  it('are not given of a file that lacks the column which amounts must have in common', () => {
    const options = {
      table: 'costs',
      columns: ['amount_cents', 'usd_amount_cents'],
      facets: [],
      amount: null,
    };
    const sums = openRowSums(options);
    expect([sums.needs, sums.totals().map(({ column }) => column), [...sums.facets()]]).toEqual([
      ['usd_amount_cents'],
      ['usd_amount_cents'],
      [],
    ]);
  });

  it('leave out the cents columns of tables whose rows replace or repeat each other, and no others', () => {
    const left_out = TABLES.flatMap(({ name, columns }) => {
      const names = columns.map((column) => column.name);
      const sums = openRowSums({ table: name, columns: names, facets: [], amount: null });
      const added = sums.totals().map(({ column }) => column);
      const cents = columns.filter(({ kind }) => kind === 'cents').map((column) => column.name);
      expect(cents).toEqual(expect.arrayContaining(added));
      return cents.length > added.length ? [`${name}: ${added.length} of ${cents.length}`] : [];
    });
    expect(left_out.toSorted()).toEqual([
      'approval_decisions: 0 of 1',
      'budgets: 0 of 2',
      'portfolio_decisions: 0 of 5',
    ]);
  });
});

const MONEY_AND_KIND = ['currency', 'entry_type'];
const MONEY_AND_PERIOD = ['currency', 'planned_value_period'];
/** What rows must have in common for a total, by table and column. */
const IN_COMMON: readonly (readonly [table: string, columns: string, alike: readonly string[]])[] = [
  ['costs', 'amount_cents', ['currency']],
  ['reported_value', 'amount_cents vendor_price_effect_cents own_changes_effect_cents', MONEY_AND_KIND],
  ['reported_value', 'usd_amount_cents', ['entry_type']],
  ['initiatives', 'planned_capex_cents planned_value_cents', ['currency']],
  ['initiatives', 'planned_opex_cents planned_cost_savings_cents', MONEY_AND_PERIOD],
  ['initiatives', 'planned_revenue_uplift_cents planned_capacity_cents', MONEY_AND_PERIOD],
  [
    'budget_vs_actual',
    'capex_budget_cents variance_cents actual_monthly_run_rate_cents',
    ['currency', 'as_of'],
  ],
  ['reported_totals', 'cash_value_cents freed_capacity_cents planned_capex_cents', ['scope', 'window_kind']],
  ['ai_spend', 'billed_cents booked_cents ai_billed_cents ai_booked_cents', ['source_kind']],
];
const DIFFERENT: Readonly<Record<string, readonly [string, string]>> = {
  entry_type: ['cost_savings', 'capacity'],
  source_kind: ['provider_bill', 'card'],
};

it.each(
  IN_COMMON.flatMap(([table, columns, alike]) =>
    columns.split(' ').flatMap((column) => alike.map((differing) => ({ table, column, alike, differing }))),
  ),
)(
  '$table.$column has no total over rows that differ in $differing',
  ({ table, column, alike, differing }) => {
    const sums = openRowSums({ table, columns: [column, ...alike], facets: [], amount: null });
    const values = (name: string): readonly (string | bigint)[] => {
      if (name === column) return [5n, 7n];
      const [one, other] = DIFFERENT[name] ?? ['one', 'other'];
      return name === differing ? [one, other] : [one, one];
    };
    sums.add(sums.needs.map(values), [0, 1]);
    expect(sums.totals()).toMatchObject([{ column, cents: null, differs_in: differing }]);
  },
);
