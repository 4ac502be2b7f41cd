/** When initiatives carry AI spend, and how much of it: one month each, worked by hand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addInitiative } from '../support/ledger-rows.ts';
import { type AiLedger, openAiLedger } from './ai-sources.ts';

let ai: AiLedger;
beforeAll(async () => {
  ai = await openAiLedger();
});
afterAll(() => ai.database.drop());

describe('attribution', () => {
  it('needs a link, a share of a bill and a booking from one', async () => {
    const month = ai.nextMonth();
    const connection_id = await ai.addConnection();
    const bill = await ai.providerBill(connection_id, month);
    const provider_bill_id = await ai.providerBill(connection_id, month);
    expect(await ai.spendOf(month)).toMatchObject([{ attribution: 'unlinked' }]);
    const linked = await ai.link({ connection_id });
    expect(await ai.spendOf(month)).toMatchObject([{ attribution: 'unmapped' }]);
    await ai.share(linked, { provider_bill_id: bill });
    expect(await ai.spendOf(month)).toMatchObject([{ attribution: 'unbooked', ai_booked_cents: 0n }]);
    // From the bill that no share maps: one of each on any bill of the row is enough.
    await ai.book({ provider_bill_id });
    expect(await ai.spendOf(month)).toMatchObject([
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

  it('is of a month: a share or a booking of another month’s bill does nothing', async () => {
    const [month, other] = [ai.nextMonth(), ai.nextMonth()];
    const connection_id = await ai.addConnection();
    const provider_bill_id = await ai.providerBill(connection_id, other);
    await ai.providerBill(connection_id, month);
    await ai.share(await ai.link({ connection_id }), { provider_bill_id });
    await ai.book({ provider_bill_id });
    expect(await ai.spendOf(month)).toMatchObject([{ attribution: 'unmapped', initiative_count: 0 }]);
    expect(await ai.spendOf(other)).toMatchObject([{ attribution: 'attributed', initiative_count: 1 }]);
  });

  it('takes a sample’s link and share, and never its booking', async () => {
    const month = ai.nextMonth();
    const connection_id = await ai.addConnection();
    const provider_bill_id = await ai.providerBill(connection_id, month);
    await ai.share(await ai.link({ connection_id }, ai.sample), { provider_bill_id });
    await ai.book({ provider_bill_id }, ai.sample);
    expect(await ai.spendOf(month)).toMatchObject([
      { attribution: 'unbooked', initiative_count: 0, ai_booked_cents: 0n },
    ]);
  });

  it('is not changed by setting aside, which is said of every month', async () => {
    const [month, later] = [ai.nextMonth(), ai.nextMonth()];
    const connection = await ai.addConnection({ set_aside_at: '2026-05-12T09:00:00Z' });
    await ai.providerBill(connection, month);
    const provider_bill_id = await ai.providerBill(connection, later);
    await ai.share(await ai.link({ connection_id: connection }), { provider_bill_id });
    await ai.book({ provider_bill_id });
    expect(await ai.spendOf(month)).toMatchObject([{ set_aside: true, attribution: 'unmapped' }]);
    expect(await ai.spendOf(later)).toMatchObject([{ set_aside: true, attribution: 'attributed' }]);
  });

  it('counts each initiative once, and books the AI part that stands on the cost', async () => {
    const month = ai.nextMonth();
    const connection_id = await ai.addConnection();
    const provider_bill_id = await ai.providerBill(connection_id, month);
    await ai.share(await ai.link({ connection_id }), { provider_bill_id });
    const other = await ai.write(() => addInitiative(ai.owner, ai.home.account));
    await ai.book({ provider_bill_id });
    await ai.book({ provider_bill_id, ai_amount_cents: 1_500 });
    await ai.book({ provider_bill_id, ai_amount_cents: null }, other);
    // 20,000 + 1,500 + nothing.
    expect(await ai.spendOf(month)).toMatchObject([{ initiative_count: 2, ai_booked_cents: 21_500n }]);
  });

  it('books no more of AI than was billed', async () => {
    const month = ai.nextMonth();
    const connection_id = await ai.addConnection();
    const provider_bill_id = await ai.providerBill(connection_id, month, { ai_amount_cents: 19_999 });
    await ai.share(await ai.link({ connection_id }), { provider_bill_id });
    await ai.book({ provider_bill_id });
    expect(await ai.spendOf(month)).toMatchObject([{ ai_billed_cents: 19_999n, ai_booked_cents: 19_999n }]);
  });

  it('takes a booking without a dollar figure as one of nothing', async () => {
    const month = ai.nextMonth();
    const connection_id = await ai.addConnection();
    const provider_bill_id = await ai.providerBill(connection_id, month);
    await ai.share(await ai.link({ connection_id }), { provider_bill_id });
    await ai.book({ provider_bill_id, currency: 'KES' });
    expect(await ai.spendOf(month)).toMatchObject([
      { attribution: 'attributed', initiative_count: 1, ai_booked_cents: 0n },
    ]);
  });
});
