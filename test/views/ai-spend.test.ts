/** What AI spend makes of bills, charges, links, shares and bookings: one month each, worked by hand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Row, addCost, addInitiative } from '../support/ledger-rows.ts';
import { type ViewLedger, openLedger } from './a-ledger.ts';
import { tableRows } from './a-table.ts';

let ledger: ViewLedger;
let sample: bigint;
let months = 0;
beforeAll(async () => {
  ledger = await openLedger();
  sample = await ledger.write(() => addInitiative(ledger.owner, ledger.home.account, { is_sample: true }));
  await ledger.owner.query(
    `insert into ledger.platforms (key, name, category) values ('openai', 'OpenAI', 'ai')`,
  );
});
afterAll(() => ledger.database.drop());

/** 1.5 dollars to the euro. */
const EURO = {
  currency: 'EUR',
  usd_rate: '1.5',
  usd_rate_from: '2020-01-02',
  usd_rate_through: '2020-01-31',
};

const addConnection = (row: Row = {}): Promise<bigint> =>
  ledger.add('ledger.connections', { platform_key: 'openai', name: 'OpenAI', status: 'active', ...row });

let vendors = 0;
const addVendor = (row: Row = {}): Promise<bigint> =>
  ledger.add('ledger.vendors', { name: `Vendor ${++vendors}`, is_ai: true, ...row });

/** A month of its own for each test, so that rows of others never add to it. */
function nextMonth(): string {
  const at = months++;
  return `${2000 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-01`;
}

/** Bills of 1,000.00 dollars, of which 600.00 are for AI. */
const BILLED = { amount_cents: 100_000, ai_amount_cents: 60_000, currency: 'USD' };
const providerBill = (connection_id: bigint, month: string, row: Row = {}): Promise<bigint> =>
  ledger.add('ledger.provider_bills', { connection_id, month, ...BILLED, ...row });
const vendorBill = (vendor_id: bigint, month: string, row: Row = {}): Promise<bigint> =>
  ledger.add('ledger.vendor_bills', { vendor_id, month, feed: 'books', ...BILLED, ...row });

const link = (row: Row, initiative_id = ledger.home.initiative): Promise<bigint> =>
  ledger.add('ledger.ai_spend_links', { initiative_id, ...row });
const share = (link_id: bigint, row: Row): Promise<bigint> =>
  ledger.add('ledger.bill_shares', { link_id, share: '0.5', ...row });
/** A booking of 300.00 dollars, of which 200.00 are for AI. */
const book = (row: Row, initiative = ledger.home.initiative): Promise<bigint> =>
  ledger.write(() =>
    addCost(
      ledger.owner,
      { ...ledger.home, initiative },
      { amount_cents: 30_000, ai_amount_cents: 20_000, ...row },
    ),
  );

/** The rows of one month; each source's of its own. */
async function spendOf(month: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const rows = await tableRows(ledger, 'ai_spend');
  return rows.filter((row) => row['month'] === month);
}

