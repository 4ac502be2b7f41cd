/** /roi over HTTP: its answer field by field, what it refuses, and the one moment it reads at. */
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAccount } from '../../../src/ledger/account-session.ts';
import { readRoiFigures } from '../../../src/serve/live/roi-figures.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { addCost, foundAccount, inAccount } from '../../support/ledger-rows.ts';
import { type Ask, figuresApp } from './figures-app.ts';

let database: TestDatabase;
let owner: Client;
let ask: Ask;
beforeAll(async () => {
  database = await createDatabase('template_company');
  owner = await database.client('cf_owner');
  ask = figuresApp(database, 1n, '2026-07-15');
});
afterAll(() => database.drop());

describe('/roi', () => {
  it('answers for the portfolio and all time by default, every field as worked by hand', async () => {
    const { status, headers, body } = await ask('/roi');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    // fixtures/TOTALS.md, portfolio all, and what it leaves out.
    expect(body).toEqual({
      scope: { type: 'portfolio' },
      period: { window: 'all', label: 'All time', through: '2026-10-05' },
      currency: 'USD',
      cash_value_cents: 2_713_382,
      freed_capacity_cents: 225_785,
      realized_capacity_cents: 135_000,
      total_cost_cents: 3_061_155,
      net_value_cents: -347_773,
      roi: -347_773 / 3_061_155,
      value_left_out: [
        leftOut('BGN', 100_000, 1, 0, 0),
        leftOut('EUR', 540_000, 3, 80_000, 1),
        leftOut('KES', 500_000, 1, 60_000, 1),
      ],
      cost_left_out: [
        { currency: 'CHF', amount_cents: 25_000, entries: 1 },
        { currency: 'EUR', amount_cents: 60_000, entries: 1 },
        { currency: 'KES', amount_cents: 700_000, entries: 1 },
      ],
      provisional_cost_cents: 245_967,
      cost: { capex_cents: 1_609_215, opex_cents: 1_451_940 },
    });
  });

  it('names the initiative it is asked for, and the days of a trailing window', async () => {
    const { body } = await ask('/roi?window=1yr&initiative_id=117');
    expect(body).toEqual({
      scope: { type: 'initiative', id: 117, title: 'Payroll query helper' },
      period: { window: '1yr', label: 'Last 12 months', from: '2025-07-16', through: '2026-07-15' },
      currency: 'USD',
      cash_value_cents: 0,
      freed_capacity_cents: 0,
      realized_capacity_cents: 0,
      total_cost_cents: 6000, // C3087
      net_value_cents: -6000,
      roi: -1,
      value_left_out: [],
      cost_left_out: [],
      provisional_cost_cents: 0,
      cost: { capex_cents: 0, opex_cents: 6000 },
    });
  });

  it('has zeros and no ratio where there is nothing', async () => {
    const { body } = await ask('/roi?initiative_id=108');
    expect(body).toMatchObject({ total_cost_cents: 0, net_value_cents: 0, roi: null });
    expect(body['period']).toEqual({ window: 'all', label: 'All time', through: '2026-07-15' });
  });

  it('counts samples on request, and shows a sample that is named', async () => {
    const { body } = await ask('/roi?include_sample=true');
    expect(body['cash_value_cents']).toBe(3_713_282); // 2713382 + V2091 999900
    const sample = await ask('/roi?initiative_id=116&include_sample=true');
    expect(sample.body).toMatchObject({ scope: { id: 116 }, total_cost_cents: 1000 });
  });

  it('is of the account that asks', async () => {
    const { body } = await figuresApp(database, 2n, '2026-07-15')('/roi');
    expect(body).toMatchObject({
      cash_value_cents: 130_000, // V2501 60000 + V2502 70000
      total_cost_cents: 95_526, // C3501 80000 + C3502 5000 + C3503 9000 × 1.1695 = 10525.5
    });
  });

  it('answers 404 in the same bytes for a foreign, an unknown and a sample initiative', async () => {
    const refused = await Promise.all([201, 999_999, 115].map((id) => ask(`/roi?initiative_id=${id}`)));
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(refused.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it.each([
    'window=2yr',
    'window=ALL',
    'window=',
    'window=1yr&window=1yr',
    'windw=1yr',
    'limit=1',
    'initiative_id=x',
  ])('refuses ?%s, naming the parameter', async (query) => {
    const { status, body } = await ask(`/roi?${query}`);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(query.split('=')[0]);
  });
});

/** The figures of initiative 113 that the windows below tell apart. */
const worked = (cash: number, cost: number) => ({
  cash_value_cents: cash,
  total_cost_cents: cost,
  net_value_cents: cash - cost,
});

describe('a window of /roi in months or fiscal years', () => {
  it.each([
    // April: V2071; C3071 108000 + C3075 60000 + C3076 2800.
    ['from=2026-04&through=2026-04', worked(40_000, 170_800), 'April 2026', '2026-04-01', '2026-04-30'],
    // May and June: V2074; C3073 100000 + C3074 60000.
    [
      'from=2026-05&through=2026-06',
      worked(3_000, 160_000),
      'May 2026 to June 2026',
      '2026-05-01',
      '2026-06-30',
    ],
    // From June, without a last month: V2072 of October; C3074.
    ['from=2026-06', worked(500, 60_000), 'From June 2026', '2026-06-01', '2026-10-31'],
    ['through=2026-04', worked(40_000, 170_800), 'Through April 2026', undefined, '2026-04-30'],
    // The fiscal year begins in April: V2071 + V2074, and all costs; V2072 is in the third quarter.
    ['window=fy2027-q1', worked(43_000, 330_800), 'FY2027 Q1', '2026-04-01', '2026-06-30'],
    ['window=fy2027-q3', worked(500, 0), 'FY2027 Q3', '2026-10-01', '2026-12-31'],
    ['window=fy2026', worked(0, 0), 'FY2026', '2025-04-01', '2026-03-31'],
    // Before the first entry and after the last: well-formed, and empty.
    ['window=fy1-q1', worked(0, 0), 'FY1 Q1', '0000-04-01', '0000-06-30'],
    ['window=fy1', worked(0, 0), 'FY1', '0000-04-01', '0001-03-31'],
    ['window=fy9999-q4', worked(0, 0), 'FY9999 Q4', '9999-01-01', '9999-03-31'],
    ['through=0001-01', worked(0, 0), 'Through January 0001', undefined, '0001-01-31'],
    ['from=9999-12', worked(0, 0), 'From December 9999', '9999-12-01', '9999-12-31'],
  ])(
    '?%s counts the entries that begin in it, as worked by hand',
    async (query, expected, label, from, through) => {
      const { status, body } = await ask(`/roi?initiative_id=113&${query}`);
      expect(status).toBe(200);
      const [, window = 'custom'] = /window=(.*)/.exec(query) ?? [];
      expect(body).toMatchObject(expected);
      expect(body['period']).toEqual({ window, label, ...(from !== undefined && { from }), through });
    },
  );

  it('counts no entry without a date, and floors freed capacity in each month', async () => {
    // V2084 20000 of February, whose V2085 26000 of March became cash; neither C3086 nor V2081 to V2083 has a date.
    const { body } = await ask('/roi?initiative_id=114&through=2026-03');
    expect(body).toMatchObject({ ...worked(26_000, 12_000), freed_capacity_cents: 20_000 });
  });

  it.each([
    [
      'window=fy2026-q5',
      'The parameter window must be one of 1yr, 3yr, 5yr, all, a fiscal year such as fy2026, or a fiscal quarter such as fy2026-q3.',
    ],
    ['from=2026-13', 'The parameter from must be a month such as 2026-01.'],
    ['through=2026-01-31', 'The parameter through must be a month such as 2026-01.'],
    ['window=all&from=2026-01', 'window excludes from and through: send either window, or from and through.'],
    [
      'window=fy2026&through=2026-01',
      'window excludes from and through: send either window, or from and through.',
    ],
    ['from=2026-02&through=2026-01', 'The month of through is before the month of from: exchange them.'],
  ])('?%s is refused, saying what is accepted', async (query, message) => {
    const { status, body } = await ask(`/roi?${query}`);
    expect([status, body]).toEqual([400, { error: { status: 400, message } }]);
  });
});

describe('the figures of one session', () => {
  it('describe one moment, even if rows are committed meanwhile', async () => {
    const home = await foundAccount(owner);
    await inAccount(owner, home.account, () => addCost(owner, home));
    const session = { account_id: home.account, timeout_ms: 10_000, forFigures: true };
    const question = {
      account_id: home.account,
      initiative_id: null,
      include_sample: false,
      window: { kind: 'trailing', key: 'all' },
      moment: { as_of: '2026-07-15', fiscal_year_start_month: 1 },
    } as const;
    const costs = await asAccount(database.pool('cf_reader'), session, async (client) => {
      const before = await readRoiFigures(client, question);
      await inAccount(owner, home.account, () => addCost(owner, home, { currency: 'CHF' }));
      await inAccount(owner, home.account, () => addCost(owner, home));
      const after = await readRoiFigures(client, question);
      return [before, after].map(({ figures, cost_left_out }) => [figures.cost_cents, cost_left_out.length]);
    });
    expect(costs).toEqual([
      [10_000n, 0],
      [10_000n, 0],
    ]);
  });
});

function leftOut(currency: string, amount: number, entries: number, capacity: number, capacities: number) {
  return {
    currency,
    amount_cents: amount,
    entries,
    capacity_amount_cents: capacity,
    capacity_entries: capacities,
  };
}
