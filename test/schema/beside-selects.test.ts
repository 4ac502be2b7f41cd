/** The rows of companion tables and of the FOCUS file, as a build reads them: whole rows, worked by hand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tableSelect } from '../../src/ledger/moment/table-select.ts';
import { instantOf } from '../support/instant-of.ts';
import { addCost, lockMonth, type Row } from '../support/ledger-rows.ts';
import { type AiLedger, openAiLedger } from '../views/ai-sources.ts';
import type { ViewLedger } from '../views/ledger-harness.ts';

const GENERATED_AT = instantOf('2026-07-15T02:00:00.000000Z');

type Cells = Readonly<Record<string, unknown>>;
const rowsOf = ({ home, read }: ViewLedger, table: string): Promise<readonly Cells[]> =>
  read(tableSelect(table, { account_id: home.account, generated_at: GENERATED_AT }));
const plain = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
const undated = { period_start: null, period_end: null };
const midnight = (day: string) => instantOf(`${day}T00:00:00.000000Z`);

describe('the selects of bills, names and charges', () => {
  let ledger: AiLedger;
  beforeAll(async () => {
    ledger = await openAiLedger();
  });
  afterAll(() => ledger.database.drop());

  it('give sums of usage by month, currency, model, unit and class, and what no row of usage has', async () => {
    const { add } = ledger;
    const connection = await ledger.addConnection();
    const bill = (month: string, amount_cents: number, ai_amount_cents: number, currency: string) =>
      ledger.providerBill(connection, month, { amount_cents, ai_amount_cents, currency });
    const april = await bill('2026-04-01', 1000, 700, 'USD');
    await bill('2026-03-01', 500, 200, 'EUR');
    const used = (row: object) => add('ledger.usage', { bill_id: april, used_on: '2026-04-01', ...row });
    const requests = { model: 'b', unit: 'requests' };
    await used({
      ...requests,
      quantity: '1.50',
      billed_cost: '1.10',
      cost_cents: 110,
      list_cost: '2',
      priced_cost: '2',
    });
    await used({
      ...requests,
      used_on: '2026-04-02',
      quantity: '2.5',
      billed_cost: '0.90',
      cost_cents: 90,
      list_cost: '1.5',
      priced_cost: '1',
    });
    await used({ ...requests, billed_cost: '0.5', cost_cents: 50 });
    await used({ is_ai: false, cost_class: 'tax', billed_cost: '0.25', cost_cents: 25 });
    const file = { load_source: 'file', load_ref: 'q-1' };
    await used({ ...file, model: 'B', unit: 'images', quantity: '7' });
    // The bill counts the requests of this day itself.
    await used({ ...file, load_ref: 'q-2', unit: 'requests', quantity: '99' });
    const names =
      'month currency is_ai model unit recorded cost_class has_list_cost has_priced_cost quantity billed_cost list_cost priced_cost cost_cents partial';
    const rows = await rowsOf(ledger, 'api_usage_sums');
    const none = [null, null, null, null];
    // The bill of March has no usage; of April 275 cents of 1,000 have a row.
    expect(rows.map((row) => names.split(' ').map((name) => plain(row[name])))).toEqual([
      ['2026-03-01', 'EUR', false, null, null, false, 'usage', false, false, ...none, 300, false],
      ['2026-03-01', 'EUR', true, null, null, false, 'usage', false, false, ...none, 200, false],
      ['2026-04-01', 'USD', false, null, null, false, 'usage', false, false, ...none, 725, false],
      [
        '2026-04-01',
        'USD',
        false,
        null,
        null,
        true,
        'tax',
        false,
        false,
        null,
        '0.25',
        null,
        null,
        25,
        false,
      ],
      ['2026-04-01', 'USD', true, 'B', 'images', true, 'usage', false, false, '7', null, null, null, 0, true],
      [
        '2026-04-01',
        'USD',
        true,
        'b',
        'requests',
        true,
        'usage',
        false,
        false,
        null,
        '0.5',
        null,
        null,
        50,
        true,
      ],
      [
        '2026-04-01',
        'USD',
        true,
        'b',
        'requests',
        true,
        'usage',
        true,
        true,
        '4',
        '2',
        '3.5',
        '3',
        200,
        false,
      ],
    ]);
  });

  it('give the names of vendors, without a vendor that was merged into another', async () => {
    const [acme, other] = [
      await ledger.addVendor({ name: 'Zeta' }),
      await ledger.addVendor({ name: 'Acme' }),
    ];
    await ledger.addVendor({ name: 'Zeta Inc', merged_into_id: acme });
    expect(await rowsOf(ledger, 'api_vendor_names')).toEqual([
      { vendor_id: acme, name: 'Zeta' },
      { vendor_id: other, name: 'Acme' },
    ]);
  });

  it('give each charge of the FOCUS file with every cell', async () => {
    const { home, owner, write, add } = ledger;
    const recurring_cost_id = await add('ledger.recurring_costs', {
      initiative_id: home.initiative,
      description: 'Seats',
      amount_cents: 1,
      currency: 'EUR',
      cadence: 'monthly',
      starts_on: '2026-01-31',
    });
    const rate = { usd_rate: '1.08', usd_rate_from: '2026-01-30', usd_rate_through: '2026-01-30' };
    const cost = (row: Row) => write(() => addCost(owner, home, row));
    const ids = [
      await cost({
        amount_cents: 12_345,
        currency: 'EUR',
        ...rate,
        recurring_cost_id,
        vendor_name: 'Acme',
        cost_type: 'tokens',
        description: 'Calls',
        period_start: '2026-01-31',
        period_end: '2026-02-02',
      }),
      await cost({
        amount_cents: -5,
        ...undated,
        period_end: '2026-05-31',
        description: '  ',
        created_at: '2026-12-31 23:59:59.999999Z',
      }),
      await cost({
        amount_cents: 0,
        currency: 'JPY',
        vendor_name: 'Büro',
        cost_type: 'software',
        period_start: '2024-02-29',
        period_end: null,
      }),
    ];
    await write(() => lockMonth(owner, home.account, '2026-01-01'));
    const sample = { ...home, initiative: ledger.sample };
    await write(() => addCost(owner, sample));
    const rows = await rowsOf(ledger, 'focus');
    const row = (
      [id, cents, currency, rated]: readonly [number, bigint, string, number | null],
      [locked, without]: readonly [boolean, boolean],
      days: readonly string[],
      [category, frequency, vendor, service, ofService, description]: readonly string[],
    ) => {
      const [start, end, month, next] = days.map(midnight);
      return {
        BilledCost: cents,
        ContractedCost: cents,
        EffectiveCost: cents,
        ListCost: cents,
        BillingCurrency: currency,
        BillingPeriodStart: month,
        BillingPeriodEnd: next,
        ChargePeriodStart: start,
        ChargePeriodEnd: end,
        ChargeCategory: category,
        ChargeClass: null,
        ChargeDescription: description,
        ChargeFrequency: frequency,
        InvoiceId: null,
        PricingQuantity: 100n,
        InvoiceIssuerName: vendor,
        ProviderName: vendor,
        PublisherName: vendor,
        ServiceName: service,
        ServiceCategory: ofService,
        ServiceSubcategory: `Other (${ofService})`,
        x_CostEntryId: ids[id],
        x_InitiativeId: home.initiative,
        x_Locked: locked,
        x_Undated: without,
        x_UsdRate: rated,
      };
    };
    const ai = 'AI and Machine Learning';
    expect(rows).toEqual([
      row(
        [0, 12_345n, 'EUR', 1.08],
        [true, false],
        ['2026-01-31', '2026-02-03', '2026-01-01', '2026-02-01'],
        ['Usage', 'Recurring', 'Acme', 'tokens', ai, 'Calls'],
      ),
      row(
        [1, -5n, 'USD', 1],
        [false, true],
        ['2026-12-31', '2027-01-01', '2026-12-01', '2027-01-01'],
        ['Credit', 'One-Time', 'Not recorded', 'other', 'Other', 'other'],
      ),
      row(
        [2, 0n, 'JPY', null],
        [false, false],
        ['2024-02-29', '2024-03-01', '2024-02-01', '2024-03-01'],
        ['Usage', 'One-Time', 'Büro', 'software', ai, 'software'],
      ),
    ]);
  });
});
