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
