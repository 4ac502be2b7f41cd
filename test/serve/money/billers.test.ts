/** Who billed, on the page of AI spend: one line for each display name, and its link leads to the rows of that line alone. */
import { expect, it } from 'vitest';
import { fakeApp, LATEST, TOKENS } from '../fake-parts.ts';
import { GivenSnapshots, signedInToRows } from '../given-snapshots.ts';
import { openBrowser } from '../pages/browser.ts';
import { textOf, totalAt } from './served-company.ts';

const ACCOUNT = { snapshot: [{ fiscal_year_start_month: 1, generated_at: 1n }] };

const bill = (of: Record<string, bigint | string | null>, month: string, billed_cents: bigint) => ({
  source_kind: 'provider_bill',
  attribution: 'unlinked',
  currency: 'USD',
  ...of,
  month,
  billed_cents,
  ai_billed_cents: billed_cents,
  ai_booked_cents: 0n,
});
const connection = (connection_id: bigint, platform: string, connection_name: string | null) => ({
  connection_id,
  platform,
  connection_name,
});
const vendor = (vendor_name: string | null) => ({ source_kind: 'ai_vendor', vendor_name });

/** The lines of the table by who billed: name, address of its rows, and amount. */
async function linesOf(
  ai_spend: readonly ReturnType<typeof bill>[],
  api_integrations: readonly ReturnType<typeof known>[],
) {
  const browser = await signedInToRows({ ...ACCOUNT, ai_spend, api_integrations });
  const page = await browser.page('/ai-spend');
  const table = page.slice(page.indexOf('<h2 id="by-source">'));
  const rows = table.slice(0, table.indexOf('<tr class="sum">')).split('<tr>').slice(2);
  return await Promise.all(
    rows.map(async (row) => {
      const [, name = ''] = /<th scope="row">(.*?)<\/th>/s.exec(row) ?? [];
      const [, link = '', amount = ''] = /<a href="([^"]+)">([^<]+)<\/a>/.exec(row) ?? [];
      const behind = await totalAt(browser, link.replaceAll('&amp;', '&'), 'Billed');
      return [textOf(name), amount.trim(), behind];
    }),
  );
}

/** A connection of the companion table, which has the name of its platform. */
const known = (id: bigint, platform_name: string | null, account: string | null = null) => ({
  id,
  platform_name,
  external_account_id: account === null ? null : 'an id',
  external_account_name: account,
});

it('two connections to one platform, and a vendor of its name, are one line that its link equals', async () => {
  const lines = await linesOf(
    [
      bill(connection(1n, 'openai', 'Research'), '2026-05-01', 400n),
      bill(connection(2n, 'openai', 'Support'), '2026-05-01', 70n),
      bill(vendor('openai'), '2026-05-01', 5n),
      bill(connection(1n, 'openai', 'Research'), '2026-06-01', 30n),
      bill(vendor('Acme AI'), '2026-06-01', 2n),
      { ...bill({ source_kind: 'card' }, '2026-06-01', 99n), ai_billed_cents: 0n },
    ],
    [known(1n, 'OpenAI'), known(2n, 'OpenAI')],
  );
  // The vendor's spelling goes before the platform's.
  expect(lines).toEqual([
    ['openai', '$5.05', '$5.05'],
    ['Acme AI', '$0.02', '$0.02'],
  ]);
});

