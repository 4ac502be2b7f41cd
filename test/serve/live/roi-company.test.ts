/** The company's figures by window, against the page that works all time by hand and against the working here. */
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseWindow } from '../../../src/figures/requested-window.ts';
import { type RoiFigures, type RoiQuestion, readRoiFigures } from '../../../src/serve/live/roi-figures.ts';
import { readWorkedSection, readWorkedTotals } from '../../fixtures/worked/totals.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { inAccount } from '../../support/ledger-rows.ts';

let database: TestDatabase;
let reader: Client;
beforeAll(async () => {
  database = await createDatabase('template_company');
  reader = await database.client('cf_reader');
});
afterAll(() => database.drop());

interface Asked extends Partial<Pick<RoiQuestion, 'initiative_id' | 'include_sample'>> {
  readonly window?: string;
  readonly today?: string;
}

async function figuresOf({
  window: text = 'all',
  today = '2026-07-15',
  ...asked
}: Asked): Promise<RoiFigures> {
  const window = parseWindow(text);
  if (window === null) throw new Error(`${text} is no window`);
  // The fiscal year of the company begins in April.
  const moment = { as_of: today, fiscal_year_start_month: 4 };
  return inAccount(reader, 1n, () =>
    readRoiFigures(reader, {
      account_id: 1n,
      initiative_id: null,
      include_sample: false,
      window,
      moment,
      ...asked,
    }),
  );
}

/** Terms as the page writes them, added up: `C3061 70000 - C3058 5000`. */
function sum(terms: string): bigint {
  let total = 0n;
  for (const [, sign, cents = ''] of terms.matchAll(/([+-] )?[CV]\d+ (\d+)/g)) {
    total += BigInt(cents) * (sign === '- ' ? -1n : 1n);
  }
  return total;
}

describe('all time', () => {
  const leftOut = new Map(readWorkedSection('Left out').map(({ name, result }) => [name, result]));

  it.each(readWorkedTotals().filter(({ total }) => total.window_kind === 'all_time'))(
    'is as worked by hand: $total.scope $total.initiative_id',
    async ({ total }) => {
      const { window, figures, roi } = await figuresOf({ initiative_id: total.initiative_id });
      expect(window).toEqual({ key: 'all', label: 'All time', from: null, through: total.through_date });
      expect(figures).toMatchObject({
        cash_value_cents: total.cash_value_cents,
        freed_capacity_cents: total.freed_capacity_cents,
        cost_cents: total.cost_cents,
        net_value_cents: total.net_value_cents,
        ...(total.capex_cents === null
          ? {}
          : { capex_cents: total.capex_cents, opex_cents: total.opex_cents }),
      });
      // The page has no ratio where cash value is 0; this one is then −1.
      expect(roi).toBe(
        total.cost_cents > 0n ? Number(total.net_value_cents) / Number(total.cost_cents) : null,
      );
    },
  );

  it('says what it leaves out, cash value and capacity apart, and what is provisional, as worked by hand', async () => {
    const found = await figuresOf({});
    expect(found.value_left_out).toEqual([
      // V2044; V2023, V2024 and V2028, and beside them V2026; V2045 and V2048
      row('BGN', { cash: 1n, capacity: 0n }),
      row('EUR', { cash: 3n, capacity: 1n }),
      row('KES', { cash: 1n, capacity: 1n }),
    ]);
    expect(found.cost_left_out).toEqual(
      ['CHF', 'EUR', 'KES'].map((currency) => ({
        currency,
        amount_cents: leftOut.get(`cost_left_out ${currency}`),
        entries: 1n, // C3046, C3022, C3045
      })),
    );
    expect(found.provisional_cost_cents).toBe(leftOut.get('provisional_cost'));
    expect(found.figures.realized_capacity_cents).toBe(leftOut.get('realized_capacity'));
  });

  function row(currency: string, entries: { cash: bigint; capacity: bigint }) {
    return {
      currency,
      amount_cents: leftOut.get(`value_left_out ${currency}`),
      entries: entries.cash,
      capacity_amount_cents: leftOut.get(`capacity_left_out ${currency}`) ?? 0n,
      capacity_entries: entries.capacity,
    };
  }

  it('counts samples when they are asked for', async () => {
    const { figures } = await figuresOf({ include_sample: true });
    expect(figures.cash_value_cents).toBe(sum('V2091 999900') + 2_713_382n);
    expect(figures.cost_cents).toBe(sum('C3091 777700 + C3092 58416 + C3093 1000') + 3_061_155n);
    expect((await figuresOf({ include_sample: true, initiative_id: 116n })).figures.cost_cents).toBe(1000n);
  });
});

