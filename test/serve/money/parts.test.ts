/** Parts of the pages of money that the fixture company has no case for. */
import { expect, it } from 'vitest';
import { barList } from '../../../src/serve/money/bar-list.ts';
import type { InitiativeMoney } from '../../../src/serve/money/initiative.ts';
import { budgetSection, decisionSection, monthTable } from '../../../src/serve/money/initiative-parts.ts';
import type { InitiativeOverview, Overview } from '../../../src/serve/money/overview.ts';
import { hasFigures, rankInitiatives, rankingTable, sumOf } from '../../../src/serve/money/ranking.ts';
import { quarterSection } from '../../../src/serve/money/quarters.ts';
import { rowLinks } from '../../../src/serve/money/row-links.ts';
import { cents } from '../../../src/figures/cents.ts';
import type { MonthSeries } from '../../../src/figures/month-series.ts';
import { NO_ENTRIES } from '../../../src/figures/window-change.ts';
import { instantOf } from '../../support/instant-of.ts';
import { textOf } from './served-company.ts';

const pageOf = (id: bigint): string => String(id);

const LIST = {
  id: 'by-vendor',
  heading: 'Cost by vendor',
  tone: 'cost',
  none: 'no vendor named',
  link: () => 'rows',
  totalLink: 'all-rows',
} as const;

it('a list of more values than stored sums gives the total with its rows, and is not called empty', async () => {
  const many = String(await barList({ ...LIST, sums: [], total: 123_456n }));
  expect(textOf(many)).toBe('Cost by vendor Too many to list: $1,234.56 in all');
  expect(many).toContain('href="all-rows"');
  expect(textOf(String(await barList({ ...LIST, sums: [], total: null })))).toContain('None recorded');
});

/** What a section of budgets reads beside its rows: the day. */
function overviewOn(as_of: string): InitiativeOverview {
  const unsettled = { left_out: { cost_left_out: [{ currency: 'CHF', amount_cents: 9n, entries: 1n }] } };
  const only = { moment: { as_of }, unsettled, snapshot: { left_out: null } };
  return only as unknown as InitiativeOverview; // what the section reads
}

/** Costs without dollars. */
const NOT_SPENT = [
  { currency: 'EUR', amount_cents: 5n, entries: 1n },
  { currency: 'USD', amount_cents: 7n, entries: 1n },
];

it('the table of months has under a month what was planned until then, that month included', async () => {
  const plan = {
    months: [
      { month: '2026-02-01', value_cents: 10_000n },
      { month: '2026-04-01', value_cents: 25_000n },
    ],
  };
  const arrived = [{ month: '2026-03-01', cash_cents: 4_000n }];
  const money = { plan, arrived, row: { initiative_id: 1n, currency: 'EUR' } } as unknown as InitiativeMoney; // what it reads
  const none = {
    cost_cents: 0n,
    cash_value_cents: 0n,
    net_value_cents: 0n,
    cumulative_cash_cents: 0n,
    cumulative_net_cents: 0n,
  };
  const months = ['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01'].map((month) => ({
    ...none,
    month,
  }));
  const page = String(
    await monthTable(money, rowLinks('', '20260430T000000Z'), months as unknown as MonthSeries['months']),
  );
  const columnOf = (name: string) =>
    Array.from(page.matchAll(new RegExp(`data-column="${name}">([^<]*)<`, 'g')), ([, cell = '']) =>
      textOf(cell),
    );
  expect(columnOf('Planned so far')).toEqual(['–', 'EUR 100.00', 'EUR 100.00', 'EUR 250.00']);
  expect(columnOf('Cash value so far in EUR')).toEqual(['EUR 0.00', 'EUR 0.00', 'EUR 40.00', 'EUR 40.00']);
});

