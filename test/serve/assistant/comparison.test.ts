/** Comparing initiatives, and AI spend: the fixture's figures as its pages work them by hand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asking, openAsking } from './questions.ts';

let asking: Asking;
beforeAll(async () => {
  asking = await openAsking({ readToday: async () => '2026-07-15' });
});
afterAll(() => asking.company.close());

async function structured(tool: string, asked: Record<string, unknown>, account_id = 1) {
  const { structured: answer, text } = await asking.call(tool, asked, account_id);
  if (answer === undefined) throw new Error(text);
  return { answer, text };
}

interface Row {
  readonly id: number;
  readonly stage: string;
  readonly total_cost_cents: number;
  readonly cash_value_cents: number;
  readonly net_value_cents: number;
  readonly roi_percentage: number | null;
}

async function listed(asked: Record<string, unknown>): Promise<readonly Row[]> {
  return (await structured('list_initiatives', asked)).answer['initiatives'] as Row[]; // as the tool declares it
}

async function orderOf(asked: Record<string, unknown>): Promise<unknown> {
  return (await structured('list_initiatives', { ...asked, limit: 1 })).answer['order'];
}

describe('list_initiatives as a comparison', () => {
  it('finds in one call the initiatives that cost more than they brought, the highest cost first', async () => {
    const { answer, text } = await structured('list_initiatives', {
      window: 'fy2026',
      cost_above_value: true,
      sort: 'cost',
    });
    const rows = answer['initiatives'] as Row[];
    // fixtures/TOTALS.md, portfolio fy2026: I103 brought 20,000 of its 66,074, the three others nothing.
    expect(
      rows.map((row) => [row.id, row.total_cost_cents, row.cash_value_cents, row.net_value_cents]),
    ).toEqual([
      [105, 154_378, 0, -154_378],
      [103, 66_074, 20_000, -46_074],
      [112, 50_000, 0, -50_000],
      [110, 5_000, 0, -5_000],
    ]);
    expect(rows[1]?.roi_percentage).toBe(-69.7); // −46,074 ÷ 66,074
    expect(answer).toMatchObject({
      matching: 4,
      has_more: false,
      period: { window: 'fy2026', label: 'FY2026', from: '2025-04-01', through: '2026-03-31' },
      currency: 'USD',
      as_of: '2026-07-15',
    });
    expect(text).toContain('cost 1,543.78 USD, cash value 0.00 USD');
    expect(text).toContain(
      '4 initiatives match, highest cost first. FY2026, from 2025-04-01 through 2026-03-31, as of 2026-07-15',
    );
  });

  it('has of every initiative the figures of /roi, in fiscal windows and months', async () => {
    for (const query of ['window=all', 'window=fy2025-q4', 'from=2026-04']) {
      const [name = '', value] = query.split('=');
      const rows = await listed({ limit: 50, [name]: value });
      expect(rows.length).toBeGreaterThan(10);
      for (const row of rows) {
        const { body } = await asking.company.ask(`/roi?${query}&initiative_id=${row.id}`);
        const served = body as Record<string, unknown>; // the figures of the contract
        for (const figure of [
          'total_cost_cents',
          'cash_value_cents',
          'freed_capacity_cents',
          'net_value_cents',
        ]) {
          expect(row[figure as keyof Row], `${query} ${row.id} ${figure}`).toBe(served[figure]);
        }
        expect(row.roi_percentage === null).toBe(served['roi'] === null);
      }
    }
  });

  it('sorts by each figure, those without an ROI last either way', async () => {
    // All time: cash 1,378,550 of I101 and 659,636 of I102 are the highest.
    expect((await listed({ sort: 'cash_value', limit: 2 })).map(({ id }) => id)).toEqual([101, 102]);
    // Freed capacity: 74,330 of I103 and 60,000 of I101.
    expect((await listed({ sort: 'freed_capacity', limit: 2 })).map(({ id }) => id)).toEqual([103, 101]);
    // Net: 339,166 of I101; the lowest is −287,300 of I113.
    expect((await listed({ sort: 'net', limit: 1 }))[0]).toMatchObject({ id: 101, net_value_cents: 339_166 });
    expect((await listed({ sort: 'net', limit: 1, lowest_first: true }))[0]).toMatchObject({
      id: 113,
      net_value_cents: -287_300,
    });
    for (const lowest_first of [true, false]) {
      const rois = (await listed({ sort: 'roi', limit: 50, lowest_first })).map(
        ({ roi_percentage }) => roi_percentage,
      );
      const known = rois.filter((roi) => roi !== null);
      expect(rois.slice(0, known.length)).toEqual(known);
      expect(rois.length).toBeGreaterThan(known.length);
      expect(known).toEqual(known.toSorted((a, b) => (lowest_first ? a - b : b - a)));
    }
  });

  it('names its order', async () => {
    expect(await orderOf({})).toBe('latest change first');
    expect(await orderOf({ lowest_first: true })).toBe('earliest change first');
    expect(await orderOf({ sort: 'freed_capacity' })).toBe('highest freed capacity first');
    expect(await orderOf({ sort: 'roi', lowest_first: true })).toBe('lowest roi first');
  });

  it('filters by one stage, and says how many match beyond the limit', async () => {
    const { answer } = await structured('list_initiatives', { stage: 'live', limit: 1 });
    const { body } = await asking.company.ask('/initiatives?limit=500');
    const live = (body as { data: Row[] }).data.filter(({ stage }) => stage === 'live'); // the envelope of every list
    expect(answer).toMatchObject({ matching: live.length, has_more: true, leaves_out: true });
    expect(live.length).toBeGreaterThan(1);
  });
});

describe('get_ai_spend', () => {
  it('adds up the bills of a fiscal quarter, carried and not, with cards beside', async () => {
    const { answer, text } = await structured('get_ai_spend', { window: 'fy2027-q1' });
    // fixtures/AI_SPEND.md, April to June 2026.
    expect(answer).toMatchObject({
      billed_cents: 836_422, // 438,416 + 298,006 + 100,000
      ai_billed_cents: 686_422, // 390,416 + 256,006 + 40,000
      carried_cents: 330_000, // 210,000 + 80,000 + 40,000
      not_carried_cents: 356_422,
      cards: { billed_cents: 8_500, booked_cents: 2_800 },
      by_month: [
        { month: '2026-04-01', billed_cents: 438_416, ai_billed_cents: 390_416, carried_cents: 210_000 },
        { month: '2026-05-01', billed_cents: 298_006, ai_billed_cents: 256_006, carried_cents: 80_000 },
        { month: '2026-06-01', billed_cents: 100_000, ai_billed_cents: 40_000, carried_cents: 40_000 },
      ],
    });
    // Of fixtures/company/usage.csv: 900 + 960 + 240 dollars for 112.5 + 120 + 24 million tokens.
    expect((answer['by_model'] as unknown[])[0]).toEqual({
      name: 'gpt-5',
      unit: 'output_tokens',
      currency: 'USD',
      recorded: true,
      quantity: 256_500_000,
      cost_cents: 210_000,
      unit_cost: expect.closeTo(0.000_008_187_134_502_924, 18) as number,
    });
    // The bills say list prices of all use, and none of the credit of 150 dollars.
    const rest_cents = { rounding: 0, commitment: 0, credit: 0, tax: 0, correction: 0 };
    expect(answer['list_prices']).toEqual(
      [
        ['EUR', 50_000, 0],
        ['KES', 100_000, 0],
        ['USD', 497_000, -15_000], // 1,500 + 1,600 + 900 + 450 + 120 + 400 dollars
      ].map(([currency, cents, not_compared_cents]) => ({
        currency,
        list_cost_cents: cents,
        priced_cents: cents,
        rest_cents,
        not_compared_cents,
      })),
    );
    expect(text).toContain('List cost 4,970.00 USD: tokens at list prices 4,970.00 USD, rounding 0.00 USD');
    expect(text).toContain('not compared, without a list price: billed -150.00 USD');
    expect((answer['by_vendor'] as unknown[])[0]).toEqual({
      name: 'OpenAI', // both connections to it
      source_kind: 'provider_bill',
      billed_cents: 523_416, // 465,000 + 58,416
      ai_billed_cents: 393_416, // 150,000 + 145,000 + 40,000, and 58,416
      carried_cents: 270_000,
      not_carried_cents: 123_416,
    });
    expect(text).toContain('These bills: billed 8,364.22 USD, AI part 6,864.22 USD');
  });

  it('has of all time the sums of the rows of all months', async () => {
    const { answer, text } = await structured('get_ai_spend', {});
    // fixtures/AI_SPEND.md, "In no row": K843 was charged in euros, and P808 has no rate.
    expect(answer['left_out']).toEqual([
      "1 provider's bill in KES (KES 1,000.00) has no dollar figure and is in no dollar total of AI spend.",
      '1 card charge in EUR (EUR 30.00) is not in dollars and in no dollar total of AI spend.',
    ]);
    expect(text).toContain(
      "Left out, of all vendors and months: 1 provider's bill in KES (KES 1,000.00) has no dollar figure and is in no dollar total of AI spend.",
    );
    // 8,205 of March, 70,440 of July, and two bills of February and March besides, none carried.
    expect(answer).toMatchObject({
      billed_cents: 1_185_067,
      ai_billed_cents: 985_067,
      carried_cents: 330_000,
    });
  });

  it('finds a vendor by a part of its name, else names the vendors with bills', async () => {
    const { answer } = await structured('get_ai_spend', { vendor: 'perplex' });
    expect(answer).toMatchObject({
      billed_cents: 15_000,
      not_carried_cents: 15_000,
      cards: { billed_cents: 0, booked_cents: 0 },
      by_model: [],
      list_prices: [],
    });
    const refused = await asking.call('get_ai_spend', { vendor: 'Qqqq', window: 'fy2027-q1' });
    expect([refused.isError, refused.text.includes('"Mistral AI"')]).toEqual([true, true]);
    expect(refused.text).toContain(
      'No vendor of that name has a bill in this window; vendors with bills are',
    );
  });
});

describe('get_initiative', () => {
  it('says of a plan whether a person confirmed it, and of a budget when it ended', async () => {
    const { answer, text } = await structured('get_initiative', { initiative_id: 104 });
    // The service filled in the plan of I104, and no person confirmed it. Its budget ended in the month of 15 March 2026.
    expect(answer).toMatchObject({
      business_case: { confirmed: false },
      budget: { status: 'within', as_of: '2026-07-15', ended_on: '2026-03-31' },
    });
    expect(text).toContain('The service filled in this plan and no person confirmed it: it is no promise');
    expect(text).toContain('through 2026-07-15: within.');
    expect(text).toContain('The budget ended on 2026-03-31; spend after it counts.');
  });

  it('calls no plan unconfirmed that a person made or confirmed, and no budget ended that is in effect', async () => {
    for (const initiative_id of [101, 113]) {
      const { answer, text } = await structured('get_initiative', { initiative_id });
      expect(answer).toMatchObject({ business_case: { confirmed: true }, budget: { ended_on: null } });
      expect(text).not.toMatch(/no person confirmed|The budget ended/);
    }
  });
});