describe('a provider’s connection', () => {
  it('has a row a month, with its platform, name and what was billed', async () => {
    const month = nextMonth();
    const connection_id = await addConnection();
    await providerBill(connection_id, month);
    expect(await spendOf(month)).toEqual([
      {
        month,
        source_kind: 'provider_bill',
        connection_id,
        platform: 'openai',
        connection_name: 'OpenAI',
        vendor_name: null,
        billed_cents: 100_000n,
        currency: 'USD',
        attribution: 'unlinked',
        set_aside: false,
        initiative_count: 0,
        booked_cents: null,
        ai_billed_cents: 60_000n,
        ai_booked_cents: 0n,
      },
    ]);
  });

  it('sums the bills of its month, credits negative, in dollars', async () => {
    const month = nextMonth();
    const connection = await addConnection();
    await providerBill(connection, month);
    await providerBill(connection, month, { amount_cents: -15_000, ai_amount_cents: -15_000 });
    await providerBill(connection, month, { ...EURO, amount_cents: 1_001, ai_amount_cents: 1_000 });
    // 100,000 - 15,000 + 1,001 x 1.5 = 1,501.5, rounded to 1,502; of AI 60,000 - 15,000 + 1,000 x 1.5.
    expect(await spendOf(month)).toMatchObject([{ billed_cents: 86_502n, ai_billed_cents: 46_500n }]);
  });

  it('has no row for a bill without a rate', async () => {
    const month = nextMonth();
    await providerBill(await addConnection(), month, { currency: 'KES' });
    expect(await spendOf(month)).toEqual([]);
  });

  it('keeps a row of its own beside another’s and beside its other months', async () => {
    const [month, later] = [nextMonth(), nextMonth()];
    const [first, second] = [await addConnection(), await addConnection({ name: null })];
    await providerBill(first, month);
    await providerBill(second, month, { amount_cents: 7 });
    await providerBill(first, later, { amount_cents: 9 });
    expect(await spendOf(month)).toMatchObject([
      { connection_id: first, billed_cents: 100_000n },
      { connection_id: second, billed_cents: 7n, connection_name: null },
    ]);
    expect(await spendOf(later)).toMatchObject([{ connection_id: first, billed_cents: 9n }]);
  });
});

describe('attribution', () => {
  it('needs a link, a share of a bill and a booking from one', async () => {
    const month = nextMonth();
    const connection_id = await addConnection();
    const bill = await providerBill(connection_id, month);
    const provider_bill_id = await providerBill(connection_id, month);
    expect(await spendOf(month)).toMatchObject([{ attribution: 'unlinked' }]);
    const linked = await link({ connection_id });
    expect(await spendOf(month)).toMatchObject([{ attribution: 'unmapped' }]);
    await share(linked, { provider_bill_id: bill });
    expect(await spendOf(month)).toMatchObject([{ attribution: 'unbooked', ai_booked_cents: 0n }]);
    // From the bill that no share maps: one of each on any bill of the row is enough.
    await book({ provider_bill_id });
    expect(await spendOf(month)).toMatchObject([
      {
        attribution: 'attributed',
        initiative_count: 1,
        billed_cents: 200_000n,
        ai_billed_cents: 120_000n,
        ai_booked_cents: 20_000n,
        booked_cents: null,
      },
    ]);
  });

  it('is of a month: a share or a booking of another one’s bill does nothing', async () => {
    const [month, other] = [nextMonth(), nextMonth()];
    const connection_id = await addConnection();
    const provider_bill_id = await providerBill(connection_id, other);
    await providerBill(connection_id, month);
    await share(await link({ connection_id }), { provider_bill_id });
    await book({ provider_bill_id });
    expect(await spendOf(month)).toMatchObject([{ attribution: 'unmapped', initiative_count: 0 }]);
    expect(await spendOf(other)).toMatchObject([{ attribution: 'attributed', initiative_count: 1 }]);
  });

  it('takes a sample’s link and share, and never its booking', async () => {
    const month = nextMonth();
    const connection_id = await addConnection();
    const provider_bill_id = await providerBill(connection_id, month);
    await share(await link({ connection_id }, sample), { provider_bill_id });
    await book({ provider_bill_id }, sample);
    expect(await spendOf(month)).toMatchObject([
      { attribution: 'unbooked', initiative_count: 0, ai_booked_cents: 0n },
    ]);
  });

  it('is not changed by setting aside, which is said of every month', async () => {
    const [month, later] = [nextMonth(), nextMonth()];
    const connection = await addConnection({ set_aside_at: '2026-05-12T09:00:00Z' });
    await providerBill(connection, month);
    const provider_bill_id = await providerBill(connection, later);
    await share(await link({ connection_id: connection }), { provider_bill_id });
    await book({ provider_bill_id });
    expect(await spendOf(month)).toMatchObject([{ set_aside: true, attribution: 'unmapped' }]);
    expect(await spendOf(later)).toMatchObject([{ set_aside: true, attribution: 'attributed' }]);
  });

  it('counts each initiative once, and books the AI part that stands on the cost', async () => {
    const month = nextMonth();
    const connection_id = await addConnection();
    const provider_bill_id = await providerBill(connection_id, month);
    await share(await link({ connection_id }), { provider_bill_id });
    const other = await ledger.write(() => addInitiative(ledger.owner, ledger.home.account));
    await book({ provider_bill_id });
    await book({ provider_bill_id, ai_amount_cents: 1_500 });
    await book({ provider_bill_id, ai_amount_cents: null }, other);
    // 20,000 + 1,500 + nothing.
    expect(await spendOf(month)).toMatchObject([{ initiative_count: 2, ai_booked_cents: 21_500n }]);
  });

  it('books no more of AI than was billed', async () => {
    const month = nextMonth();
    const connection_id = await addConnection();
    const provider_bill_id = await providerBill(connection_id, month, { ai_amount_cents: 19_999 });
    await share(await link({ connection_id }), { provider_bill_id });
    await book({ provider_bill_id });
    expect(await spendOf(month)).toMatchObject([{ ai_billed_cents: 19_999n, ai_booked_cents: 19_999n }]);
  });

  it('takes a booking without a dollar figure as one of nothing', async () => {
    const month = nextMonth();
    const connection_id = await addConnection();
    const provider_bill_id = await providerBill(connection_id, month);
    await share(await link({ connection_id }), { provider_bill_id });
    await book({ provider_bill_id, currency: 'KES' });
    expect(await spendOf(month)).toMatchObject([
      { attribution: 'attributed', initiative_count: 1, ai_booked_cents: 0n },
    ]);
  });
});

