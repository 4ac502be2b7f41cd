/** Checks of the audit of the FOCUS file, each on three charges written by hand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CheckBench, openChecks } from './check-bench.ts';

/** A cost of two months in euros, a credit without a period or words on the last day of a year, and a leap day in yen. */
const COSTS = `create table file_costs as from (values
  (1, 7, 12345, 'EUR', 1.08::double, true, timestamptz '2026-01-31 00:00:00Z', timestamptz '2026-02-02 00:00:00Z',
    date '2026-01-01', timestamptz '2026-03-05 10:00:00Z', 5, 'Acme', 'tokens', 'Calls'),
  (2, 8, -5, 'USD', null, false, null, timestamptz '2026-05-31 00:00:00Z',
    null, timestamptz '2026-12-31 23:59:59.999999Z', null, null, 'other', '  '),
  (3, 7, 0, 'JPY', null, false, timestamptz '2024-02-29 00:00:00Z', null,
    date '2024-02-01', timestamptz '2026-03-05 10:00:00Z', null, 'Büro', 'software', null)
) as rows (cost_entry_id, initiative_id, amount_cents, currency, usd_rate, locked, period_start, period_end,
  period_month, created_at, recurring_cost_id, vendor_name, cost_type, description)`;

interface Charge {
  readonly id: number;
  readonly initiative: number;
  readonly cost: string;
  readonly currency: string;
  readonly rate: string;
  readonly locked: boolean;
  readonly undated: boolean;
  readonly days: readonly [start: string, end: string];
  readonly months: readonly [start: string, end: string];
  readonly words: readonly [
    charge: string,
    frequency: string,
    vendor: string,
    service: string,
    category: string,
  ];
  readonly description: string;
}

const AI = 'AI and Machine Learning';
const CHARGES: readonly Charge[] = [
  {
    id: 1,
    initiative: 7,
    cost: '123.45',
    currency: 'EUR',
    rate: '1.08',
    locked: true,
    undated: false,
    days: ['2026-01-31', '2026-02-03'],
    months: ['2026-01-01', '2026-02-01'],
    words: ['Usage', 'Recurring', 'Acme', 'tokens', AI],
    description: 'Calls',
  },
  {
    id: 2,
    initiative: 8,
    cost: '-0.05',
    currency: 'USD',
    rate: '1',
    locked: false,
    undated: true,
    days: ['2026-12-31', '2027-01-01'],
    months: ['2026-12-01', '2027-01-01'],
    words: ['Credit', 'One-Time', 'Not recorded', 'other', 'Other'],
    description: 'other',
  },
  {
    id: 3,
    initiative: 7,
    cost: '0.00',
    currency: 'JPY',
    rate: 'null',
    locked: false,
    undated: false,
    days: ['2024-02-29', '2024-03-01'],
    months: ['2024-02-01', '2024-03-01'],
    words: ['Usage', 'One-Time', 'Büro', 'software', AI],
    description: 'software',
  },
];

const cost = (amount: string): string => `${amount}::decimal(18, 2)`;
const instant = (day: string): string => `timestamptz '${day} 00:00:00Z'`;

function selectOf({ id, initiative, currency, rate, days, months, words, ...charge }: Charge): string {
  const [category, frequency, vendor, service, ofService] = words;
  const amounts = ['BilledCost', 'ContractedCost', 'EffectiveCost', 'ListCost'];
  const cells = {
    ...Object.fromEntries(amounts.map((name) => [name, cost(charge.cost)])),
    BillingCurrency: `'${currency}'`,
    x_CostEntryId: String(id),
    x_InitiativeId: String(initiative),
    x_Locked: String(charge.locked),
    x_Undated: String(charge.undated),
    x_UsdRate: `${rate}::double`,
    ChargePeriodStart: instant(days[0]),
    ChargePeriodEnd: instant(days[1]),
    BillingPeriodStart: instant(months[0]),
    BillingPeriodEnd: instant(months[1]),
    ChargeCategory: `'${category}'`,
    ChargeFrequency: `'${frequency}'`,
    ChargeClass: 'null::varchar',
    InvoiceId: 'null::varchar',
    PricingQuantity: cost('1'),
    PricingUnit: `'Units'`,
    ProviderName: `'${vendor}'`,
    PublisherName: `'${vendor}'`,
    InvoiceIssuerName: `'${vendor}'`,
    ServiceName: `'${service}'`,
    ServiceCategory: `'${ofService}'`,
    ServiceSubcategory: `'Other (${ofService})'`,
    ChargeDescription: `'${charge.description}'`,
    x_SnapshotId: `'20260715T020000Z'`,
    BillingAccountId: `'crossfoot-account-7'`,
    BillingAccountName: `'Acme'`,
  };
  return `select ${Object.entries(cells)
    .map(([name, sql]) => `${sql} as ${name}`)
    .join(', ')}`;
}

