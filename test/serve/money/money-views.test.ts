/** The pages of initiatives and budgets with rows that the test states: the second currency, account and snapshot. */
import { describe, expect, it } from 'vitest';
import type { Change } from '../../../src/diff/change.ts';
import type { SnapshotDiff } from '../../../src/diff/diff-cache.ts';
import { barList } from '../../../src/serve/money/bar-list.ts';
import { budgetChart } from '../../../src/serve/money/budget-chart.ts';
import { readMovedTotals } from '../../../src/diff/moved-totals.ts';
import { signedInToRows } from '../given-snapshots.ts';
import { textOf } from './served-company.ts';

// Every snapshot is of 20 November 2026.
const ACCOUNT = [{ fiscal_year_start_month: 1, account_name: 'A', sample_initiatives_excluded: 0 }];
const plain = (page: string): string => textOf(page).replaceAll('\u{A0}', ' ');

const list = (cents: readonly (bigint | null)[]) =>
  barList({
    id: 'x',
    heading: 'By vendor',
    tone: 'cost',
    none: 'no vendor named',
    sums: cents.map((each, index) => ({ value: index === 0 ? null : `V${index}`, rows: 1, cents: each })),
    total: 5n,
    link: String,
    totalLink: 'all',
  });

describe('a list of sums', () => {
  it('says none, not $0.00, for a value without an amount, and names the missing value', async () => {
    const shown = textOf(String(await list([null, 0n, 5n])));
    expect(shown).toBe('By vendor no vendor named none V1 $0.00 V2 $0.05 Total $0.05');
  });

  it('has twenty lines, and says how many more there are from the twenty-first on', async () => {
    const [twenty, more] = [String(await list(Array(20).fill(1n))), String(await list(Array(22).fill(1n)))];
    expect(textOf(twenty)).not.toContain('more');
    expect(textOf(more)).toContain('V19 $0.01 and 2 more Total');
  });
});

const compared = (as_of: string, budget_id: bigint, currency = 'USD') => ({
  initiative_id: 101n,
  as_of,
  budget_id,
  currency,
  status: 'under',
  budget_to_date_cents: 10_000n,
  actual_to_date_cents: 2_500n,
  variance_cents: 7_500n,
});

const chart = async (rows: readonly ReturnType<typeof compared>[]) => String(await budgetChart(rows));

describe('the chart of a budget', () => {
  it('draws one currency and names it; two currencies, or one day alone, are not drawn', async () => {
    const euros = await chart([compared('2026-01-01', 1n, 'EUR'), compared('2026-01-03', 1n, 'EUR')]);
    expect(euros).toContain('>in EUR</text>');
    expect(textOf(euros)).not.toContain('$');
    expect(plain(euros)).toContain('2026-01-01 1 EUR 100.00 EUR 25.00');
    const dollars = await chart([compared('2026-01-01', 1n), compared('2026-01-03', 1n)]);
    expect(dollars).not.toContain('>in ');
    expect(await chart([compared('2026-01-01', 1n), compared('2026-01-03', 2n, 'EUR')])).toBe('');
    expect(await chart([compared('2026-01-01', 1n)])).toBe('');
    expect(await chart([])).toBe('');
  });

  it('has a ring where each version comes into effect: on its first day, and on no other', async () => {
    const drawn = await chart([
      compared('2026-01-01', 1n),
      compared('2026-01-02', 1n),
      compared('2026-01-03', 2n),
      compared('2026-01-05', 2n),
    ]);
    const [wide = ''] = drawn.split('</svg>');
    const rings = [...wide.matchAll(/class="ring" cx="([\d.]+)"/g)].map(([, x]) => Number(x));
    // Four days from x = 64 to x = 508: 111 a day.
    expect(rings).toEqual([64, 286]);
    const labels = [...wide.matchAll(/class="(?:end)?"\s+x="([\d.]+)"\s+y="[\d.]+"\s*>([12])</g)];
    expect(labels.map(([, x, version]) => [Number(x), version])).toEqual([
      [64, '1'],
      [286, '2'],
    ]);
  });
});