describe('an AI vendor', () => {
  it('has one row a month for the books and the card feeds, and says what of it was booked', async () => {
    const month = nextMonth();
    const vendor_id = await addVendor({ name: 'Anthropic' });
    const vendor_bill_id = await vendorBill(vendor_id, month);
    await vendorBill(vendor_id, month, { feed: 'card_feed', amount_cents: 500, ai_amount_cents: 500 });
    await share(await link({ vendor_id }), { vendor_bill_id });
    await book({ vendor_bill_id });
    expect(await spendOf(month)).toEqual([
      {
        month,
        source_kind: 'ai_vendor',
        connection_id: null,
        platform: null,
        connection_name: null,
        vendor_name: 'Anthropic',
        billed_cents: 100_500n,
        currency: 'USD',
        attribution: 'attributed',
        set_aside: false,
        initiative_count: 1,
        booked_cents: 30_000n,
        ai_billed_cents: 60_500n,
        ai_booked_cents: 20_000n,
      },
    ]);
  });

  it('has booked nothing, which is 0, before anything is; and states bookings even when unlinked', async () => {
    const month = nextMonth();
    const vendor = await addVendor();
    const vendor_bill_id = await vendorBill(vendor, month);
    expect(await spendOf(month)).toMatchObject([{ booked_cents: 0n, attribution: 'unlinked' }]);
    await book({ vendor_bill_id });
    expect(await spendOf(month)).toMatchObject([
      { booked_cents: 30_000n, attribution: 'unlinked', initiative_count: 1, ai_booked_cents: 0n },
    ]);
  });

  it('is one that is flagged as AI', async () => {
    const month = nextMonth();
    await vendorBill(await addVendor({ is_ai: false }), month);
    expect(await spendOf(month)).toEqual([]);
  });

  it('is not mixed up with a connection or a bill of the same number', async () => {
    const month = nextMonth();
    const vendor_id = await addVendor({ id: 900_001 });
    await addConnection({ id: 900_001 });
    const vendor_bill_id = await vendorBill(vendor_id, month, { id: 900_002 });
    await providerBill(vendor_id, month, { id: 900_002 });
    await share(await link({ vendor_id }), { vendor_bill_id });
    await book({ vendor_bill_id });
    expect(await spendOf(month)).toMatchObject([
      { source_kind: 'ai_vendor', attribution: 'attributed', initiative_count: 1 },
      { source_kind: 'provider_bill', attribution: 'unlinked', initiative_count: 0 },
    ]);
  });

  it('takes the bills and links of those merged into it, under its own name', async () => {
    const month = nextMonth();
    const merged = await addVendor({ set_aside_at: '2026-05-12T09:00:00Z' });
    const survivor = await addVendor({ name: 'The survivor' });
    const vendor_bill_id = await vendorBill(merged, month);
    await vendorBill(survivor, month, { amount_cents: 1, ai_amount_cents: 1 });
    await share(await link({ vendor_id: merged }), { vendor_bill_id });
    await ledger.write(() =>
      ledger.owner.query('update ledger.vendors set merged_into_id = $1 where id = $2', [survivor, merged]),
    );
    expect(await spendOf(month)).toMatchObject([
      { vendor_name: 'The survivor', billed_cents: 100_001n, attribution: 'unbooked', set_aside: false },
    ]);
  });

  it('says that it was set aside', async () => {
    const month = nextMonth();
    await vendorBill(await addVendor({ set_aside_at: '2026-05-12T09:00:00Z' }), month);
    expect(await spendOf(month)).toMatchObject([{ set_aside: true, attribution: 'unlinked' }]);
  });
});