it('a bill of a gateway with any account is billed by its provider, and joins the vendor of that name', async () => {
  const lines = await linesOf(
    [
      bill(connection(1n, 'focus', 'anthropic Claims'), '2026-05-01', 900n),
      bill(connection(2n, 'focus', 'anthropic an id'), '2026-05-01', 80n),
      bill(connection(3n, 'focus', 'Amazon Web Services Main account'), '2026-05-01', 7n),
      bill(connection(4n, 'anthropic', null), '2026-05-01', 10_000n),
      bill(vendor('Anthropic'), '2026-06-01', 700n),
      // The account of a bill is not known: the name of the connection is all that there is.
      bill(connection(5n, 'focus', 'mistral Support'), '2026-06-01', 1n),
    ],
    [
      known(1n, 'FOCUS file', 'Claims'),
      { ...known(2n, 'FOCUS file', 'Claims'), external_account_name: null },
      known(3n, 'FOCUS file', 'Main account'),
      known(4n, 'Anthropic'),
      known(5n, 'FOCUS file'),
    ],
  );
  expect(lines).toEqual([
    ['Anthropic', '$116.80', '$116.80'],
    ['Amazon Web Services', '$0.07', '$0.07'],
    ['mistral Support', '$0.01', '$0.01'],
  ]);
});

it('a snapshot without the names of platforms shows words made of a key, or the spelling of a vendor', async () => {
  const lines = await linesOf(
    [
      bill(connection(11n, 'azure_openai', 'Main'), '2026-05-01', 900n),
      bill(connection(12n, 'openai', 'Main'), '2026-05-01', 800n),
      bill(vendor('OpenAI '), '2026-05-01', 70n),
      bill(vendor(null), '2026-05-01', 6n),
    ],
    [],
  );
  expect(lines).toEqual([
    ['Azure openai', '$9.00', '$9.00'],
    ['OpenAI', '$8.70', '$8.70'],
    ['not named', '$0.06', '$0.06'],
  ]);
});

it('the rows of AI spend show who billed them, and their spreadsheet too', async () => {
  const browser = await signedInToRows({
    ...ACCOUNT,
    ai_spend: [bill(connection(1n, 'focus', 'anthropic Claims'), '2026-05-01', 900n)],
    api_integrations: [known(1n, 'FOCUS file', 'Claims')],
  });
  const page = textOf(await browser.page('/snapshots/20261120T020000Z/tables/ai_spend'));
  expect(page).toContain('Biller');
  expect(page).not.toContain('focus');
  const none = textOf(await browser.page('/snapshots/20261120T020000Z/tables/ai_spend?biller_not=anthropic'));
  expect(none).toContain('0 of 1');
});

it('each row of AI spend names its own biller, in whichever part of the file it stands', async () => {
  const spend = [
    bill(vendor('Acme AI'), '2026-05-01', 1n),
    bill(vendor('OpenAI'), '2026-05-01', 20n),
    bill(connection(1n, 'anthropic', null), '2026-06-01', 300n),
    bill(vendor('OpenAI'), '2026-06-01', 4_000n),
  ];
  for (const group_rows of [1, 2, 3, 4]) {
    const snapshots = new GivenSnapshots(() => ({ ...ACCOUNT, ai_spend: spend }), group_rows);
    const browser = openBrowser(fakeApp({ snapshots }).app);
    await browser.signIn(TOKENS.personal);
    const shown = async (view: string): Promise<readonly string[]> => {
      const page = await browser.page(
        `/snapshots/${LATEST}/tables/ai_spend?columns=biller,billed_cents${view}`,
      );
      const [, rows = ''] = page.split('<tr class="sum">');
      return rows
        .split('<tr>')
        .slice(1)
        .map((row) => textOf(row.slice(0, row.indexOf('</tr>'))));
    };
    const all = ['Acme AI $0.01', 'OpenAI $0.20', 'Anthropic $3.00', 'OpenAI $40.00'];
    expect([group_rows, await shown('')]).toEqual([group_rows, all]);
    expect(await shown('&sort=-billed_cents')).toEqual(all.toReversed());
    expect(await shown('&biller=OpenAI')).toEqual(['OpenAI $0.20', 'OpenAI $40.00']);
  }
});

