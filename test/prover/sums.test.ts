/** The sums of the proof, by figures worked by hand. */
import { describe, expect, it } from 'vitest';
import { addCosts, addValue, dollars, type Entries } from '../../src/prover/entries.ts';
import { compareWindows } from '../../src/prover/totals.ts';
import { expectedWindows } from '../../src/prover/windows.ts';

const DAY = 86_400_000_000n;
/** 2026-01-01: 56 years with 14 leap days. */
const YEAR_2026 = 56 * 365 + 14;
const day = (number: number): bigint => BigInt(number) * DAY;

describe('dollars', () => {
  it('round halves away from zero, in exact decimals', () => {
    // 5 × 1.1 = 5.5; 15 × 1.1 = 16.5.
    expect([5n, -5n, 15n, 0n].map((cents) => dollars(cents, 1.1))).toEqual([6n, -6n, 17n, 0n]);
    // 10^17 − 1 cents at 1.0000000001: 99999999999999999 + 9999999.9999999999.
    expect(dollars(99_999_999_999_999_999n, 1.000_000_000_1)).toBe(100_000_000_009_999_999n);
  });
});

describe('the windows of an initiative', () => {
  const entries: Entries = new Map();
  // 30 January and 2 February 2026, an undated cost, and one without a dollar figure on 31 December 1969.
  addCosts(entries, 4, {
    initiative_id: [7n, 7n, 7n, 8n],
    usd_amount_cents: [300n, -100n, 50n, null],
    cost_category: ['capex', 'opex', 'opex', 'opex'],
    period_start: [day(YEAR_2026 + 29), day(YEAR_2026 + 32), null, -1n],
  });
  // Capacity 10 in January, of which 25 is realised then; capacity 40 in February.
  addValue(entries, 3, {
    initiative_id: [7n, 7n, 7n],
    usd_amount_cents: [10n, 25n, 40n],
    currency: ['USD', 'EUR', 'USD'],
    usd_rate: [null, 1.1, null],
    entry_type: ['capacity', 'capacity_realized', 'capacity'],
    period_start: [day(YEAR_2026), day(YEAR_2026), day(YEAR_2026 + 31)],
    vendor_price_effect_cents: [null, 5n, null],
  });
  const fiscal = { as_of: YEAR_2026 + 100, start_month: 4 };
  const windows = new Map(expectedWindows(entries, [9n], fiscal));

  it('have the sums of their days, and freed capacity that is floored each month', () => {
    // Until 31 March is the fourth quarter of fiscal year 2026, from April the first of 2027.
    const of = (key: string) => windows.get(7n)?.find(({ window_key }) => window_key === key);
    expect(windows.get(7n)?.map(({ window_key }) => window_key)).toEqual([
      'all',
      'fy2026-q4',
      'fy2026',
      'fy2027-q1',
      'fy2027',
    ]);
    expect(of('fy2026-q4')).toEqual({
      window_kind: 'fiscal_quarter',
      window_key: 'fy2026-q4',
      window_label: 'FY2026 Q4',
      from_date: YEAR_2026,
      through_date: YEAR_2026 + 89,
      window_complete: true,
      cash_value_cents: 25n,
      freed_capacity_cents: 40n,
      cost_cents: 200n,
      net_value_cents: -175n,
      roi: -175 / 200,
      capex_cents: null,
      opex_cents: null,
      vendor_price_effect_cents: null,
    });
    expect(of('all')).toMatchObject({ cost_cents: 250n, through_date: YEAR_2026 + 100 });
    expect(of('fy2027')).toMatchObject({ cost_cents: 0n, roi: null, window_complete: false });
  });

  it('are all time alone without a dated entry, and begin with the first entry, before 1970 too', () => {
    expect(windows.get(9n)?.map(({ window_key }) => window_key)).toEqual(['all']);
    // December 1969 lies in the third quarter of fiscal year 1970.
    expect(windows.get(8n)?.[1]?.window_key).toBe('fy1970-q3');
    // So do those of the portfolio, although an initiative before it begins later.
    expect(windows.get(null)?.[1]?.window_key).toBe('fy1970-q3');
  });

  it('add up to those of the portfolio, with the parts that only it has', () => {
    expect(windows.get(null)?.find(({ window_key }) => window_key === 'all')).toMatchObject({
      cost_cents: 250n,
      capex_cents: 300n,
      opex_cents: -50n,
      // 5 × 1.1 = 5.5.
      vendor_price_effect_cents: 6n,
    });
  });

  it('are missed and told apart when the file has none, two, or one too many', () => {
    const [all] = windows.get(9n) ?? [];
    const row = Object.fromEntries(
      Object.entries({ ...all }).map(([name, value]) => [name, value === null ? 'empty' : `${value}`]),
    );
    const cells = { ...row, through_date: '2026-04-11' } as never; // the cells of the one window
    const compare = (found: readonly (readonly [string, readonly unknown[]])[]) =>
      compareWindows([[9n, windows.get(9n) ?? []]], new Map(found) as never).differences;
    expect(compare([['9 all', [cells]]])).toEqual([]);
    expect(compare([])).toMatchObject([{ figure: 'rows', expected: '1', found: '0' }]);
    // Each cell beside the key is compared.
    for (const name of Object.keys(row).filter((each) => each !== 'window_key')) {
      const changed = { ...(cells as object), [name]: 'another' };
      expect(compare([['9 all', [changed]]])).toMatchObject([{ figure: name, found: 'another' }]);
    }
    expect(compare([['9 all', [cells, cells]]])).toMatchObject([
      { figure: 'rows', expected: '1', found: '2' },
    ]);
    const extra = compare([
      ['9 all', [cells]],
      [' fy2026', [cells]],
    ]);
    expect(extra).toEqual([
      { initiative_id: null, window_key: 'fy2026', figure: 'rows', expected: '0', found: '1' },
    ]);
  });
});

