/** Finding initiatives and budgets by words, and lists of hundreds of them. */
import { expect, it } from 'vitest';
import {
  hasWords,
  linesOfPage,
  linesPager,
  readSearch,
  searchForm,
} from '../../../src/serve/money/found-lines.ts';
import { signedInToRows } from '../given-snapshots.ts';
import { textOf } from './served-company.ts';

it.each([
  ['claims', true],
  ['CLAIMS handling', true],
  ['oduya claims', true],
  ['muller', true],
  ['müller', true],
  ['strasse', true],
  ['Σίσυφοσ', true],
  ['aim', true],
  ['claims payroll', false],
  ['title', false],
])('the words %j are found in title, owner or department: %s', (words, found) => {
  expect(hasWords(words, ['Claims handling', 'Dana Oduya', null, 'Müller, Straße 3, Σίσυφος'])).toBe(found);
});

it('words do not run from one text into the next', () => {
  expect(hasWords('handlingdana', ['Claims handling', 'Dana Oduya'])).toBe(false);
});

it('a search is cut to 200 letters, and a page is a whole number from 1', () => {
  expect(readSearch({ q: `  ${'x'.repeat(300)}` })).toEqual({ words: 'x'.repeat(200), page: 1 });
  expect(readSearch({ page: '7' })).toEqual({ words: '', page: 7 });
  for (const page of ['0', '-1', '1.5', '', 'x', '01', '9999999999']) {
    expect(() => readSearch({ page })).toThrow('The parameter page must be a whole number from 1.');
  }
});

const lines = Array.from({ length: 301 }, (_, index) => index + 1);
const list = { path: 'initiatives', what: 'initiatives', kept: { snapshot: 's', by: 'cost' }, all: 301 };

it.each([
  [1, 1, 50, [2]],
  [2, 51, 100, [1, 3]],
  [6, 251, 300, [5, 7]],
  [7, 301, 301, [6]],
  [900, 301, 301, [6]],
])(
  'page %i of 301 initiatives shows %i to %i, and leads to its neighbours',
  async (page, first, last, linked) => {
    const search = { words: 'ai', page };
    const shown = linesOfPage(lines, search);
    expect([shown[0], shown.at(-1)]).toEqual([first, last]);
    const pager = String(await linesPager({ ...list, search, found: 301 }));
    expect(textOf(pager)).toContain(`${first} to ${last} of 301 initiatives`);
    expect([...pager.matchAll(/href="([^"]+)"/g)].map(([, address]) => address)).toEqual(
      linked.map((number) => `initiatives?snapshot=s&amp;by=cost&amp;q=ai&amp;page=${number}`),
    );
  },
);

it('fifty lines need no pages, and an empty list has none', () => {
  for (const found of [0, 1, 50]) {
    expect(linesPager({ ...list, search: { words: '', page: 1 }, found })).toBe('');
  }
  expect(linesOfPage([], { page: 3, words: '' })).toEqual([]);
});

it.each([
  [0, 'None of 301 initiatives have <b> in title, owner or department. Show all initiatives'],
  [1, '1 of 301 initiatives has <b> in title, owner or department. Show all initiatives'],
  [2, '2 of 301 initiatives have <b> in title, owner or department. Show all initiatives'],
])(
  'the form says that %i lines were found, with the words as text, and keeps the order',
  async (found, sentence) => {
    const form = String(await searchForm({ ...list, search: { words: '<b>', page: 1 }, found }));
    expect(textOf(form).replaceAll('&lt;', '<').replaceAll('&gt;', '>')).toContain(sentence);
    expect(form).toContain('<input type="hidden" name="by" value="cost" />');
    expect(form).toContain('href="initiatives?snapshot=s&amp;by=cost"');
  },
);

const plain = (page: string): string => textOf(page).replaceAll('\u{A0}', ' ');

/** Initiative 1 is of Dana in Claims and cost $100.00, 2 of no owner in Payroll, $20.00, and 3 of Dana in no department, $3.00. */
const NAMED = [
  { initiative_id: 1n, title: 'Quotes', owner_name: 'Dana Oduya', department: 'Claims' },
  { initiative_id: 2n, title: 'Claims desk', owner_name: null, department: 'Payroll' },
  { initiative_id: 3n, title: 'Spindles', owner_name: 'Dana Oduya', department: null },
].map((each) => ({ ...each, stage: 'live' }));
const COSTS = [10_000n, 2_000n, 300n];
const allTime = (initiative_id: bigint | null, cost_cents: bigint) => ({
  scope: initiative_id === null ? 'portfolio' : 'initiative',
  initiative_id,
  window_key: 'all',
  window_label: 'All time',
  from_date: null,
  through_date: null,
  cost_cents,
  cash_value_cents: 0n,
  net_value_cents: -cost_cents,
  freed_capacity_cents: 0n,
  roi: null,
});

const COMPANY = {
  snapshot: [{ fiscal_year_start_month: 1, account_name: 'A', sample_initiatives_excluded: 0 }],
  initiatives: NAMED,
  reported_totals: [
    ...NAMED.map(({ initiative_id }, index) => allTime(initiative_id, COSTS[index] ?? 0n)),
    allTime(null, 12_300n),
  ],
};

const comparison = (initiative_id: bigint, more: object = {}) => ({
  initiative_id,
  as_of: '2026-11-20',
  status: 'within',
  currency: 'USD',
  capex_budget_cents: 5_000n,
  capex_actual_cents: 4_000n,
  opex_budget_to_date_cents: 5_000n,
  opex_actual_cents: 5_000n,
  budget_to_date_cents: 10_000n,
  actual_to_date_cents: 9_000n,
  variance_cents: 1_000n,
  ...more,
});