const cost = (vendor_id: bigint | null, vendor_name: string | null, usd_amount_cents: bigint) => ({
  initiative_id: 101n,
  currency: 'USD',
  vendor_id,
  vendor_name,
  usd_amount_cents,
});
const COSTS = {
  initiatives: [
    { initiative_id: 101n, title: 'Quotes', stage: 'live', currency: 'USD', planned_value_cents: 0n },
  ],
  // Vendor 7 was recorded under four names, before and after another vendor was merged into it.
  costs: [
    cost(7n, 'openai', 500n),
    cost(7n, 'OpenAI LLC', 20n),
    cost(7n, 'Open AI, Inc.', 3n),
    cost(7n, ' OpenAI', 70n),
    cost(8n, 'Open AI', 100n),
    cost(null, null, 1n),
  ],
};

/** The lines of an initiative's cost by vendor: name, amount, and the total of the rows behind its link. */
async function vendorsOf(tables: Parameters<typeof signedInToRows>[0]) {
  const browser = await signedInToRows({ ...ACCOUNT, ...COSTS, ...tables });
  const page = await browser.page('/initiatives/101');
  const [, table = ''] = page.split('id="cost-by-vendor"');
  const rows = [
    ...table
      .slice(0, table.indexOf('<tr class="sum">'))
      .matchAll(/<a href="([^"]+)">([^<]+)<.*?<td class="r">([^<]+)</gs),
  ];
  return await Promise.all(
    rows.map(async ([, link = '', name = '', amount = '']) => {
      const address = link.replaceAll('&amp;', '&').replace('../', '');
      return [name, amount, await totalAt(browser, address, 'Dollars')];
    }),
  );
}

it('a vendor with several recorded names is one line of an initiative, under its own name', async () => {
  const api_vendor_names = [
    { vendor_id: 7n, name: 'OpenAI' },
    { vendor_id: 8n, name: 'Open AI' },
  ];
  expect(await vendorsOf({ api_vendor_names })).toEqual([
    ['OpenAI', '$5.93', '$5.93'],
    ['Open AI', '$1.00', '$1.00'],
    ['no vendor named', '$0.01', '$0.01'],
  ]);
});

it('the rows of costs name the vendor by its one name, and have the recorded name in a column of its own', async () => {
  const browser = await signedInToRows({
    ...ACCOUNT,
    ...COSTS,
    api_vendor_names: [
      { vendor_id: 7n, name: 'OpenAI' },
      { vendor_id: 8n, name: 'Open AI' },
    ],
  });
  const at = '/snapshots/20261120T020000Z/tables/costs';
  const rows = textOf(await browser.page(`${at}?vendor_id=7`));
  expect(rows).toContain('Vendor is OpenAI');
  expect(rows).not.toContain('OpenAI LLC');
  expect(textOf(await browser.page(`${at}?columns=vendor_id,vendor_name`))).toContain('OpenAI OpenAI LLC');
});

it('the months of bills stand the newest first, and leave out a month of card charges alone', async () => {
  const card = (month: string) => ({ ...bill({ source_kind: 'card' }, month, 99n), ai_billed_cents: 0n });
  const browser = await signedInToRows({
    ...ACCOUNT,
    ai_spend: [
      bill(vendor('Acme AI'), '2026-04-01', 200n),
      card('2026-05-01'),
      bill(vendor('Acme AI'), '2026-06-01', 300n),
    ],
  });
  const [, months = ''] = (await browser.page('/ai-spend')).split('id="by-month"');
  const table = months.slice(0, months.indexOf('</table>'));
  const linked = [...table.matchAll(/month=(2026-\d\d)/g)].map(([, month]) => month);
  expect([...new Set(linked)]).toEqual(['2026-06', '2026-04']);
});

it('an account without a bill reads how to load them, and sees no empty table', async () => {
  const browser = await signedInToRows(ACCOUNT);
  const page = textOf(await browser.page('/ai-spend'));
  expect(page).toContain('No bill and no card charge is in this snapshot. How to load bills');
  expect(page).not.toContain('By month');
});