const SOUND = CHARGES.map(selectOf).join(' union all ');
const SNAPSHOT = `create table file_snapshot as
  select '20260715T020000Z' as snapshot_id, 7 as account_id, 'Acme' as account_name`;
const NO_TOTALS = `create table file_reported_totals as select 'portfolio' as scope, null::bigint as initiative_id,
  'all' as window_key, null::date as from_date, null::date as through_date, 0 as cost_cents limit 0`;

let bench: CheckBench;
beforeAll(async () => {
  const sound = `create table sound as ${SOUND}; create table file_focus as from sound`;
  bench = await openChecks('focus', [COSTS, SNAPSHOT, NO_TOTALS, sound].join(';\n'));
});
afterAll(() => bench.close());

/** The places of the findings about a file that this query makes of the sound one, beside further tables. */
async function placesOf(check: string, file: string, more = 'select 1'): Promise<readonly string[]> {
  const found = await bench.findings(check, `${more}; create or replace table file_focus as ${file}`);
  return found.map(({ at }) => at);
}
const changed = (column: string, sql: string, id: number): string =>
  `select * replace (if(x_CostEntryId = ${id}, ${sql}, ${column}) as ${column}) from sound`;

const rowPlace = (id: number): string => `focus x_CostEntryId ${id} the row`;

describe('the check of FOCUS rows', () => {
  it('finds nothing in rows that follow from costs', async () => {
    expect(await placesOf('21-check-rows', 'from sound')).toEqual([]);
  });

  it.each([
    ['BilledCost', '123.46::decimal(18, 2)'],
    ['ContractedCost', '123.46::decimal(18, 2)'],
    ['EffectiveCost', '0::decimal(18, 2)'],
    ['ListCost', '-123.45::decimal(18, 2)'],
    ['BillingCurrency', `'USD'`],
    ['x_InitiativeId', '8'],
    ['x_Locked', 'false'],
    ['x_Undated', 'true'],
    ['x_UsdRate', '1.0800001'],
    ['x_UsdRate', 'null'],
    ['ChargePeriodStart', instant('2026-02-01')],
    ['ChargePeriodEnd', instant('2026-02-02')],
    ['ChargePeriodEnd', `${instant('2026-02-03')} + interval '1 microsecond'`],
    ['BillingPeriodStart', instant('2026-02-01')],
    ['BillingPeriodEnd', instant('2026-03-01')],
    ['ChargeCategory', `'Purchase'`],
    ['ChargeFrequency', `'One-Time'`],
    ['ChargeClass', `'Correction'`],
    ['InvoiceId', `'7'`],
    ['PricingQuantity', '2::decimal(18, 2)'],
    ['PricingUnit', `'Tokens'`],
    ['ProviderName', `'acme'`],
    ['PublisherName', `'Not recorded'`],
    ['InvoiceIssuerName', 'null'],
    ['ServiceName', `'software'`],
    ['ServiceCategory', `'Other'`],
    ['ServiceSubcategory', `'Other (Other)'`],
    ['ChargeDescription', `'tokens'`],
  ])('finds the one row whose %s is %s', async (column, sql) => {
    expect(await placesOf('21-check-rows', changed(column, sql, 1))).toEqual([rowPlace(1)]);
  });

  it('finds a row that costs lacks, a lost row and a row that stands twice', async () => {
    expect(
      await placesOf(
        '21-check-rows',
        'from sound union all select * replace (4 as x_CostEntryId) from sound limit 4',
      ),
    ).toEqual([rowPlace(4)]);
    expect(await placesOf('21-check-rows', 'from sound where x_CostEntryId <> 3')).toEqual([rowPlace(3)]);
    expect(await placesOf('21-check-rows', 'from sound where false')).toEqual([1, 2, 3].map(rowPlace));
  });

  it('looks at the first three stretches of ids that differ', async () => {
    // 0 to 8191 is the first stretch of ids, and each of the others begins with a multiple of 8192.
    const far = [8192, 16_384, 24_576].map(
      (id) => `select * replace (${id} as x_CostEntryId) from sound where x_CostEntryId = 2`,
    );
    expect(await placesOf('21-check-rows', ['from sound', ...far].join(' union all '))).toEqual(
      [16_384, 24_576, 8192].map(rowPlace),
    );
  });
});

