/** Billers of one name on the page of AI spend: each has its own line, and its link leads to the rows of that line alone. */
import { expect, it } from 'vitest';
import { signedInToRows } from '../given-snapshots.ts';
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
async function linesOf(ai_spend: readonly ReturnType<typeof bill>[]) {
  const browser = await signedInToRows({ ...ACCOUNT, ai_spend });
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

it('two connections to one platform, and a vendor of its name, are three lines that words tell apart', async () => {
  const lines = await linesOf([
    bill(connection(1n, 'openai', 'Research'), '2026-05-01', 400n),
    bill(connection(2n, 'openai', 'Support'), '2026-05-01', 70n),
    bill(vendor('OpenAI'), '2026-05-01', 5n),
    bill(connection(1n, 'openai', 'Research'), '2026-06-01', 30n),
    bill(vendor('Acme AI'), '2026-06-01', 2n),
    { ...bill({ source_kind: 'card' }, '2026-06-01', 99n), ai_billed_cents: 0n },
  ]);
  expect(lines).toEqual([
    ['openai (Research)', '$4.30', '$4.30'],
    ['openai (Support)', '$0.70', '$0.70'],
    ['OpenAI (a vendor)', '$0.05', '$0.05'],
    ['Acme AI', '$0.02', '$0.02'],
  ]);
});

it('two connections of one name, or without one, are told apart by their ids', async () => {
  const lines = await linesOf([
    bill(connection(11n, 'openai', 'Main'), '2026-05-01', 900n),
    bill(connection(12n, 'openai', 'Main'), '2026-05-01', 800n),
    bill(connection(13n, 'openai', null), '2026-05-01', 700n),
    bill(vendor(null), '2026-05-01', 6n),
  ]);
  expect(lines).toEqual([
    ['openai (Main, connection 11)', '$9.00', '$9.00'],
    ['openai (Main, connection 12)', '$8.00', '$8.00'],
    ['openai (connection 13)', '$7.00', '$7.00'],
    ['not named', '$0.06', '$0.06'],
  ]);
});

it('an account without a bill reads how to load them, and sees no empty table', async () => {
  const browser = await signedInToRows(ACCOUNT);
  const page = textOf(await browser.page('/ai-spend'));
  expect(page).toContain('No bill and no card charge is in this snapshot. How to load bills');
  expect(page).not.toContain('By month');
});