const cost = (at: number, cents = 100n): Entries => {
  const entries: Entries = new Map();
  addCosts(entries, 1, {
    initiative_id: [7n],
    usd_amount_cents: [cents],
    cost_category: ['opex'],
    period_start: [day(at)],
  });
  return entries;
};
const windowsOf = (at: number, fiscal: { as_of: number; start_month: number }) =>
  new Map(expectedWindows(cost(at), [], fiscal)).get(7n) ?? [];

const names = (at: number, start_month: number): readonly string[] =>
  windowsOf(at, { as_of: at, start_month })
    .slice(1)
    .map(({ window_key }) => window_key);

describe('the windows of a fiscal year', () => {
  it('are named by the calendar year of its last month, whichever month begins it', () => {
    // On 1 January 2026, and on the day before it.
    expect(names(YEAR_2026, 1)).toEqual(['fy2026-q1', 'fy2026']);
    expect(names(YEAR_2026 - 1, 1)).toEqual(['fy2025-q4', 'fy2025']);
    expect(names(YEAR_2026, 12)).toEqual(['fy2026-q1', 'fy2026']);
    expect(names(YEAR_2026 - 31, 12)).toEqual(['fy2026-q1', 'fy2026']); // 1 December 2025
    expect(names(YEAR_2026 - 32, 12)).toEqual(['fy2025-q4', 'fy2025']);
    expect(names(YEAR_2026, 2)).toEqual(['fy2026-q4', 'fy2026']);
  });

  it('are complete from the day after their last', () => {
    const last = YEAR_2026 + 89; // 31 March
    const quarter = (as_of: number) => windowsOf(YEAR_2026, { as_of, start_month: 1 })[1];
    expect(quarter(last)).toMatchObject({ through_date: last, window_complete: false });
    expect(quarter(last + 1)).toMatchObject({ through_date: last, window_complete: true });
  });

  it('go on through quarters without entries to the day of the snapshot', () => {
    const found = windowsOf(YEAR_2026, { as_of: YEAR_2026 + 181, start_month: 1 }); // 1 July
    expect(found.map(({ window_key, cost_cents }) => [window_key, cost_cents])).toEqual([
      ['all', 100n],
      ['fy2026-q1', 100n],
      ['fy2026-q2', 0n],
      ['fy2026-q3', 0n],
      ['fy2026', 100n],
    ]);
  });
});

const sums = (columns: Partial<Parameters<typeof addValue>[2]>, rows = 1) => {
  const entries: Entries = new Map();
  const each = { initiative_id: [7n, 7n], usd_amount_cents: [100n, 100n], currency: ['USD', 'USD'] };
  const rest = { usd_rate: [null, null], entry_type: ['savings', 'savings'], period_start: [null, null] };
  addValue(entries, rows, { ...each, ...rest, vendor_price_effect_cents: [null, null], ...columns });
  return new Map(expectedWindows(entries, [], { as_of: YEAR_2026, start_month: 1 })).get(null)?.[0];
};
const effectOf = (currency: string, usd_rate: number | null, cents: bigint) =>
  sums({ currency: [currency], usd_rate: [usd_rate], vendor_price_effect_cents: [cents] })
    ?.vendor_price_effect_cents;