describe('the check of FOCUS sums', () => {
  it('finds nothing where each currency and month adds up, and a charge of nothing is counted', async () => {
    expect(await placesOf('22-check-sums', 'from sound')).toEqual([]);
    expect(await placesOf('22-check-sums', 'from sound where x_CostEntryId <> 3')).toEqual([
      'focus JPY 2024-02-01 BilledCost and rows',
    ]);
    const nothing =
      'select * replace (4 as x_CostEntryId, 0::decimal(18, 2) as BilledCost) from sound where x_CostEntryId = 1';
    expect(await placesOf('22-check-sums', `from sound union all ${nothing}`)).toEqual([
      'focus EUR 2026-01-01 BilledCost and rows',
    ]);
  });

  it.each([
    ['a cent more', changed('BilledCost', '-0.04', 2), ['USD 2026-12-01']],
    ['another currency', changed('BillingCurrency', `'CHF'`, 1), ['CHF 2026-01-01', 'EUR 2026-01-01']],
    [
      'another month',
      changed('BillingPeriodStart', instant('2025-12-01'), 1),
      ['EUR 2025-12-01', 'EUR 2026-01-01'],
    ],
  ])('finds %s', async (_, file, places) => {
    expect(await placesOf('22-check-sums', file)).toEqual(
      places.map((each) => `focus ${each} BilledCost and rows`),
    );
  });
});

// 123.45 € at 1.08 are 133.326 dollars, 13333 cents; -5 cents without a period; yen without a rate.
const totals = (
  march: number,
  all: number,
  own: number,
): string => `create or replace table file_reported_totals as from (values
  ('portfolio', null, 'fy2026-q1', date '2026-01-01', date '2026-03-31', ${march}),
  ('portfolio', null, 'fy2025-q4', date '2025-10-01', date '2025-12-31', 0),
  ('portfolio', null, 'all', null, null, ${all}),
  ('initiative', 7, 'all', null, null, ${own}),
  ('initiative', 8, 'all', null, null, -5),
  ('initiative', 8, 'fy2026-q4', date '2026-10-01', date '2026-12-31', 0),
  ('initiative', 9, 'all', null, null, 0)
) as rows (scope, initiative_id, window_key, from_date, through_date, cost_cents)`;
const found = (tables: string, file = 'from sound') => placesOf('23-check-dollars', file, tables);
const one = (id: number, cents: string): string =>
  `select * replace (${id} as x_CostEntryId, ${cents}::decimal(18, 2) as BilledCost, 1.5::double as x_UsdRate)
   from sound where x_CostEntryId = 1`;
const rows = (cents: number): string => `create or replace table file_reported_totals as
  select 'initiative' as scope, 7 as initiative_id, 'all' as window_key, null::date as from_date,
    null::date as through_date, ${cents} as cost_cents`;

describe('the check of FOCUS dollars', () => {
  it('finds nothing where every window adds up; a charge without a period counts in all time alone', async () => {
    expect(await found(totals(13_333, 13_328, 13_333))).toEqual([]);
  });

  it('finds another cent of a window of the portfolio, of all time and of an initiative', async () => {
    expect(await found(totals(13_332, 13_328, 13_333))).toEqual(['focus portfolio fy2026-q1 dollars']);
    expect(await found(totals(13_333, 13_333, 13_333))).toEqual(['focus portfolio all dollars']);
    expect(await found(totals(13_333, 13_328, 13_328))).toEqual(['focus initiative 7 all dollars']);
  });

  it('rounds each charge for itself, half a cent away from zero', async () => {
    // Three charges of 1 cent at 1.5 are 2 cents each; one of -1 cent is -2.
    const file = [one(1, '0.01'), one(2, '0.01'), one(3, '0.01'), one(4, '-0.01')].join(' union all ');
    expect([await found(rows(4), file), await found(rows(3), file)]).toEqual([
      [],
      ['focus initiative 7 all dollars'],
    ]);
  });
});

describe('the check of the snapshot of FOCUS rows', () => {
  it.each([
    ['x_SnapshotId', '20260714T020000Z', '20260714T020000Z crossfoot-account-7 Acme'],
    ['BillingAccountId', 'crossfoot-account-8', '20260715T020000Z crossfoot-account-8 Acme'],
    ['BillingAccountName', 'Other', '20260715T020000Z crossfoot-account-7 Other'],
  ])('finds the row with another %s, once', async (column, value, place) => {
    expect(await placesOf('24-check-snapshot', 'from sound')).toEqual([]);
    expect(await placesOf('24-check-snapshot', changed(column, `'${value}'`, 2))).toEqual([
      `focus ${place} rows`,
    ]);
  });
});
