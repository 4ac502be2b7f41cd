/**
 * Entries of two initiatives, and the sums of their segments, worked by hand. The snapshot is of 2026-07-15: months are cut
 * before 2026-07-16, and where the last year (2025-07-16), the last three and the last five years begin.
 */

export const AS_OF = '2026-07-15';

/** A cost in cents of dollars: the number of its initiative, its first day (null without a period), its category and amount. */
export const COSTS = [
  [1, '2026-07-15', 'capex', 100],
  [1, '2026-07-16', 'opex', 30],
  [1, '2026-07-20', 'opex', 5],
  [1, null, 'opex', 7],
  [2, '2025-07-15', 'opex', 1],
  [2, '2025-07-16', 'opex', 2],
] as const;

/** An approved value: initiative, first day, type, cents, currency, rate, and the part that comes from prices of the vendor. */
export const VALUES = [
  [1, '2026-07-02', 'capacity', 500, 'USD', null, null],
  [1, '2026-07-03', 'capacity_realized', 200, 'USD', null, null],
  [1, '2026-08-01', 'cost_savings', 500, 'EUR', '2', 25],
  [2, '2026-07-10', 'capacity_realized', 60, 'USD', null, null],
] as const;

/** The cents of a row of sums in this order; 0 for none, and null for no effect of prices. */
export const AMOUNTS = [
  'cash_value_cents',
  'capacity_cents',
  'capacity_realized_cents',
  'capex_cents',
  'opex_cents',
  'vendor_price_effect_cents',
] as const;

export type SumRow = readonly [
  initiative: number | null,
  month: string | null,
  from_day: string | null,
  through_day: string | null,
  frees: boolean,
  latest_day: string | null,
  amounts: readonly (number | null)[],
];

/** In the order of the file: those of the portfolio first, and those without a date first. */
export const MONTH_SUMS: readonly SumRow[] = [
  [null, null, null, null, false, null, [0, 0, 0, 0, 7, null]],
  [null, '2025-07-01', '2025-07-01', '2025-07-15', false, null, [0, 0, 0, 0, 1, null]],
  // A month that is cut has a row of the whole month, too.
  [null, '2025-07-01', '2025-07-01', '2025-07-31', false, null, [0, 0, 0, 0, 3, null]],
  [null, '2025-07-01', '2025-07-16', '2025-07-31', false, null, [0, 0, 0, 0, 2, null]],
  // Initiative 2 realised more than it freed: it stands in the row that does not free.
  [null, '2026-07-01', '2026-07-01', '2026-07-15', false, null, [60, 0, 60, 0, 0, null]],
  [null, '2026-07-01', '2026-07-01', '2026-07-15', true, null, [200, 500, 200, 100, 0, null]],
  [null, '2026-07-01', '2026-07-01', '2026-07-31', false, null, [60, 0, 60, 0, 0, null]],
  [null, '2026-07-01', '2026-07-01', '2026-07-31', true, '2026-07-20', [200, 500, 200, 100, 35, null]],
  [null, '2026-07-01', '2026-07-16', '2026-07-31', false, '2026-07-20', [0, 0, 0, 0, 35, null]],
  // 5.00 euros are 10.00 dollars, and 0.25 euros of that come from prices: 0.50 dollars.
  [null, '2026-08-01', '2026-08-01', '2026-08-31', false, '2026-08-01', [1000, 0, 0, 0, 0, 50]],
  [1, null, null, null, false, null, [0, 0, 0, 0, 7, null]],
  [1, '2026-07-01', '2026-07-01', '2026-07-15', true, null, [200, 500, 200, 100, 0, null]],
  [1, '2026-07-01', '2026-07-16', '2026-07-31', false, '2026-07-20', [0, 0, 0, 0, 35, null]],
  [1, '2026-08-01', '2026-08-01', '2026-08-31', false, '2026-08-01', [1000, 0, 0, 0, 0, 50]],
  [2, '2025-07-01', '2025-07-01', '2025-07-15', false, null, [0, 0, 0, 0, 1, null]],
  [2, '2025-07-01', '2025-07-16', '2025-07-31', false, null, [0, 0, 0, 0, 2, null]],
  [2, '2026-07-01', '2026-07-01', '2026-07-15', false, null, [60, 0, 60, 0, 0, null]],
];

/** Value without a dollar figure: initiative, first day, type, cents, currency. */
export const LEFT_OUT_VALUES = [
  [1, '2026-07-15', 'capacity', 11, 'SEK'],
  [1, '2026-07-15', 'cost_savings', 13, 'SEK'],
  [1, '2026-07-16', 'revenue_gain', 17, 'SEK'],
  [2, '2026-07-16', 'capacity_realized', 5, 'SEK'],
] as const;

/** Costs without a dollar figure: initiative, first day, cents, currency. */
export const LEFT_OUT_COSTS = [
  [2, null, 19, 'SEK'],
  [2, '2025-07-15', 23, 'JPY'],
] as const;

/** Costs at a provisional rate of 2: initiative, first day, cents, currency. */
export const PROVISIONAL_COSTS = [
  [1, '2026-07-15', 29, 'GBP'],
  [1, '2026-07-01', 31, 'CHF'],
] as const;

export type UnsettledRow = readonly [
  initiative: number | null,
  month: string | null,
  from_day: string | null,
  through_day: string | null,
  kind: string,
  currency: string,
  cents: number,
  entries: number,
];

const EARLY = ['2026-07-01', '2026-07-01', '2026-07-15'] as const;
const LATE = ['2026-07-01', '2026-07-16', '2026-07-31'] as const;
const YEAR_AGO = ['2025-07-01', '2025-07-01', '2025-07-15'] as const;
const UNDATED = [null, null, null] as const;

/** In the order of the file. */
export const UNSETTLED: readonly UnsettledRow[] = [
  [null, ...UNDATED, 'cost_left_out', 'SEK', 19, 1],
  [null, ...YEAR_AGO, 'cost_left_out', 'JPY', 23, 1],
  [null, ...EARLY, 'capacity_left_out', 'SEK', 11, 1],
  [null, ...EARLY, 'cash_left_out', 'SEK', 13, 1],
  // 58 and 62 dollars' cents.
  [null, ...EARLY, 'provisional_cost', 'USD', 120, 2],
  [null, ...LATE, 'cash_left_out', 'SEK', 22, 2],
  [1, ...EARLY, 'capacity_left_out', 'SEK', 11, 1],
  [1, ...EARLY, 'cash_left_out', 'SEK', 13, 1],
  [1, ...EARLY, 'provisional_cost', 'USD', 120, 2],
  [1, ...LATE, 'cash_left_out', 'SEK', 17, 1],
  [2, ...UNDATED, 'cost_left_out', 'SEK', 19, 1],
  [2, ...YEAR_AGO, 'cost_left_out', 'JPY', 23, 1],
  [2, ...LATE, 'cash_left_out', 'SEK', 5, 1],
];
