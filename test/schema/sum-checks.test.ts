/** Checks of the audit of the sums, each on entries and sums that are worked by hand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CheckBench, openChecks } from './check-bench.ts';
import {
  AMOUNTS,
  AS_OF,
  COSTS,
  LEFT_OUT_COSTS,
  LEFT_OUT_VALUES,
  MONTH_SUMS,
  PROVISIONAL_COSTS,
  UNSETTLED,
  VALUES,
} from './worked-sums.ts';

type Cell = string | number | boolean | null;
const literal = (value: Cell): string => (typeof value === 'string' ? `'${value}'` : String(value));
const rowsOf = (rows: readonly (readonly Cell[])[], names: string): string =>
  `(values ${rows.map((row) => `(${row.map(literal).join(', ')})`).join(', ')}) as rows (${names})`;
const SNAPSHOT = `create table file_snapshot as select date '${AS_OF}' as as_of, 'one' as snapshot_id;`;
const COST_COLUMNS = `initiative_id, period_start::timestamptz as period_start, cost_category, amount_cents, currency,
  usd_amount_cents, usd_rate_provisional`;
const VALUE_COLUMNS = `initiative_id, period_start::timestamptz as period_start, entry_type, amount_cents, currency,
  usd_rate::double as usd_rate, usd_amount_cents, vendor_price_effect_cents`;

const ENTRIES = `${SNAPSHOT}
  create table file_costs as select ${COST_COLUMNS} from ${rowsOf(
    COSTS.map(([initiative, day, category, cents]) => [initiative, day, category, cents, 'USD', cents, null]),
    'initiative_id, period_start, cost_category, amount_cents, currency, usd_amount_cents, usd_rate_provisional',
  )};
  create table file_reported_value as select ${VALUE_COLUMNS} from ${rowsOf(
    VALUES.map(([initiative, day, type, cents, currency, rate, effect]) => [
      initiative,
      day,
      type,
      cents,
      currency,
      rate,
      cents * Number(rate ?? 1),
      effect,
    ]),
    'initiative_id, period_start, entry_type, amount_cents, currency, usd_rate, usd_amount_cents, vendor_price_effect_cents',
  )};`;

/** The file has empty cells for 0. */
const FILE = `select initiative_id::bigint as initiative_id, month::date as month, from_day::date as from_day,
    through_day::date as through_day, frees, latest_day::date as latest_day,
    ${AMOUNTS.map((name) => `${name}::bigint as ${name}`).join(', ')}
  from ${rowsOf(
    MONTH_SUMS.map(([initiative, month, from, through, frees, latest, amounts]) => [
      initiative,
      month,
      from,
      through,
      frees,
      latest,
      ...amounts.map((cents) => (cents === 0 ? null : cents)),
    ]),
    `initiative_id, month, from_day, through_day, frees, latest_day, ${AMOUNTS.join(', ')}`,
  )}`;

const NO_TOTALS = `create table file_reported_totals as select 1 as initiative_id, 'all' as window_key, 0 as cash_value_cents,
  0 as freed_capacity_cents, 0 as cost_cents limit 0;`;
const BESIDE = 'create table file_month_sums_unsettled as select 1 as none';

let bench: CheckBench;
beforeAll(async () => {
  const sound = `create table sound as ${FILE}; create table file_month_sums as from sound;`;
  bench = await openChecks('sums', [ENTRIES, NO_TOTALS, sound, BESIDE].join('\n'));
});
afterAll(() => bench.close());

/** What a check finds in the file that this query makes of the sound one; at the places, without their figure. */
async function placesOf(check: string, file: string, more = ''): Promise<readonly string[]> {
  const found = await bench.findings(check, `${more} create or replace table file_month_sums as ${file}`);
  return found.map(({ at }) => at.replace(/^month_sums | the row$/g, ''));
}

const OF_ONE = "initiative_id = 1 and from_day = date '2026-07-16'";
const OF_ALL = "initiative_id is null and from_day = date '2026-07-16'";
/** The file with another cell in the rows of that condition. */
const changed = (column: string, sql: string, where: string): string =>
  `select * replace (if(${where}, ${sql}, ${column}) as ${column}) from sound`;