it('a budget that ended before the snapshot is not in effect', async () => {
  const budget = {
    budget_id: 401n,
    status: 'approved',
    currency: 'USD',
    capex_cents: 100n,
    opex_cents: 0n,
    opex_cadence: 'monthly',
    effective_from: '2026-01-01',
  };
  const compared = {
    as_of: '2026-03-31',
    budget_id: 401n,
    currency: 'USD',
    budget_to_date_cents: 100n,
    actual_to_date_cents: 100n,
    variance_cents: 0n,
    capex_budget_cents: 100n,
    capex_actual_cents: 100n,
    opex_budget_to_date_cents: 0n,
    opex_actual_cents: 0n,
    spent_before_budget_cents: 0n,
  };
  const only = { budgets: [budget], comparisons: [compared], budget_ended_on: null, not_spent: NOT_SPENT };
  const money = only as unknown as InitiativeMoney; // what the section reads
  const shown = async (as_of: string) => {
    return textOf(String(await budgetSection(money, overviewOn(as_of), (table) => table)));
  };
  // Costs in the currency of the budget are spent, also without dollars.
  expect(await shown('2026-03-31')).toContain('Spent without EUR 0.05 (no dollar figure).');
  expect(await shown('2026-03-31')).toContain('401 in effect');
  expect(await shown('2026-07-15')).toContain('401 approved');
  // A snapshot without sums by month has the costs without dollars of all time.
  const old = { ...money, not_spent: null };
  expect(textOf(String(await budgetSection(old, overviewOn('2026-03-31'), (table) => table)))).toContain(
    'Spent without CHF 0.09',
  );
});

it('a budget under in all says which part is over, and what was spent before it began, in its own currency', async () => {
  const version = { status: 'approved', currency: 'EUR', capex_cents: 0n, opex_cents: 0n };
  const later = { ...version, budget_id: 2n, effective_from: '2026-11-01' };
  const compared = {
    as_of: '2026-11-20',
    budget_id: 2n,
    currency: 'EUR',
    // 5.00 + 30.00 budgeted, 7.00 + 20.00 spent: 8.00 under, although the one-time cost is 2.00 over.
    budget_to_date_cents: 3_500n,
    actual_to_date_cents: 2_700n,
    variance_cents: 800n,
    capex_budget_cents: 500n,
    capex_actual_cents: 700n,
    opex_budget_to_date_cents: 3_000n,
    opex_actual_cents: 2_000n,
    spent_before_budget_cents: 6_000n,
  };
  const budgets = [
    later,
    { ...version, budget_id: 1n, effective_from: '2026-09-14' },
    { ...later, budget_id: 3n, status: 'pending', effective_from: '2026-01-01' },
  ];
  const money = {
    budgets,
    comparisons: [compared],
    budget_ended_on: null,
    not_spent: NOT_SPENT,
  } as unknown as InitiativeMoney; // what it reads
  const page = textOf(String(await budgetSection(money, overviewOn('2026-11-20'), (table) => table)));
  expect(page.replaceAll('\u{A0}', ' ')).toContain(
    'EUR 27.00 of EUR 35.00 budgeted to 2026-11-20 is spent: EUR 8.00 under . Over: one-time cost by EUR 2.00. ' +
      'EUR 60.00 more was spent before the budget began on 2026-09-01.',
  );
});

it('an initiative whose only entry was deleted still stands in the list, with its change', () => {
  const overview = {
    initiatives: [
      { id: 1n, title: 'Emptied', stage: 'live', owner: null },
      { id: 2n, title: 'Never', stage: 'live', owner: null },
    ],
    totals: { portfolio: new Map(), initiatives: new Map() },
    totals_before: {
      portfolio: new Map(),
      initiatives: {
        get: (id: bigint) => (id === 1n ? { ...NO_ENTRIES, cost: 500n, net_value: -500n } : undefined),
      },
    },
  } as unknown as Parameters<typeof rankInitiatives>[0]; // the windows hold only what is ranked by
  const ranked = rankInitiatives(overview, 'all', 'change');
  expect(ranked.map((each) => [each.title, each.change, hasFigures(each)])).toEqual([
    ['Emptied', 500n, true],
    ['Never', 0n, false],
  ]);
});

const decision = (day: string, outcome: string, next_review_on: string | null) => ({
  decided_at: instantOf(`${day}T12:00:00.000000Z`),
  outcome,
  rationale: 'Because.',
  decided_by_name: null,
  next_review_on,
});