/** The initiatives that a page leads to, in its order. */
const idsOf = (page: string): readonly number[] =>
  [...page.matchAll(/href="initiatives\/(\d+)/g)].map(([, id]) => Number(id));

it.each([
  ['', [1, 2, 3], 'All 3 initiatives −$123.00 $123.00'],
  ['claims', [1, 2], 'All 2 found initiatives −$120.00 $120.00'],
  ['DANA', [1, 3], 'All 2 found initiatives −$103.00 $103.00'],
  ['dana claims', [1], '1 of 3 initiatives has dana claims'],
  ['nobody', [], 'None of 3 initiatives have nobody'],
])('the search %j of initiatives finds %j, with their sums', async (words, ids, sentence) => {
  const browser = await signedInToRows(COMPANY);
  const page = await browser.page(`/initiatives?by=cost&q=${encodeURIComponent(words)}`);
  expect([idsOf(page), plain(page).includes(sentence)]).toEqual([ids, true]);
  expect(page.includes('<table')).toBe(ids.length > 0);
});

it('the search of budgets finds owners, and those that are over alone; another snapshot keeps both', async () => {
  const budgets = [comparison(1n, { status: 'over' }), comparison(2n), comparison(3n)];
  const browser = await signedInToRows({ ...COMPANY, budget_vs_actual: budgets });
  const found = await browser.page('/budgets?q=dana');
  expect([idsOf(found), plain(found).includes('All 2 Over: 1')]).toEqual([[1, 3], true]);
  expect(plain(found)).toContain('All 2 found budgets $200.00 $180.00 $20.00 under 1 over');
  const over = await browser.page('/budgets?q=dana&state=over');
  expect(idsOf(over)).toEqual([1]);
  const [, bar = ''] = over.split('<form class="snapshot-bar"');
  expect(bar.slice(0, bar.indexOf('</form>'))).toMatch(
    /name="q" value="dana" \/>.*name="state" value="over" \/>/s,
  );
  expect(plain(await browser.page('/budgets?q=desk&state=over'))).toContain('No budget here is over.');
  expect((await browser.send('/budgets?state=under')).status).toBe(400);
});

it('the page of budgets has fifty on a page, and sums all of them on each', async () => {
  const rows = Array.from({ length: 120 }, (_, index) =>
    comparison(BigInt(index + 1), {
      currency: index < 60 ? 'USD' : 'EUR',
      budget_to_date_cents: 10_000n,
      actual_to_date_cents: 9_000n,
      variance_cents: 1_000n,
    }),
  );
  const browser = await signedInToRows({ ...COMPANY, budget_vs_actual: rows });
  const page = await browser.page('/budgets?page=3');
  expect(page.split('<tr>')).toHaveLength(22); // a head and 20 lines
  expect(plain(page)).toContain('101 to 120 of 120 budgets');
  expect(plain(page)).toContain('All 60 budgets in EUR EUR 6,000.00 EUR 5,400.00 EUR 600.00 under 0 over');
  expect(plain(page)).toContain('All 60 budgets in USD $6,000.00 $5,400.00 $600.00 under 0 over');
});

/** The comparisons of 120 budgets, of which so many are over. */
function comparisonsWith(over: number) {
  return Array.from({ length: 120 }, (_, index) =>
    comparison(BigInt(index + 1), { status: index < over ? 'over' : 'within' }),
  );
}

it('budgets that are over have pages of their own, and no page of those that are not', async () => {
  const sixty = await signedInToRows({ ...COMPANY, budget_vs_actual: comparisonsWith(60) });
  const second = plain(await sixty.page('/budgets?state=over&page=2'));
  expect(second).toContain('51 to 60 of 60 budgets Previous page');
  // Another snapshot may have fewer pages: its choice leads to the first.
  const [, bar = ''] = (await sixty.page('/budgets?state=over&page=2')).split('<form class="snapshot-bar"');
  expect(
    [...bar.slice(0, bar.indexOf('</form>')).matchAll(/type="hidden" name="(\w+)"/g)].map(([, name]) => name),
  ).toEqual(['state']);
  expect(second).not.toContain('Next page');
  expect(plain(await sixty.page('/budgets'))).toContain('1 to 50 of 120 budgets Next page');
  const ten = await signedInToRows({ ...COMPANY, budget_vs_actual: comparisonsWith(10) });
  expect(plain(await ten.page('/budgets?state=over'))).not.toMatch(/ of \d+ budgets|Next page/);
});

it('initiatives without a figure in the window take no page of the list', async () => {
  const all = Array.from({ length: 60 }, (_, index) => ({
    initiative_id: BigInt(index + 1),
    title: `Initiative ${index + 1}`,
    stage: 'live',
  }));
  const withCosts = (count: number) => ({
    ...COMPANY,
    initiatives: all,
    reported_totals: [
      ...all.slice(0, count).map(({ initiative_id }) => allTime(initiative_id, 100n)),
      allTime(null, 100n * BigInt(count)),
    ],
  });
  const fifty = plain(await (await signedInToRows(withCosts(50))).page('/initiatives'));
  expect(fifty).toContain('All 50 initiatives −$50.00 $50.00');
  expect(fifty).not.toMatch(/ of \d+ initiatives|Next page/);
  const more = plain(await (await signedInToRows(withCosts(51))).page('/initiatives'));
  expect(more).toContain('1 to 50 of 51 initiatives Next page');
  expect(more).toContain('All 51 initiatives −$51.00 $51.00');
});