describe('the check of the sums of initiatives', () => {
  it('finds nothing in the sums that follow from the entries', async () => {
    expect(await placesOf('20-check-initiatives', 'from sound')).toEqual([]);
  });

  it.each<readonly [string, string]>([
    ['month', `date '2026-06-01'`],
    ['through_day', `date '2026-07-30'`],
    ['frees', 'true'],
    ['latest_day', `date '2026-07-16'`],
    ['latest_day', 'null'],
    ...AMOUNTS.map((name) => [name, `coalesce(${name}, 0) + 1`] as const),
    ['opex_cents', 'null'],
  ])('finds the segment with another %s: %s', async (column, sql) => {
    expect(await placesOf('20-check-initiatives', changed(column, sql, OF_ONE))).toEqual([
      'initiative 1 2026-07-16',
    ]);
  });

  it('finds a lost segment, a segment of no entry, and another first day with both of its days', async () => {
    const check = '20-check-initiatives';
    expect(await placesOf(check, `from sound where not coalesce(${OF_ONE}, false)`)).toEqual([
      'initiative 1 2026-07-16',
    ]);
    expect(
      await placesOf(
        check,
        'from sound union all select * replace (3 as initiative_id) from sound where initiative_id = 1 and month is null',
      ),
    ).toEqual(['initiative 3 empty']);
    expect(await placesOf(check, changed('from_day', `date '2026-07-17'`, OF_ONE))).toEqual([
      'initiative 1 2026-07-16',
      'initiative 1 2026-07-17',
    ]);
  });
});

describe('the check of the sums of the portfolio', () => {
  it('finds nothing in the sums of the initiatives', async () => {
    expect(await placesOf('21-check-portfolio', 'from sound')).toEqual([]);
  });

  it.each<readonly [string, string]>([
    ['month', `date '2026-06-01'`],
    ['latest_day', 'null'],
    ...AMOUNTS.map((name) => [name, `coalesce(${name}, 0) + 1`] as const),
  ])('finds the segment with another %s: %s', async (column, sql) => {
    expect(await placesOf('21-check-portfolio', changed(column, sql, OF_ALL))).toEqual([
      'portfolio 2026-07-16 2026-07-31',
    ]);
  });

  it.each([
    [
      'a whole month that is cut',
      `date '2025-07-01'`,
      `date '2025-07-31'`,
      ['portfolio 2025-07-01 2025-07-31'],
    ],
    [
      'both rows of a segment',
      `date '2026-07-01'`,
      `date '2026-07-15'`,
      Array(2).fill('portfolio 2026-07-01 2026-07-15'),
    ],
    ['a month without a cut', `date '2026-08-01'`, `date '2026-08-31'`, ['portfolio 2026-08-01 2026-08-31']],
  ])('finds that %s is lost', async (_, from, through, places) => {
    const lost = `initiative_id is null and from_day = ${from} and through_day = ${through}`;
    expect(await placesOf('21-check-portfolio', `from sound where not coalesce(${lost}, false)`)).toEqual(
      places,
    );
  });

  it('finds a row of the whole month that is not cut', async () => {
    const more = `select * replace (date '2026-09-01' as from_day, date '2026-09-30' as through_day, date '2026-09-01' as month)
      from sound where initiative_id is null and month is null`;
    expect(await placesOf('21-check-portfolio', `from sound union all ${more}`)).toEqual([
      'portfolio 2026-09-01 2026-09-30',
    ]);
  });
});

// Freed in July by initiative 1: 500 - 200; by initiative 2 less than nothing, which counts as 0.
const totals = (
  cash: number,
  freed: number,
  cost: number,
): string => `create or replace table file_reported_totals as from (values
  (null, 'all', 1260, 300, 145), (1, 'all', ${cash}, ${freed}, ${cost}), (2, 'all', 60, 0, 3), (3, 'all', 0, 0, 0),
  (1, 'fy2026', 1, 1, 1)
) as rows (initiative_id, window_key, cash_value_cents, freed_capacity_cents, cost_cents);`;
const foundIn = (of: string, file = 'from sound') => placesOf('23-check-totals', file, of);