describe('a trailing window', () => {
  it('of a year cuts a month in two, and freed capacity is grouped after the cut', async () => {
    const { window, figures, roi, ...beside } = await figuresOf({ window: '1yr', today: '2026-09-08' });
    expect(window).toEqual({
      key: '1yr',
      label: 'Last 12 months',
      from: '2025-09-09',
      through: '2026-09-08', // and not 5 October, where V2072 lies
    });
    const cash = sum(
      'V2033 20000 + V2013 20000 + V2022 348772 + V2043 59126 + V2027 46335 + V2085 26000 + V2034 64000 + V2046 15000 + V2071 40000 + V2035 57345 + V2040 136000 + V2074 3000 + V2019 50000',
    );
    const capex = sum('C3009 45000 + C3051 100000 + C3034 35026 + C3066 40000 + C3055 70000');
    const opex = sum(
      'C3032 20189 + C3043 17738 + C3030 7298 + C3052 20000 + C3054 4378 + C3044 18057 + C3053 30000 + C3067 10000 + C3085 12000 + C3036 10859 + C3033 25000 + C3037 9573 + C3071 108000 + C3072 72000 + C3075 60000 + C3076 2800 + C3073 100000 + C3087 6000 + C3010 35000 + C3074 60000 + C3025 73962 + C3026 75136 + C3011 36000',
    );
    expect([cash, capex, opex]).toEqual([885_578n, 290_026n, 813_990n]);
    expect(figures).toEqual({
      cash_value_cents: 885_578n,
      // I102 in November; I105 and I114 in March and February. V2032 of 1 September is not in the window, V2033 of
      // the 10th is: 0 − 20000, floored, where all time has 94330 − 20000.
      freed_capacity_cents: sum('V2030 14455 + V2047 11000 + V2084 20000'),
      realized_capacity_cents: sum('V2033 20000 + V2085 26000'),
      cost_cents: 1_104_016n, // 290026 + 813990
      capex_cents: 290_026n,
      opex_cents: 813_990n,
      net_value_cents: -218_438n, // 885578 − 1104016
      vendor_price_effect_cents: null,
    });
    expect(roi).toBe(-218_438 / 1_104_016);
    expect(beside).toEqual({
      value_left_out: [
        leftOut('BGN', [100_000n, 1n], [0n, 0n]), // V2044
        leftOut('EUR', [310_000n, 1n], [80_000n, 1n]), // V2023; V2026
        leftOut('KES', [500_000n, 1n], [60_000n, 1n]), // V2045; V2048
      ],
      cost_left_out: [{ currency: 'KES', amount_cents: 700_000n, entries: 1n }], // C3045
      provisional_cost_cents: sum('C3044 18057 + C3025 73962 + C3026 75136'),
    });
  });

  // All time without what has no date, and without what begins before 7 October 2024.
  it('of three years begins the day after the same day three years earlier', async () => {
    const { window, figures, ...beside } = await figuresOf({ window: '3yr', today: '2027-10-06' });
    expect(window).toMatchObject({ label: 'Last 3 years', from: '2024-10-07', through: '2027-10-06' });
    const undated = { cash: sum('V2082 4000 + V2083 7000'), opex: sum(UNDATED_COSTS) };
    const before = {
      cash: sum('V2061 80000 + V2062 60000 + V2001 120000 + V2002 120000'),
      capex: sum('C3061 70000 + C3001 600000 + C3056 50000'),
      opex: sum('C3062 15000 + C3023 65898 + C3002 30000 + C3003 30000'),
    };
    const cash = 2_713_382n - undated.cash - before.cash;
    const capex = 1_609_215n - before.capex;
    const opex = 1_451_940n - undated.opex - before.opex;
    expect([cash, capex, opex]).toEqual([2_322_382n, 889_215n, 1_272_433n]);
    expect(figures).toMatchObject({
      cash_value_cents: cash,
      freed_capacity_cents: 219_785n, // 225785 − 6000 of the undated group of I114
      realized_capacity_cents: 131_000n, // 135000 − V2082 4000
      capex_cents: capex, // with C3021 of 7 October 2024
      opex_cents: opex,
      net_value_cents: 160_734n, // 2322382 − 889215 − 1272433
    });
    expect(beside).toMatchObject({
      value_left_out: [
        leftOut('BGN', [100_000n, 1n], [0n, 0n]),
        leftOut('EUR', [310_000n, 1n], [80_000n, 1n]), // neither V2024 of July 2024 nor V2028 without a date
        leftOut('KES', [500_000n, 1n], [60_000n, 1n]),
      ],
      cost_left_out: [
        { currency: 'CHF', amount_cents: 25_000n, entries: 1n }, // C3046; C3022 is of June 2024
        { currency: 'KES', amount_cents: 700_000n, entries: 1n },
      ],
      provisional_cost_cents: sum('C3044 18057 + C3025 73962 + C3026 75136'),
    });
  });

  it('of five years is without the entry of the day before its first', async () => {
    const { window, figures } = await figuresOf({ window: '5yr', today: '2029-10-07' });
    expect(window).toMatchObject({ label: 'Last 5 years', from: '2024-10-08', through: '2029-10-07' });
    expect(figures).toMatchObject({
      cash_value_cents: 2_322_382n, // as the three years above
      capex_cents: 340_026n, // 889215 − C3021 549189
      opex_cents: 1_272_433n,
      net_value_cents: 709_923n, // 2322382 − 340026 − 1272433
    });
  });

  it('of an initiative has only its own, and no ratio where credits exceed cost', async () => {
    const { figures, roi } = await figuresOf({ window: '1yr', today: '2026-03-31', initiative_id: 106n });
    // From 1 April 2025: the credit C3058, and nothing else of I106.
    expect(figures).toMatchObject({ cash_value_cents: 0n, cost_cents: -5000n, net_value_cents: 5000n });
    expect(roi).toBeNull();
  });

  // The same day a year before 29 February is the 28th, so the window begins on 1 March; that of the 28th a year
  // later begins on the leap day.
  it.each([
    ['2028-02-29', '2027-03-01'],
    ['2029-02-28', '2028-02-29'],
  ])('that ends on %s begins on %s', async (today, from) => {
    expect((await figuresOf({ window: '1yr', today })).window).toMatchObject({ from, through: today });
  });

  const UNDATED_COSTS = 'C3027 11695 + C3028 12914 + C3035 9000 + C3065 3000 + C3086 2000';

  type Sum = readonly [cents: bigint, entries: bigint];
  function leftOut(currency: string, [amount_cents, entries]: Sum, [of, count]: Sum) {
    return { currency, amount_cents, entries, capacity_amount_cents: of, capacity_entries: count };
  }
});