it('a review that has passed without a later decision is said, from the day after it until the next decision', async () => {
  const shown = async (as_of: string, decisions: readonly ReturnType<typeof decision>[]) => {
    const none = { approvals: [], budgets: [], went_live_on: null, entry_approvals: 0 };
    const money = { ...none, decisions } as unknown as InitiativeMoney; // what the section reads
    return textOf(String(await decisionSection(money, as_of, (table) => table)));
  };
  const first = decision('2026-01-10', 'continue', '2026-04-01');
  const missed =
    'The decision of 2026-01-10, continue, named 2026-04-01 as its next review. No later decision';
  expect(await shown('2026-03-31', [first])).not.toContain('No later decision');
  expect(await shown('2026-04-01', [first])).not.toContain('No later decision');
  expect(await shown('2026-04-02', [first])).toContain(missed);
  expect(await shown('2026-04-02', [first, decision('2026-03-20', 'expand', null)])).not.toContain(
    'No later',
  );
  // The newest decision counts, wherever it stands.
  const later = decision('2026-05-01', 'pause', '2026-06-01');
  expect(await shown('2026-07-01', [later, first])).toContain(
    'The decision of 2026-05-01, pause, named 2026-06-01',
  );
  expect(await shown('2026-07-01', [])).toContain('None is recorded.');
});

it('the rows behind an amount begin with the heaviest, but rows without dollars have no order of weight', () => {
  const links = rowLinks('../', '20261101T020000Z');
  const costs = '../snapshots/20261101T020000Z/tables/costs';
  expect(links.costs()).toBe(`${costs}?sort=-usd_amount_cents`);
  expect(links.costs({ initiative_id: 7n })).toBe(`${costs}?initiative_id=7&sort=-usd_amount_cents`);
  expect(links.cash()).toMatch(/&sort=-usd_amount_cents$/);
  expect(links.costs({ left_out: true, currency: 'EUR' })).toBe(
    `${costs}?usd_amount_cents=&currency=EUR&columns=${encodeURIComponent('cost_entry_id,initiative_id,amount_cents,currency,usd_amount_cents,period_month,vendor_id,description')}`,
  );
  expect(links.costs({ provisional: true })).toBe(
    `${costs}?usd_rate_provisional=true&sort=-usd_amount_cents`,
  );
});

it('the sum of a ranking has the ROI of every page, and without a snapshot before there is no column of changes', async () => {
  const line = {
    id: 1n,
    title: 'Spent',
    stage: 'live',
    owner: null,
    department: null,
    // Cost without value: minus a hundred percent.
    now: { ...NO_ENTRIES, cost: cents(500n), net_value: -500n, roi: -1 },
    change: null,
  };
  const only = { totals: { portfolio: new Map(), initiatives: new Map() }, totals_before: null };
  const shown = async (totals_before: object | null, change: bigint | null) => {
    const of = { ...only, totals_before } as unknown as Overview; // what the table reads
    const ranked = [{ ...line, change }];
    const sum = sumOf(ranked, 'All 1 initiatives');
    const links = rowLinks('', '20261120T020000Z');
    return textOf(
      String(
        await rankingTable({
          overview: of,
          ranked,
          seriesOf: undefined,
          window_key: 'all',
          links,
          pageOf,
          sum,
        }),
      ),
    );
  };
  const first = await shown(null, null);
  expect(first).toContain('All 1 initiatives −$5.00 $5.00 $0.00 −100.0 % $0.00');
  expect(first).not.toContain('Net since last');
  expect(await shown({}, 0n)).toContain('Net since last');
});

it('the newest twelve quarters are shown, oldest first', async () => {
  // Thirteen quarters from 2023, the newest first, and a year.
  const ends = ['03-31', '06-30', '09-30', '12-31'];
  const windows = Array.from({ length: 13 }, (_, index) => {
    const [year, quarter] = [2023 + Math.floor(index / 4), index % 4];
    const through_date = `${year}-${ends[quarter]}`;
    return { window_key: `fy${year}-q${quarter + 1}`, window_kind: 'fiscal_quarter', through_date };
  }).toReversed();
  const shown = [
    ...windows,
    { window_key: 'fy2023', window_kind: 'fiscal_year', through_date: '2023-12-31' },
  ].map((window) => ({
    window_label: window.window_key,
    from_date: null,
    complete: true,
    cost: 0n,
    cash_value: 0n,
    net_value: 0n,
    freed_capacity: 0n,
    roi: null,
    ...window,
  }));
  const list = String(
    await quarterSection({
      windows: new Map(shown.map((each) => [each.window_key, each])),
      moment: { as_of: '2026-11-20', fiscal_year_start_month: 1 },
      links: rowLinks('', '20261120T020000Z'),
    }),
  );
  expect([...list.matchAll(/<h3>([^<]*)</g)].map(([, label]) => label)).toEqual(
    windows
      .map(({ window_key }) => window_key)
      .toReversed()
      .slice(1),
  );
});