const over = (initiative_id: bigint, more: object) => ({
  ...compared('2026-11-20', 1n),
  initiative_id,
  capex_budget_cents: 5_000n,
  capex_actual_cents: 5_000n,
  opex_budget_to_date_cents: 5_000n,
  opex_actual_cents: 5_000n,
  ...more,
});

const lines = async (rows: readonly object[]) => {
  const browser = await signedInToRows({ snapshot: ACCOUNT, budget_vs_actual: rows as never });
  const [page = ''] = (await browser.page('/budgets')).split('<tr class="sum">');
  return page
    .split('<tr>')
    .slice(2)
    .map((row) => plain(row));
};

describe('the page of budgets', () => {
  it('says by how much each part is over, in the currency of the budget, though the other part is below', async () => {
    const [both, running, once] = await lines([
      over(1n, {
        status: 'over',
        capex_actual_cents: 5_100n,
        opex_actual_cents: 5_001n,
        variance_cents: -101n,
      }),
      over(2n, { status: 'over', opex_actual_cents: 5_300n, capex_actual_cents: 1n, variance_cents: 4_699n }),
      over(3n, { status: 'over', currency: 'EUR', capex_actual_cents: 7_000n, variance_cents: -2_000n }),
    ]).then((shown) => shown.toSorted());
    expect(both).toContain('over: one-time cost by $1.00, running cost by $0.01');
    expect(running).toContain('$46.99 under over: running cost by $3.00');
    expect(once).toContain('EUR 20.00 over over: one-time cost by EUR 20.00');
  });

  it('has the newest day of each initiative, those over first, then each currency by how far it is over', async () => {
    const shown = await lines([
      over(1n, { as_of: '2026-11-19', variance_cents: -9_999n, status: 'over' }),
      over(1n, { as_of: '2026-11-20', variance_cents: 1n }),
      over(2n, { currency: 'EUR', variance_cents: -5n }),
      over(3n, { variance_cents: 0n }),
      over(4n, { variance_cents: -1n }),
      over(5n, { status: 'over', variance_cents: 3n }),
    ]);
    expect(shown.map((line) => line.replace(/ .*(?:(on budget)|\d (under|over)) .*/, ' $1$2'))).toEqual([
      '5 under',
      '2 over',
      '4 over',
      '3 on budget',
      '1 under',
    ]);
  });
});

const change = (scope: string, initiative_id: number | null, window_key: string): Change => ({
  table: 'reported_totals',
  change: 'changed',
  key: { scope, initiative_id, window_key },
  reason: null,
  before: {},
  after: {},
  effects: [],
  moved: [],
});

describe('the moves of an initiative', () => {
  const rows = [
    ...Array.from({ length: 3 }, (_, index) => change('initiative', 1, `w${index}`)),
    ...Array.from({ length: 230 }, (_, index) => change('initiative', 2, `w${index}`)),
    ...Array.from({ length: 100 }, (_, index) => change('initiative', 3, `w${index}`)),
    change('initiative', 9, 'all'),
    change('portfolio', null, 'all'),
  ];
  const diff = (counts: { added: number; removed: number; changed: number }): SnapshotDiff => ({
    tables: [{ name: 'reported_totals', ...counts }],
    page: async (first, limit) => {
      const end = Math.min(first + limit, rows.length);
      return { changes: rows.slice(first, end), next: end < rows.length ? end : null };
    },
  });

  it.each([
    { added: 0, removed: 0, changed: rows.length },
    { added: rows.length, removed: 0, changed: 0 },
    { added: 0, removed: rows.length, changed: 0 },
    { added: 100, removed: 100, changed: rows.length - 200 },
  ])('are all of its own, beyond a hundred and for the first and the last: %j', async (counts) => {
    for (const [id, count] of [
      [1n, 3],
      [2n, 230],
      [3n, 100],
      [9n, 1],
      [4n, 0],
      [10n, 0],
    ] as const) {
      const found = await readMovedTotals(diff(counts), id);
      expect([id, found.length]).toEqual([id, count]);
      expect(found.every(({ key }) => key['initiative_id'] === Number(id))).toBe(true);
    }
  });
});