/** The ROI of an initiative with this cash value and this cost. */
const roiOf = (cash: bigint, spent: bigint) => {
  const entries = cost(YEAR_2026, spent);
  addValue(entries, 1, {
    initiative_id: [7n],
    usd_amount_cents: [cash],
    currency: ['USD'],
    usd_rate: [null],
    entry_type: ['savings'],
    period_start: [null],
    vendor_price_effect_cents: [null],
  });
  const windows = new Map(expectedWindows(entries, [], { as_of: YEAR_2026, start_month: 1 }));
  return windows.get(7n)?.[0]?.roi;
};

describe('the entries of value', () => {
  it('are cash unless they are capacity, and realised capacity is both cash and less freed', () => {
    expect(sums({})).toMatchObject({ cash_value_cents: 100n, freed_capacity_cents: 0n });
    expect(sums({ entry_type: ['capacity'] })).toMatchObject({
      cash_value_cents: 0n,
      freed_capacity_cents: 100n,
    });
    const realized = sums(
      { entry_type: ['capacity', 'capacity_realized'], usd_amount_cents: [100n, 30n] },
      2,
    );
    expect(realized).toMatchObject({ cash_value_cents: 30n, freed_capacity_cents: 70n });
  });

  it('add nothing without a dollar figure, not even their price effect, but their day begins the windows', () => {
    const none = { usd_amount_cents: [null], vendor_price_effect_cents: [5n] };
    expect(sums(none)).toMatchObject({ cash_value_cents: 0n, vendor_price_effect_cents: null });
    const entries: Entries = new Map();
    addValue(entries, 1, {
      initiative_id: [7n],
      usd_amount_cents: [null],
      currency: ['EUR'],
      usd_rate: [null],
      entry_type: ['savings'],
      period_start: [day(YEAR_2026)],
      vendor_price_effect_cents: [null],
    });
    const [[, own] = [null, []]] = [...expectedWindows(entries, [], { as_of: YEAR_2026, start_month: 1 })];
    expect(own.map(({ window_key }) => window_key)).toEqual(['all', 'fy2026-q1', 'fy2026']);
  });

  it('have an ROI where cash value and cost are both above zero, and none otherwise', () => {
    expect([roiOf(150n, 100n), roiOf(1n, 1n), roiOf(50n, 100n)]).toEqual([0.5, 0, -0.5]);
    expect([roiOf(100n, -1n), roiOf(100n, 0n), roiOf(0n, 100n), roiOf(-1n, 100n), roiOf(-1n, -1n)]).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it('add up the price effects of a month, in each of its currencies', () => {
    const two = { currency: ['USD', 'EUR'], usd_rate: [null, 1.1], vendor_price_effect_cents: [5n, 5n] };
    // 5 + 5.5 rounded to 6.
    expect(sums(two, 2)).toMatchObject({ vendor_price_effect_cents: 11n, cash_value_cents: 200n });
  });

  it('state a price effect in dollars: as it is, by the rate, and none without a rate; 0 is one', () => {
    expect(effectOf('USD', null, 5n)).toBe(5n);
    expect(effectOf('USD', 1.5, 5n)).toBe(5n);
    expect(effectOf('EUR', 1.1, 5n)).toBe(6n);
    expect(effectOf('EUR', null, 5n)).toBeNull();
    expect(effectOf('USD', null, 0n)).toBe(0n);
  });
});

/** How many of so many differences are listed, and how many are counted. */
const listedOf = (rows: number) => {
  const found = new Map(Array.from({ length: rows }, (_, at) => [`${at} all`, [{}]]));
  const { differences, more } = compareWindows([], found as never); // windows that no entry calls for
  return [differences.length, more];
};

it('the first thousand differences are listed, and the others counted', () => {
  expect([listedOf(1_000), listedOf(1_001), listedOf(1_234)]).toEqual([
    [1_000, 0],
    [1_000, 1],
    [1_000, 234],
  ]);
});
