/** Parts of the pages of money that the fixture company has no case for. */
import { expect, it } from 'vitest';
import { barList } from '../../../src/serve/money/bar-list.ts';
import type { InitiativeMoney } from '../../../src/serve/money/initiative.ts';
import { budgetSection } from '../../../src/serve/money/initiative-parts.ts';
import { rankInitiatives, hasFigures } from '../../../src/serve/money/ranking.ts';
import { NO_ENTRIES } from '../../../src/figures/window-change.ts';
import { textOf } from './served-company.ts';

const LIST = {
  id: 'by-vendor',
  heading: 'Cost by vendor',
  tone: 'cost',
  none: 'no vendor named',
  link: () => 'rows',
  totalLink: 'all-rows',
} as const;

it('a list of more values than sums are kept of gives the total with its rows, not that there are none', async () => {
  const many = String(await barList({ ...LIST, sums: [], total: 123_456n }));
  expect(textOf(many)).toBe('Cost by vendor Too many to list: $1,234.56 in all');
  expect(many).toContain('href="all-rows"');
  expect(textOf(String(await barList({ ...LIST, sums: [], total: null })))).toContain('None recorded');
});

it('a budget that ended before the snapshot is not in effect', async () => {
  const budget = {
    budget_id: 401n,
    status: 'approved',
    currency: 'USD',
    capex_cents: 100n,
    opex_cents: null,
  };
  const compared = { as_of: '2026-03-31', budget_id: 401n, currency: 'USD', variance_cents: 0n };
  const money = { budgets: [budget], comparisons: [compared] } as unknown as InitiativeMoney; // what the section reads
  const shown = async (as_of: string) => textOf(String(await budgetSection(money, as_of, (table) => table)));
  expect(await shown('2026-03-31')).toContain('401 in effect');
  expect(await shown('2026-07-15')).toContain('401 approved');
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
      initiatives: new Map([[1n, new Map([['all', { ...NO_ENTRIES, cost: 500n, net_value: -500n }]])]]),
    },
  } as unknown as Parameters<typeof rankInitiatives>[0]; // the windows hold only what is ranked by
  const ranked = rankInitiatives(overview, 'all', 'change');
  expect(ranked.map((each) => [each.title, each.change, hasFigures(each)])).toEqual([
    ['Emptied', 500n, true],
    ['Never', 0n, false],
  ]);
});