describe('the cards', () => {
  it('have one row a month for all feeds, refunds negative, and state no attribution', async () => {
    const month = nextMonth();
    const vendor_id = await addVendor();
    const charge = (row: Row): Promise<bigint> =>
      ledger.add('ledger.card_charges', {
        vendor_id,
        charged_on: `${month.slice(0, 7)}-28`,
        amount_cents: 4_200,
        currency: 'USD',
        ...row,
      });
    const [first, second] = [await addConnection(), await addConnection()];
    const card_charge_id = await charge({ connection_id: first });
    await charge({ connection_id: second, vendor_id: await addVendor(), amount_cents: 2_800 });
    await charge({ connection_id: first, amount_cents: -1_000 });
    // None of these counts: another currency, though converted, no vendor, and one not flagged as AI.
    await charge({ connection_id: first, ...EURO });
    await charge({ connection_id: first, vendor_id: null });
    await charge({ connection_id: first, vendor_id: await addVendor({ is_ai: false }) });
    const cards = {
      month,
      source_kind: 'card',
      connection_id: null,
      platform: null,
      connection_name: null,
      vendor_name: null,
      billed_cents: 6_000n,
      currency: 'USD',
      attribution: null,
      set_aside: null,
      initiative_count: null,
      booked_cents: 0n,
      ai_billed_cents: null,
      ai_booked_cents: null,
    };
    expect(await spendOf(month)).toEqual([cards]);
    await book({ card_charge_id });
    await book({ card_charge_id }, sample);
    expect(await spendOf(month)).toEqual([{ ...cards, booked_cents: 30_000n }]);
  });

  it('add nothing to the vendor’s own row', async () => {
    const month = nextMonth();
    const vendor_id = await addVendor();
    await vendorBill(vendor_id, month);
    const card_charge_id = await ledger.add('ledger.card_charges', {
      connection_id: await addConnection(),
      vendor_id,
      charged_on: month,
      amount_cents: 4_200,
      currency: 'USD',
    });
    await book({ card_charge_id });
    expect(await spendOf(month)).toMatchObject([
      { source_kind: 'ai_vendor', billed_cents: 100_000n, booked_cents: 0n, initiative_count: 0 },
      { source_kind: 'card', billed_cents: 4_200n, booked_cents: 30_000n },
    ]);
  });

  it('count a charge of a vendor that was merged into one flagged as AI', async () => {
    const month = nextMonth();
    await ledger.add('ledger.card_charges', {
      connection_id: await addConnection(),
      vendor_id: await addVendor({ is_ai: false, merged_into_id: await addVendor() }),
      charged_on: month,
      amount_cents: 4_200,
      currency: 'USD',
    });
    expect(await spendOf(month)).toMatchObject([{ source_kind: 'card', billed_cents: 4_200n }]);
  });
});
