/** What a bill says of list prices, from its file to the comparison of the rows that are served. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compareList, listDifference } from '../../../src/figures/usage.ts';
import { loadFocus } from '../../../src/ledger/focus/load-focus.ts';
import { listAiUsage } from '../../../src/ledger/lists/ai-usage.ts';
import { sumAiUsage } from '../../../src/ledger/lists/usage-sums.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { foundCompany } from '../load/folder.ts';
import { type Charge, charges, csv, tokens } from './bills.ts';

const account = 81n;
const isOwnSnapshot = async (): Promise<boolean> => await Promise.resolve(false);
let database: TestDatabase;
let url: string;
let folder: string;
beforeAll(async () => {
  database = await createDatabase();
  url = database.url('cf_owner');
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-list-prices-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

const priced = (PricingQuantity: string, ListUnitPrice: string | null, ListCost: string): Charge => ({
  PricingQuantity,
  ListUnitPrice,
  ListCost,
});

it('the use of a bill is compared with list prices by class, and a row with a charge without a price is not', async () => {
  const bill = charges(
    // Two rows of one key: 0.3 + 0.6 at list prices, 0.301 + 0.6 as list cost.
    tokens('Input', '100', '0.2', { ...priced('100', '0.003', '0.301'), CommitmentDiscountId: null }),
    tokens('Input', '200', '0.5', priced('200', '0.003', '0.6')),
    // One of two charges of a key has no price.
    tokens('Output', '10', '1', priced('10', '0.1', '1')),
    tokens('Output', '10', '1.5', priced('10', null, '2')),
    // The same model and unit on another day, with prices.
    tokens('Output', '10', '1', {
      ...priced('10', '0.1', '1'),
      ChargePeriodStart: '2026-10-02T00:00:00Z',
      ChargePeriodEnd: '2026-10-03T00:00:00Z',
    }),
    tokens('Input', '5', '0', { ...priced('5', '0.1', '0.5'), CommitmentDiscountId: 'plan-1' }),
    { ...priced('1', null, '0.25'), BilledCost: '0.25', ChargeCategory: 'Tax' },
    { ...priced('1', null, '-0.5'), BilledCost: '-0.5', ChargeCategory: 'Credit' },
  );
  await foundCompany(database.pool('cf_owner', 1), Number(account));
  await writeFile(join(folder, 'bill.csv'), csv(bill));
  await loadFocus({ url, paths: [join(folder, 'bill.csv')], account, isOwnSnapshot });
  const client = await database.client('cf_owner');
  const page = { account_id: account, horizon: 4_102_444_800_000_000n, after: null, rows: 100 };
  const [rows, sums] = [await listAiUsage(client, page, {}), await sumAiUsage(client, account, null)];
  const differences = rows.map((each) => [each.cost_class, each.unit, listDifference(each)]);
  expect(new Set(differences.map((each) => JSON.stringify(each)))).toEqual(
    new Set(
      [
        ['usage', 'input_tokens', '0.001'],
        ['usage', 'output_tokens', null],
        ['usage', 'output_tokens', '0'],
        ['commitment', 'input_tokens', '0'],
        ['tax', null, '0.25'],
        ['credit', null, '-0.5'],
      ].map((each) => JSON.stringify(each)),
    ),
  );
  // 0.901 + 1 + 0.5 + 0.25 - 0.5 of list cost are 215.1 cents: 240 at list prices, 0.1, 0, -50 and 25. 2.5 dollars stand apart.
  expect(compareList(sums)).toEqual({
    list_cost_cents: 215n,
    priced_cents: 240n,
    rounding_cents: 0n,
    commitment_cents: 0n,
    credit_cents: -50n,
    tax_cents: 25n,
    correction_cents: 0n,
    not_compared_cents: 250n,
  });
});