describe('the check of the sums with the totals of all time', () => {
  it('finds nothing where they agree, also for an initiative without entries', async () => {
    expect(await foundIn(totals(1200, 300, 142))).toEqual([]);
  });

  it.each([
    [1201, 300, 142],
    [1200, 299, 142],
    [1200, 300, 141],
  ])('finds another total of an initiative: %i, %i, %i', async (cash, freed, cost) => {
    expect(await foundIn(totals(cash, freed, cost))).toEqual(['initiative 1 all time']);
  });

  it('finds sums of an initiative that has no totals, and another total of the portfolio', async () => {
    const more =
      'from sound union all select * replace (4 as initiative_id) from sound where initiative_id = 2';
    expect(await foundIn(totals(1200, 300, 142), more)).toEqual([
      'initiative 4 all time',
      'portfolio all time',
    ]);
  });
});

describe('the check of amounts without a dollar figure', () => {
  const tables = `${SNAPSHOT}
    create table file_costs as select ${COST_COLUMNS} from ${rowsOf(
      [
        ...LEFT_OUT_COSTS.map(([initiative, day, cents, currency]) => [
          initiative,
          day,
          cents,
          currency,
          null,
          null,
        ]),
        ...PROVISIONAL_COSTS.map(([initiative, day, cents, currency]) => [
          initiative,
          day,
          cents,
          currency,
          cents * 2,
          true,
        ]),
        [1, '2026-07-15', 400, 'EUR', 800, false],
        [1, '2026-07-15', 500, 'USD', 500, null],
      ].map(([initiative = null, day = null, ...rest]) => [initiative, day, 'opex', ...rest]),
      'initiative_id, period_start, cost_category, amount_cents, currency, usd_amount_cents, usd_rate_provisional',
    )};
    create table file_reported_value as select ${VALUE_COLUMNS} from ${rowsOf(
      [
        ...LEFT_OUT_VALUES.map((row) => [...row, null, null]),
        [1, '2026-07-15', 'cost_savings', 600, 'USD', null, 600],
        [1, '2026-07-15', 'capacity', 700, 'EUR', 2, 1400],
      ],
      'initiative_id, period_start, entry_type, amount_cents, currency, usd_rate, usd_amount_cents',
    )}, (select null::bigint as vendor_price_effect_cents) none;
    create table file_month_sums as ${FILE};
    create table sound as select initiative_id::bigint as initiative_id, month::date as month, from_day::date as from_day,
      through_day::date as through_day, kind, currency, amount_cents::bigint as amount_cents, entries::integer as entries
      from ${rowsOf(UNSETTLED, 'initiative_id, month, from_day, through_day, kind, currency, amount_cents, entries')};`;
  let unsettled: CheckBench;
  beforeAll(async () => {
    unsettled = await openChecks(
      'sums',
      `${tables} ${NO_TOTALS} create table file_month_sums_unsettled as from sound`,
    );
  });
  afterAll(() => unsettled.close());
  const found = async (file: string): Promise<readonly string[]> =>
    (
      await unsettled.findings(
        '22-check-unsettled',
        `create or replace table file_month_sums_unsettled as ${file}`,
      )
    ).map(({ at }) => at.replace(/^month_sums_unsettled initiative | the row$/g, ''));
  const one = `initiative_id = 1 and kind = 'provisional_cost'`;

  it('finds nothing in the sums of those entries', async () => {
    expect(await found('from sound')).toEqual([]);
  });

  it.each([
    ['month', `date '2026-06-01'`],
    ['through_day', `date '2026-07-31'`],
    ['amount_cents', 'amount_cents - 1'],
    ['entries', '1'],
  ])('finds the sum with another %s: %s', async (column, sql) => {
    expect(await found(changed(column, sql, one))).toEqual(['1 2026-07-01 provisional_cost USD']);
  });

  it.each([
    ['kind', `'cost_left_out'`, ['1 2026-07-01 cost_left_out USD', '1 2026-07-01 provisional_cost USD']],
    ['currency', `'EUR'`, ['1 2026-07-01 provisional_cost EUR', '1 2026-07-01 provisional_cost USD']],
    ['initiative_id', '3', ['1 2026-07-01 provisional_cost USD', '3 2026-07-01 provisional_cost USD']],
  ])('finds the sum of another %s, and the sum that is then missing', async (column, sql, places) => {
    expect(await found(changed(column, sql, one))).toEqual(places);
  });

  it('finds the lost sum of the portfolio', async () => {
    expect(await found(`from sound where initiative_id is not null or kind <> 'capacity_left_out'`)).toEqual([
      'empty 2026-07-01 capacity_left_out SEK',
    ]);
  });
});
