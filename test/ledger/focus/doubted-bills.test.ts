/** Bills that another load booked under another name, and tags that cannot be read as they stand. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FocusRequest, loadFocus } from '../../../src/ledger/focus/load-focus.ts';
import { tieLines } from '../../../src/ledger/focus/tie.ts';
import { placedFaults } from '../load/folder.ts';
import { type Charge, charges, csv } from './bills.ts';
import { INVOICES, openBills } from './loaded-bills.ts';

const bills = openBills();
async function loadBill(charge: Charge, more: Partial<FocusRequest> = {}): Promise<readonly string[]> {
  const folder = join(bills.folder(), 'export');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await writeFile(join(folder, 'bill.csv'), csv(charges({ BilledCost: '100.00', ...charge })));
  const loaded = await loadFocus({
    url: bills.database().url('cf_owner'),
    paths: [folder],
    account: BigInt(bills.account()),
    isOwnSnapshot: async () => await Promise.resolve(false),
    ...more,
  });
  return tieLines(loaded);
}

describe('a month that the ledger has of the same billing account', () => {
  it.each<[string, Charge, Partial<FocusRequest>, string]>([
    [
      'under the provider of an older version of FOCUS',
      { ServiceProviderName: 'Acme Web Services', HostProviderName: 'Acme' },
      {},
      'Acme Web Services Main',
    ],
    ['under a provider in another case', { ProviderName: 'acme ai' }, {}, 'acme ai Main'],
    ['from another source', {}, { source: 'acme' }, 'Acme AI Main'],
  ])('%s is named, because it may count twice', async (_, charge, more, name) => {
    await loadBill(INVOICES);
    const lines = await loadBill({ ...INVOICES, ...charge }, more);
    expect(lines).toContain(
      `${name}: the ledger also has 100.00 USD of 2026-10 for billing account acc-1, as Acme AI Main of --source focus; if that is the same bill under another name, it counts twice`,
    );
  });

  it('is not named if the bill is replaced', async () => {
    await loadBill(INVOICES);
    expect((await loadBill(INVOICES)).join()).not.toContain('counts twice');
  });
});

describe('tags', () => {
  it.each(['{initiative=Invoices}', "{'initiative': 'Invoices'}", '"initiative": "Invoices"'])(
    'that are no JSON are named: %s',
    async (Tags) => {
      expect(await loadBill({ Tags })).toContain(
        `bill.csv: read 1 charge without Tags: it is no JSON there, such as ${Tags}`,
      );
    },
  );

  it.each([
    '[{"key":"initiative","value":"Invoices"},{"key":"initiative","value":"Support"}]',
    '[["initiative","Invoices"],["initiative","Support"]]',
  ])('in a list have each key once: %s', async (Tags) => {
    expect(await placedFaults(loadBill({ Tags }))).toEqual([
      [`bill.csv:2 Tags=${Tags}`, 'tags that have each key once; "initiative" stands twice'],
    ]);
  });

  it.each([
    ['Tags', '{"initiative":"a\\u0000b"}'],
    ['Tags', '{"initiative":"a\\ud83d"}'],
    ['SkuPriceDetails', '{"ModelId":"m\\u0000"}'],
  ])('that the ledger cannot keep are refused with their place: %s %s', async (column, text) => {
    expect(await placedFaults(loadBill({ [column]: text }))).toEqual([
      [
        `bill.csv:2 ${column}=${text}`,
        'JSON of whole letters, without U+0000 and without half a letter such as "\\ud83d" alone',
      ],
    ]);
  });
});

it.each([
  ['ConsumedQuantity', '1,200', 'ConsumedQuantity'],
  ['ConsumedQuantity', '1e30', 'ConsumedQuantity'],
  ['ListCost', 'n/a', 'ListCost'],
  // The use and the list price both read it; it counts once.
  ['PricingQuantity', 'many', 'PricingQuantity'],
])('a number of use that cannot be read or kept is named: %s %s', async (column, text, named) => {
  expect(await loadBill({ ConsumedUnit: 'Tokens', PricingUnit: 'Tokens', [column]: text })).toContain(
    `bill.csv: read 1 charge without ${named}: it is no decimal number there, such as ${text}`,
  );
});

it('a billing account that no index can hold is refused with its place', async () => {
  const long = Array.from({ length: 3_000 }, (_, index) => String(index * 7_919)).join('-');
  expect(await placedFaults(loadBill({ BillingAccountId: long }))).toEqual([
    [
      expect.stringMatching(/^bill\.csv:2 BillingAccountId=0-7919-/),
      'with its provider at most 2000 bytes: a bill is found again by both',
    ],
  ]);
});

it('a time may say UTC as +00', async () => {
  const lines = await loadBill({
    ChargePeriodStart: '2026-10-01 00:00:00+00',
    ChargePeriodEnd: '2026-10-02 00:00:00+00',
  });
  expect(lines.join()).toContain('100.00');
});
