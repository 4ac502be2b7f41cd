/** What AI spend makes of bills and charges: one month each, worked by hand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AiLedger, openAiLedger } from './ai-sources.ts';

let ai: AiLedger;
beforeAll(async () => {
  ai = await openAiLedger();
});
afterAll(() => ai.database.drop());

/** 1.5 dollars to the euro. */
const EURO = {
  currency: 'EUR',
  usd_rate: '1.5',
  usd_rate_from: '2020-01-02',
  usd_rate_through: '2020-01-31',
};

describe('a provider’s connection', () => {
  it('has a row a month, with its platform, name and what was billed', async () => {
    const month = ai.nextMonth();
    const connection_id = await ai.addConnection();
    await ai.providerBill(connection_id, month);
    expect(await ai.spendOf(month)).toEqual([
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
    const month = ai.nextMonth();
    const connection = await ai.addConnection();
    await ai.providerBill(connection, month);
    await ai.providerBill(connection, month, { amount_cents: -15_000, ai_amount_cents: -15_000 });
    await ai.providerBill(connection, month, { ...EURO, amount_cents: 1_001, ai_amount_cents: 1_000 });
    // 100,000 - 15,000 + 1,001 x 1.5 = 1,501.5, rounded to 1,502; of AI 60,000 - 15,000 + 1,000 x 1.5.
    expect(await ai.spendOf(month)).toMatchObject([{ billed_cents: 86_502n, ai_billed_cents: 46_500n }]);
  });

  it('has no row for a bill without a rate', async () => {
    const month = ai.nextMonth();
    await ai.providerBill(await ai.addConnection(), month, { currency: 'KES' });
    expect(await ai.spendOf(month)).toEqual([]);
  });

  it('has separate rows for each connection and each month', async () => {
    const [month, later] = [ai.nextMonth(), ai.nextMonth()];
    const [first, second] = [await ai.addConnection(), await ai.addConnection({ name: null })];
    await ai.providerBill(first, month);
    await ai.providerBill(second, month, { amount_cents: 7 });
    await ai.providerBill(first, later, { amount_cents: 9 });
    expect(await ai.spendOf(month)).toMatchObject([
      { connection_id: first, billed_cents: 100_000n },
      { connection_id: second, billed_cents: 7n, connection_name: null },
    ]);
    expect(await ai.spendOf(later)).toMatchObject([{ connection_id: first, billed_cents: 9n }]);
  });
});

describe('an AI vendor', () => {
  it('has one row a month for the books and the card feeds, with the booked amount', async () => {
    const month = ai.nextMonth();
    const vendor_id = await ai.addVendor({ name: 'Anthropic' });
    const vendor_bill_id = await ai.vendorBill(vendor_id, month);
    await ai.vendorBill(vendor_id, month, { feed: 'card_feed', amount_cents: 500, ai_amount_cents: 500 });
    await ai.share(await ai.link({ vendor_id }), { vendor_bill_id });
    await ai.book({ vendor_bill_id });
    expect(await ai.spendOf(month)).toEqual([
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

  it('has a booked amount of 0 before any booking, and states bookings even when unlinked', async () => {
    const month = ai.nextMonth();
    const vendor = await ai.addVendor();
    const vendor_bill_id = await ai.vendorBill(vendor, month);
    expect(await ai.spendOf(month)).toMatchObject([{ booked_cents: 0n, attribution: 'unlinked' }]);
    await ai.book({ vendor_bill_id });
    expect(await ai.spendOf(month)).toMatchObject([
      { booked_cents: 30_000n, attribution: 'unlinked', initiative_count: 1, ai_booked_cents: 0n },
    ]);
  });

  it('is a vendor flagged as AI', async () => {
    const month = ai.nextMonth();
    await ai.vendorBill(await ai.addVendor({ is_ai: false }), month);
    expect(await ai.spendOf(month)).toEqual([]);
  });

  it('is not mixed up with a connection or a bill of the same number', async () => {
    const month = ai.nextMonth();
    const vendor_id = await ai.addVendor({ id: 900_001 });
    await ai.addConnection({ id: 900_001 });
    const vendor_bill_id = await ai.vendorBill(vendor_id, month, { id: 900_002 });
    await ai.providerBill(vendor_id, month, { id: 900_002 });
    await ai.share(await ai.link({ vendor_id }), { vendor_bill_id });
    await ai.book({ vendor_bill_id });
    expect(await ai.spendOf(month)).toMatchObject([
      { source_kind: 'ai_vendor', attribution: 'attributed', initiative_count: 1 },
      { source_kind: 'provider_bill', attribution: 'unlinked', initiative_count: 0 },
    ]);
  });

  it('takes the bills and links of those merged into it, under its own name', async () => {
    const month = ai.nextMonth();
    const merged = await ai.addVendor({ set_aside_at: '2026-05-12T09:00:00Z' });
    const survivor = await ai.addVendor({ name: 'The survivor' });
    const vendor_bill_id = await ai.vendorBill(merged, month);
    await ai.vendorBill(survivor, month, { amount_cents: 1, ai_amount_cents: 1 });
    await ai.share(await ai.link({ vendor_id: merged }), { vendor_bill_id });
    await ai.write(() =>
      ai.owner.query('update ledger.vendors set merged_into_id = $1 where id = $2', [survivor, merged]),
    );
    expect(await ai.spendOf(month)).toMatchObject([
      { vendor_name: 'The survivor', billed_cents: 100_001n, attribution: 'unbooked', set_aside: false },
    ]);
  });

  it('says that it was set aside', async () => {
    const month = ai.nextMonth();
    await ai.vendorBill(await ai.addVendor({ set_aside_at: '2026-05-12T09:00:00Z' }), month);
    expect(await ai.spendOf(month)).toMatchObject([{ set_aside: true, attribution: 'unlinked' }]);
  });
});

describe('the cards', () => {
  it('have one row a month for all feeds, refunds negative, and state no attribution', async () => {
    const month = ai.nextMonth();
    const vendor_id = await ai.addVendor();
    const day = `${month.slice(0, 7)}-28`;
    const [first, second] = [await ai.addConnection(), await ai.addConnection()];
    const card_charge_id = await ai.charge(first, day, { vendor_id });
    await ai.charge(second, day, { vendor_id: await ai.addVendor(), amount_cents: 2_800 });
    await ai.charge(first, day, { vendor_id, amount_cents: -1_000 });
    // None of these counts: another currency, though converted, no vendor, and one not flagged as AI.
    await ai.charge(first, day, { vendor_id, ...EURO });
    await ai.charge(first, day, { vendor_id: null });
    await ai.charge(first, day, { vendor_id: await ai.addVendor({ is_ai: false }) });
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
    expect(await ai.spendOf(month)).toEqual([cards]);
    await ai.book({ card_charge_id });
    await ai.book({ card_charge_id }, ai.sample);
    expect(await ai.spendOf(month)).toEqual([{ ...cards, booked_cents: 30_000n }]);
  });

  it('add nothing to the vendor’s own row', async () => {
    const month = ai.nextMonth();
    const vendor_id = await ai.addVendor();
    await ai.vendorBill(vendor_id, month);
    const card_charge_id = await ai.charge(await ai.addConnection(), month, { vendor_id });
    await ai.book({ card_charge_id });
    expect(await ai.spendOf(month)).toMatchObject([
      { source_kind: 'ai_vendor', billed_cents: 100_000n, booked_cents: 0n, initiative_count: 0 },
      { source_kind: 'card', billed_cents: 4_200n, booked_cents: 30_000n },
    ]);
  });

  it('count a charge of a vendor that was merged into one flagged as AI', async () => {
    const month = ai.nextMonth();
    await ai.charge(await ai.addConnection(), month, {
      vendor_id: await ai.addVendor({ is_ai: false, merged_into_id: await ai.addVendor() }),
    });
    expect(await ai.spendOf(month)).toMatchObject([{ source_kind: 'card', billed_cents: 4_200n }]);
  });
});
