/** What stands in the place of dollars that an amount does not have, and which bills AI spend leaves out. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dollarStanding } from '../../../src/figures/left-out-words.ts';
import { ACCOUNT, serveCompany, textOf } from './served-company.ts';

let company: Awaited<ReturnType<typeof serveCompany>>;
let browser: Awaited<ReturnType<typeof company.signedIn>>;
beforeAll(async () => {
  company = await serveCompany();
  browser = await company.signedIn();
});
afterAll(() => company?.close());

const words = async (path: string): Promise<string> =>
  textOf(await browser.page(path)).replaceAll('&#39;', "'");

const HELP: Readonly<Record<string, string>> = {
  'never converted': 'never converted',
  'locked without a rate': 'reopen the month first',
  'no rate yet': 'import published rates',
};

/**
 * fixtures/TOTALS.md: C3046 is of a month before the first rate of CHF, C3022 of a month that was locked first, and no rate of
 * KES is stored for C3045.
 */
const STANDINGS = { CHF: 'never converted', EUR: 'locked without a rate', KES: 'no rate yet' };

it.each(Object.entries(STANDINGS))(
  'the rows, the overview and the reasons say the same of a cost in %s: %s',
  async (currency, standing) => {
    const rows = await words(
      `/snapshots/${company.to}/tables/costs?usd_amount_cents=&currency=${currency}&columns=cost_entry_id,usd_amount_cents`,
    );
    const others = Object.values(STANDINGS).filter((each) => each !== standing);
    expect(rows).toContain(standing);
    for (const other of others) expect(rows).not.toContain(other);
    const overview = await words('/');
    expect(overview).toMatch(
      new RegExp(`In no figure of cost and value: 3 costs \\([^)]*${currency} [\\d,.]+ ${standing}`),
    );
    expect(overview).toContain(`1 cost in ${currency} ${standing}: `);
    expect(await words(`/snapshots/${company.to}`)).toMatch(
      new RegExp(`1 cost in ${currency} \\(${currency} [\\d,.]+\\): ${HELP[standing]}, because`),
    );
  },
);

it('amounts of one currency that wait for different things name each of them', async () => {
  const manifest = await company.reader.pinned(ACCOUNT, company.to);
  const reasons = manifest?.left_out?.reasons;
  const of = (table: 'cost_entries' | 'value_entries', currency: string): string =>
    dollarStanding(reasons, { table, currency });
  // V2024 was locked first, V2028 has no period, V2023 waits.
  expect(of('value_entries', 'EUR')).toBe('locked without a rate, never converted or no rate yet');
  const part = { table: 'value_entries', currency: 'EUR' } as const;
  // V2026 alone is capacity.
  expect(dollarStanding(reasons, { ...part, is_capacity: true })).toBe('no rate yet');
  expect(of('value_entries', 'BGN')).toBe('never converted');
  expect(of('cost_entries', 'EUR')).toBe('locked without a rate');
  expect(dollarStanding(undefined, { table: 'cost_entries', currency: 'EUR' })).toBe('no dollar figure');
  const stored = { table: 'cost_entries', reason: 'not_converted', currency: 'GBP', entries: 1 } as const;
  expect(dollarStanding([stored], stored)).toBe('not converted yet');
});

/** fixtures/AI_SPEND.md, "In no row": P808 has no rate, and K843 was charged in euros. */
const BILLS = [
  "1 provider's bill in KES (KES 1,000.00) has no dollar figure and is in no dollar total of AI spend.",
  '1 card charge in EUR (EUR 30.00) is not in dollars and in no dollar total of AI spend.',
  "1 provider's bill in KES (KES 1,000.00): import published rates, because no rate of the currency is stored.",
];

it.each(['the page of AI spend', 'the rows of AI spend', 'the page of the snapshot'])(
  '%s names the bills that it leaves out, with amount and number by currency',
  async (surface) => {
    const paths: Readonly<Record<string, string>> = {
      'the page of AI spend': '/ai-spend',
      'the rows of AI spend': `/snapshots/${company.to}/tables/ai_spend`,
      'the page of the snapshot': `/snapshots/${company.to}`,
    };
    const page = await words(paths[surface] ?? '');
    for (const sentence of BILLS) expect(page).toContain(sentence);
    // The rows of other tables do not have them.
    expect(await words(`/snapshots/${company.to}/tables/costs`)).not.toContain(
      'in no dollar total of AI spend',
    );
  },
);

it('the overview names the bills among the amounts in no total, with a link to the page that says why', async () => {
  const page = await browser.page('/');
  expect(page).toMatch(
    new RegExp(`<a href="ai-spend\\?snapshot=${company.to}#left-out-bills">1 provider&#39;s bill in KES</a>`),
  );
  expect(await words('/')).toContain(
    "1 provider's bill in KES no rate yet: no rate of the currency is stored KES 1,000.00",
  );
});

it('each quarter has its return, by the rule of every page: none only without cost', async () => {
  for (const path of ['/', '/initiatives/101', '/initiatives/105']) {
    const page = await browser.page(path);
    const scope = path === '/' ? "scope = 'portfolio'" : `initiative_id = ${path.split('/')[2]}`;
    const quarters = await company.ask<{ cost: bigint; net: bigint }>(
      'reported_totals',
      `select cost_cents as cost, net_value_cents as net from file
       where ${scope} and window_kind = 'fiscal_quarter' order by through_date desc limit 12`,
    );
    const shown = [...page.matchAll(/<dt>ROI<\/dt>\s*<dd><a href="([^"]+)">([^<]+)<\/a>/g)];
    expect(shown.map(([, , roi = '']) => roi.replace('\u{A0}', ' '))).toEqual(
      quarters.toReversed().map(({ cost, net }) => percentOf(net, cost)),
    );
    expect(shown.length).toBeGreaterThan(0);
    for (const [, address = ''] of shown) expect(address).toContain('/tables/reported_totals?');
  }
});

/** `−49.2 %`, rounded to one decimal as a double of the ratio is. */
function percentOf(net: bigint, cost: bigint): string {
  if (cost <= 0n) return 'none';
  const share = new Intl.NumberFormat('en', {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  return share
    .format(Number(net) / Number(cost))
    .replace('-', '−')
    .replace('%', ' %');
}
