/** Pages of money of a snapshot with undated, very old and future entries. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readChecksBeside } from '../../../src/run/builders/build-account.ts';
import { openDiffs } from '../../../src/run/server/diffs.ts';
import { COMPANION_SET } from '../../../src/tables/companions.ts';
import { SUMS_SET } from '../../../src/tables/sums.ts';
import { DAY, readerAt } from '../../snapshot/builder/build-harness.ts';
import { AT, openBuildHarness } from '../../snapshot/builder/real-build.ts';
import {
  addCost,
  addInitiative,
  addValue,
  foundAccount,
  inAccount,
  insert,
} from '../../support/ledger-rows.ts';
import { fakeApp, TOKENS } from '../fake-parts.ts';
import { textOf, totalAt } from './served-company.ts';
import { openBrowser } from '../pages/browser.ts';

const ACCOUNT = 1n;
const ids: Record<string, bigint> = {};
const stack = new AsyncDisposableStack();
let browser: ReturnType<typeof openBrowser>;
let app: ReturnType<typeof fakeApp>['app'];

const month = (start: string) => ({ period_start: start, period_end: start });

beforeAll(async () => {
  const harness = await openBuildHarness('template_company');
  stack.defer(() => harness.close());
  const owner = await harness.database.client('cf_owner');
  const checksBeside = await readChecksBeside([SUMS_SET, COMPANION_SET]);
  await harness.build({ at: AT - DAY, night: '2026-07-14', checksBeside });
  await inAccount(owner, ACCOUNT, async () => {
    const found = async (title: string, row = {}) => {
      const initiative = await addInitiative(owner, ACCOUNT, { title, ...row });
      ids[title] = initiative;
      return { account: ACCOUNT, person: 1n, initiative };
    };
    const undated = await found('Undated');
    await addCost(owner, undated, { period_start: null, period_end: null, amount_cents: 12_345 });
    // Paid back in June 2018, and a small cost later.
    const old = await found('Old');
    await addCost(owner, old, { ...month('2018-01-01'), amount_cents: 1_000_000 });
    await addValue(owner, old, { ...month('2018-06-01'), amount_cents: 3_000_000 });
    await addCost(owner, old, { ...month('2025-03-01'), amount_cents: 500 });
    const ancient = await found('Ancient', { started_at: '2017-12-01T00:00:00Z' });
    await addCost(owner, ancient, { ...month('2018-01-01'), amount_cents: 1_000_000 });
    await addValue(owner, ancient, { ...month('2018-06-01'), amount_cents: 3_000_000 });
    const budgeted = await found('Budgeted');
    await insert(owner, 'ledger.budget_versions', {
      account_id: ACCOUNT,
      initiative_id: budgeted.initiative,
      status: 'approved',
      source: 'manual',
      capex_cents: 100_000,
      opex_cents: 10_000,
      opex_cadence: 'monthly',
      currency: 'USD',
      effective_from: '2026-01-01',
      decided_at: '2026-01-01T00:00:00Z',
    });
    await addCost(owner, budgeted, { ...month('2026-07-01'), amount_cents: 4_000 });
    await addCost(owner, budgeted, { ...month('2026-10-01'), amount_cents: 60_000, currency: 'AED' });
    // Undated: it may be spent already.
    const open = { period_start: null, period_end: null, amount_cents: 5_000, currency: 'AED' };
    await addCost(owner, budgeted, open);
    await addCost(owner, await found('=HYPERLINK("https://evil.example")'), { ...month('2026-07-01') });
    // A licence; its fourth year is booked ahead.
    const ahead = await found('Ahead');
    await addCost(owner, ahead, { ...month('2026-07-01'), amount_cents: 70_000 });
    await addCost(owner, ahead, { ...month('2029-10-01'), amount_cents: 80_000 });
  });
  await harness.build({ checksBeside });
  const snapshots = readerAt(harness.store, () => AT);
  const root = await mkdtemp(join(tmpdir(), 'crossfoot-hunt-'));
  stack.defer(() => rm(root, { recursive: true }));
  const diffs = await openDiffs({ snapshots, root });
  stack.defer(() => diffs.close());
  const holder = {
    token_id: 1n,
    account_id: ACCOUNT,
    user_id: 1n,
    kind: 'personal',
    api_access: true,
    reporting_enabled: true,
  } as const;
  app = fakeApp({
    snapshots,
    diffs,
    findHolder: async () => holder,
    authenticate: async () => holder,
  }).app;
  browser = openBrowser(app);
  await browser.signIn(TOKENS.personal);
}, 300_000);
afterAll(() => stack.disposeAsync());

const pageOf = (title: string): Promise<string> => browser.page(`/initiatives/${ids[title]}`);
const planOf = async (title: string): Promise<string> => {
  const text = textOf(await pageOf(title));
  return text.slice(text.indexOf('Due by now'), text.indexOf('Cost by type'));
};

it('the figures of a fiscal year without a dated entry lead to rows of that total', async () => {
  const [, , year = ''] = (await pageOf('Undated')).split('<div class="statement');
  for (const [, address = '', amount = ''] of year.matchAll(
    /class="amount"><a href="\.\.\/([^"]+)">([^<]+)</g,
  )) {
    if (!/tables\/(costs|reported_value)/.test(address)) continue;
    expect([address, await totalAt(browser, address.replaceAll('&amp;', '&'), 'Dollars')]).toEqual([
      address,
      amount,
    ]);
  }
});

it('an initiative with an undated cost has an amount', async () => {
  expect(await planOf('Undated')).not.toContain('Neither an amount nor a plan');
});

it.each(['Old', 'Ancient'])('amounts before the chart are not after it: %s', async (title) => {
  expect(await planOf(title)).not.toContain('Dated after the chart');
});

it.each(['Old', 'Ancient'])(
  'what was paid back before the chart is not paid back in it: %s',
  async (title) => {
    const [, paid_back] = /Paid back (.*?) The whole plan/.exec(await planOf(title)) ?? [];
    expect(paid_back).not.toMatch(/2025|2026|not yet/);
  },
);

it('both pages of a budget name the same costs that it lacks', async () => {
  // 50.00 without a date, and not the 600.00 of October.
  expect(textOf(await browser.page('/budgets?q=Budgeted'))).toMatch(/without AED\s50\.00/);
  expect(textOf(await pageOf('Budgeted'))).toMatch(/Spent without AED\s50\.00/);
});

it.each(['/', '/initiatives/Ahead'])(
  'a cost booked ahead does not hide the current quarter: %s',
  async (path) => {
    const page = textOf(await browser.page(path.replace('Ahead', String(ids['Ahead']))));
    const quarters = page.slice(page.indexOf('Quarter by quarter')).match(/FY\d{4} Q\d( so far)?/g) ?? [];
    expect(quarters).toContain('FY2027 Q2 so far');
  },
);

it('the overview of an account without a dated entry leads to rows of its totals', async () => {
  await using harness = new AsyncDisposableStack();
  const built = await openBuildHarness('template_company');
  harness.defer(() => built.close());
  const owner = await built.database.client('cf_owner');
  const home = await foundAccount(owner, { reporting_enabled_at: '2026-01-01Z' });
  await inAccount(owner, home.account, () => addCost(owner, home, { period_start: null, period_end: null }));
  await built.build({ account_id: home.account });
  const holder = {
    token_id: 1n,
    account_id: home.account,
    user_id: null,
    kind: 'reporting',
    api_access: true,
    reporting_enabled: true,
  } as const;
  const snapshots = readerAt(built.store, () => AT);
  const other = openBrowser(fakeApp({ snapshots, findHolder: async () => holder }).app);
  await other.signIn(TOKENS.reporting);
  const page = await other.page('/');
  const [, address = '', amount = ''] = /class="amount"><a href="([^"]+)">([^<]+)</.exec(page) ?? [];
  expect([address, await totalAt(other, address.replaceAll('&amp;', '&'), 'Dollars')]).toEqual([
    address,
    amount,
  ]);
}, 120_000);

it('the file of initiatives holds a title that begins like a formula as a text', async () => {
  const file = await (await browser.send('/initiatives.csv')).text();
  expect(file).toContain(`,"'=HYPERLINK(""https://evil.example"")",`);
});
