import * as fc from 'fast-check';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CsvRow } from '../fixtures/csv-files.ts';
import { companyRows } from '../fixtures/csv-files.ts';
import {
  type CostDates,
  type ExactRate,
  exactCostRate,
  publishedRates,
  sampleRates,
} from '../fixtures/exact-rates.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';

const SEED = 20_260_715;

let database: TestDatabase;
let owner: Client;
let reader: Client;

beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  reader = await database.client('cf_reader');
});
afterAll(() => database.drop());
beforeEach(() => owner.query('truncate ledger.euro_reference_rates'));

/** Replaces what is published by `<day> <currency> <units per euro>` lines. */
async function publish(...lines: readonly string[]): Promise<readonly CsvRow[]> {
  const rows = lines.map((line) => {
    const [day = '', currency = '', units_per_euro = ''] = line.split(' ');
    return { day, currency, units_per_euro };
  });
  await owner.query('truncate ledger.euro_reference_rates');
  await owner.query(
    'insert into ledger.euro_reference_rates select * from jsonb_populate_recordset(null::ledger.euro_reference_rates, $1)',
    [JSON.stringify(rows)],
  );
  return rows;
}

/** The product's answers, in the order asked. */
async function ratesOf(
  asked: readonly (CostDates & { readonly currency: string; readonly as_of: string })[],
): Promise<readonly ExactRate[]> {
  const { rows } = await reader.query<{ [column: string]: string | null } & { provisional: boolean }>(
    `select r.usd_rate::text as rate, r.usd_rate_from as from, r.usd_rate_through as through, r.usd_rate_provisional as provisional
     from jsonb_array_elements($1::jsonb) with ordinality as asked (cost, place)
     cross join lateral jsonb_to_record(cost) as c (currency text, period_start date, period_end date, booked_on date, as_of date)
     left join lateral service.cost_rate(c.currency, c.period_start, c.period_end, c.booked_on, c.as_of) r on true
     order by place`,
    [JSON.stringify(asked)],
  );
  return rows.map(({ rate, from, through, provisional }) =>
    rate === null ? null : [rate ?? '', from ?? '', through ?? '', provisional],
  );
}

async function rateOf(dates: Partial<CostDates>, as_of = '2026-12-31', currency = 'GBP'): Promise<ExactRate> {
  const cost = { period_start: null, period_end: null, booked_on: '2026-03-02', ...dates, currency, as_of };
  return (await ratesOf([cost]))[0] ?? null;
}

const MARCH = { period_start: '2026-03-01', period_end: '2026-03-31' };

