/** The bar of context: on every page of an account it names company, snapshot, moment, currency and checks. */
import { expect, it } from 'vitest';
import { PAGES } from '../../../src/serve/page-routes.ts';
import { LATEST } from '../fake-parts.ts';
import { signedInToRows } from '../given-snapshots.ts';

const ACCOUNT = {
  snapshot: [{ account_name: 'Halden & Sons', fiscal_year_start_month: 1, generated_at: 1n }],
  initiatives: [{ initiative_id: 101n, title: 'Quote drafting', currency: 'USD' }],
};
const NAMED: Readonly<Record<string, string>> = {
  '{snapshot_id}': LATEST,
  '{table}': 'costs',
  '{initiative_id}': '101',
};
/** Every page of an account. A path that ends in a name of a file, or leads elsewhere, answers no page. */
const OWN = PAGES.filter(({ access }) => access === 'sign-in').map(({ path }) =>
  path.replaceAll(/\{\w+\}/g, (name) => NAMED[name] ?? name),
);

it('the bar stands whole on every page of an account', async () => {
  const browser = await signedInToRows(ACCOUNT);
  const seen: string[] = [];
  const without: string[] = [];
  for (const path of OWN) {
    const answer = await browser.send(path);
    if (answer.status !== 200 || answer.headers.get('content-type')?.startsWith('text/html') !== true)
      continue;
    seen.push(path);
    const [, bar = ''] = /class="snapshot-bar"(.*?)<\/(?:form|div)>/s.exec(await answer.text()) ?? [];
    const said = ['<b>Halden &amp; Sons</b>', `>${LATEST}</b>`, 'as of <time datetime="20', 'checks passed'];
    const missing = said.filter((words) => !bar.includes(words));
    const currency = path === '/night' ? 'this page is live' : 'US dollars|its own currency';
    if (missing.length > 0 || !new RegExp(currency).test(bar)) without.push(`${path}: ${missing.join(', ')}`);
  }
  expect(without).toEqual([]);
  expect(seen).toEqual(
    expect.arrayContaining([
      '/',
      '/initiatives',
      '/initiatives/101',
      '/budgets',
      '/ai-spend',
      '/night',
      `/snapshots/${LATEST}`,
      `/snapshots/${LATEST}/changes`,
      `/snapshots/${LATEST}/tables/costs`,
      `/snapshots/${LATEST}/prove`,
    ]),
  );
});