describe('the rate of a cost', () => {
  // Crosses: 1.1 / 0.88 = 1.25 on 2 March, 1.2 / 0.8 = 1.5 on 31 March, 1.0 / 0.5 = 2 on 1 April.
  const SPRING = [
    '2026-03-02 USD 1.1',
    '2026-03-02 GBP 0.88',
    '2026-03-31 USD 1.2',
    '2026-03-31 GBP 0.8',
    '2026-04-01 USD 1.0',
    '2026-04-01 GBP 0.5',
  ];

  it('is the mean over the published days inside a complete period, first and last named', async () => {
    await publish(...SPRING);
    // (1.25 + 1.5) / 2
    expect(await rateOf(MARCH)).toEqual(['1.3750000000', '2026-03-02', '2026-03-31', false]);
    expect(await rateOf({ ...MARCH, period_start: '2026-03-03' })).toEqual([
      '1.5000000000',
      '2026-03-31',
      '2026-03-31',
      false,
    ]);
  });

  it('takes a period without an end to end with the month of its start, leap years included', async () => {
    await publish('2028-02-01 USD 1', '2028-02-29 USD 2', '2028-03-01 USD 9');
    expect(await rateOf({ period_start: '2028-02-01' }, '2028-12-31', 'EUR')).toEqual([
      '1.5000000000', // (1 + 2) / 2: a rate of 1 March is outside
      '2028-02-01',
      '2028-02-29',
      false,
    ]);
  });

  it('is complete once a rate on or after its end is published, and not a day earlier', async () => {
    await publish(...SPRING);
    expect(await rateOf(MARCH, '2026-03-31')).toEqual(['1.3750000000', '2026-03-02', '2026-03-31', false]);
    expect(await rateOf(MARCH, '2026-03-30')).toEqual(['1.2500000000', '2026-03-02', '2026-03-02', true]);
  });

  it('of an incomplete period is the latest published, be it from before the period or inside', async () => {
    await publish(...SPRING);
    const MAY = { period_start: '2026-05-01', period_end: '2026-05-31' };
    expect(await rateOf(MAY)).toEqual(['2.0000000000', '2026-04-01', '2026-04-01', true]);
    const SPAN = { period_start: '2026-03-01', period_end: '2026-05-31' };
    expect(await rateOf(SPAN)).toEqual(['2.0000000000', '2026-04-01', '2026-04-01', true]);
  });

  it('of a complete period without a published day inside is the last before it', async () => {
    await publish(...SPRING);
    const WEEKEND = { period_start: '2026-03-07', period_end: '2026-03-08' };
    expect(await rateOf(WEEKEND)).toEqual(['1.2500000000', '2026-03-02', '2026-03-02', false]);
  });

  it('of an undated cost is that of its booking day, or the last before; provisional until that day is out', async () => {
    await publish(...SPRING);
    expect(await rateOf({ booked_on: '2026-03-31' })).toEqual([
      '1.5000000000',
      '2026-03-31',
      '2026-03-31',
      false,
    ]);
    expect(await rateOf({ booked_on: '2026-03-15' })).toEqual([
      '1.2500000000',
      '2026-03-02',
      '2026-03-02',
      false,
    ]);
    expect(await rateOf({ booked_on: '2026-04-02' })).toEqual([
      '2.0000000000',
      '2026-04-01',
      '2026-04-01',
      true,
    ]);
  });

  it('ignores the end of a period that has no start', async () => {
    await publish(...SPRING);
    expect(await rateOf({ booked_on: '2026-03-31', period_end: '2026-12-31' })).toEqual(
      await rateOf({ booked_on: '2026-03-31' }),
    );
  });

  it('counts a day as published only where dollars and the currency both have a rate', async () => {
    await publish('2026-03-02 GBP 0.5', '2026-03-03 USD 1', '2026-03-04 USD 1', '2026-03-04 GBP 0.8');
    expect(await rateOf(MARCH)).toEqual(['1.2500000000', '2026-03-04', '2026-03-04', true]);
  });

  it('is dollars per euro for the euro', async () => {
    await publish(...SPRING);
    expect(await rateOf(MARCH, '2026-12-31', 'EUR')).toEqual([
      '1.1500000000',
      '2026-03-02',
      '2026-03-31',
      false,
    ]);
  });

  it('is not there before the first rate of the currency, for a currency without rates, and for dollars', async () => {
    await publish(...SPRING);
    expect(await rateOf({ period_start: '2026-02-01' })).toBeNull();
    expect(await rateOf({ booked_on: '2026-03-01' })).toBeNull();
    expect(await rateOf(MARCH, '2026-12-31', 'KES')).toBeNull();
    expect(await rateOf(MARCH, '2026-12-31', 'USD')).toBeNull();
    expect(await rateOf(MARCH, '2026-03-01')).toBeNull();
  });

  // Three crosses of 1/3 and one of 1.0000000002 add up to 2.0000000002: their mean is 0.50000000005, exactly half of the
  // last decimal. Thirds cut off at any decimal would add up to less and be rounded down.
  it('rounds a mean once, half away from zero, and knows that three thirds are one', async () => {
    await publish(
      ...['2026-03-02', '2026-03-03', '2026-03-04'].flatMap((day) => [`${day} USD 1`, `${day} GBP 3`]),
      '2026-03-31 USD 1.0000000002',
      '2026-03-31 GBP 1',
    );
    expect((await rateOf(MARCH))?.[0]).toBe('0.5000000001');
  });

  it('equals the rate computed with exact fractions, for any published rates', async () => {
    const day = fc.integer({ min: 1, max: 28 }).map((date) => `2026-02-${String(date).padStart(2, '0')}`);
    const units = fc.bigInt({ min: 1n, max: 40_000n }).map((tenThousandths) => {
      const digits = String(tenThousandths).padStart(5, '0');
      return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
    });
    const dates = fc
      .record({ first: fc.option(day), last: fc.option(day), booked_on: day })
      .map(({ first, last, booked_on }) => ({
        period_start: first,
        period_end: first !== null && last !== null && last < first ? first : last,
        booked_on,
      }));
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(day, fc.constantFrom('USD', 'USD', 'GBP', 'JPY'), units), {
          maxLength: 40,
          selector: ([on, currency]) => `${on} ${currency}`,
        }),
        fc.array(fc.tuple(fc.constantFrom('EUR', 'GBP', 'JPY'), dates, day), {
          minLength: 20,
          maxLength: 20,
        }),
        async (lines, asked) => {
          const published = publishedRates(await publish(...lines.map((line) => line.join(' '))));
          const found = await ratesOf(asked.map(([currency, cost, as_of]) => ({ ...cost, currency, as_of })));
          expect(found).toEqual(
            asked.map(([currency, cost, as_of]) => exactCostRate(published, currency, cost, as_of)),
          );
        },
      ),
      { seed: SEED, numRuns: 60 },
    );
  });
});

describe('the rates of the company', () => {
  it('are those of exact fractions over the sample, for every period and booking day', async () => {
    const published = sampleRates();
    await publish(
      ...[...published].flatMap(([day, units]) =>
        [...units]
          .filter(([currency]) => currency !== 'EUR')
          .map(([currency, scaled]) => `${day} ${currency} ${decimal(scaled)}`),
      ),
    );
    const asked = [...companyRows('cost_entries').values()].flatMap((row) =>
      ['EUR', 'GBP', 'CHF', 'BGN'].map((currency) => ({
        currency,
        period_start: row['period_start'] ?? null,
        period_end: row['period_end'] ?? null,
        booked_on: new Date(row['created_at'] ?? '').toISOString().slice(0, 10),
        as_of: '2026-07-15',
      })),
    );
    expect(await ratesOf(asked)).toEqual(
      asked.map(({ currency, as_of, ...cost }) => exactCostRate(published, currency, cost, as_of)),
    );
    expect(asked.length).toBeGreaterThan(200);
  });
});

function decimal(scaled: bigint): string {
  const digits = String(scaled).padStart(11, '0');
  return `${digits.slice(0, -10)}.${digits.slice(-10)}`;
}
