/** The windows that `reported_totals` must have, and their figures, from the entries alone. */
import { type Entries, type InitiativeEntries, monthNumber, type Sums, sumsOf } from './entries.ts';

/** The columns of a row of `reported_totals` that follow from the entries. Amounts are US cents. */
export interface Window {
  readonly window_kind: string;
  readonly window_key: string;
  readonly window_label: string;
  /** Days from 1970-01-01. */
  readonly from_date: number | null;
  readonly through_date: number | null;
  readonly window_complete: boolean;
  readonly cash_value_cents: bigint;
  readonly freed_capacity_cents: bigint;
  readonly cost_cents: bigint;
  readonly net_value_cents: bigint;
  readonly roi: number | null;
  /** Null on rows of initiatives, like the next two. */
  readonly capex_cents: bigint | null;
  readonly opex_cents: bigint | null;
  readonly vendor_price_effect_cents: bigint | null;
}

/** What decides the windows: the day of the snapshot, in days since 1970-01-01, and the first month of the fiscal year. */
export interface Fiscal {
  readonly as_of: number;
  /** 1 to 12. */
  readonly start_month: number;
}

/** Sums by the number of a quarter; null for undated entries. A number that 4 divides is a fiscal year's first quarter. */
type Quarters = Map<number | null, Sums>;

interface Scope {
  readonly quarters: Quarters;
  readonly first_day: number | null;
  readonly last_day: number | null;
}

const MS_PER_DAY = 86_400_000;

/** The windows of the portfolio (`null`), and of each initiative. */
export function* expectedWindows(
  entries: Entries,
  initiatives: Iterable<bigint>,
  fiscal: Fiscal,
): Generator<readonly [initiative: bigint | null, windows: readonly Window[]]> {
  const portfolio: Quarters = new Map();
  let first_day: number | null = null;
  let last_day: number | null = null;
  for (const initiative of new Set([...initiatives, ...entries.keys()])) {
    const own = entries.get(initiative);
    const scope = scopeOf(own, fiscal);
    for (const [quarter, sums] of scope.quarters) add(portfolio, quarter, sums);
    if (scope.first_day !== null) first_day = Math.min(first_day ?? scope.first_day, scope.first_day);
    if (scope.last_day !== null) last_day = Math.max(last_day ?? scope.last_day, scope.last_day);
    yield [initiative, windowsOf(scope, fiscal, 'initiative')];
  }
  yield [null, windowsOf({ quarters: portfolio, first_day, last_day }, fiscal, 'portfolio')];
}

function scopeOf(own: InitiativeEntries | undefined, fiscal: Fiscal): Scope {
  const quarters: Quarters = new Map();
  for (const month of own?.months.values() ?? []) {
    add(quarters, month.number === null ? null : quarterOf(month.number, fiscal), sumsOf(month));
  }
  return { quarters, first_day: own?.first_day ?? null, last_day: own?.last_day ?? null };
}

function windowsOf(scope: Scope, fiscal: Fiscal, kind: 'portfolio' | 'initiative'): Window[] {
  const { as_of, start_month } = fiscal;
  const shift = start_month - 1;
  const last_day = Math.max(as_of, scope.last_day ?? as_of);
  const all = [...scope.quarters.values()];
  const all_time = figuresOf(all, kind);
  const windows: Window[] = [
    {
      window_kind: 'all_time',
      window_key: 'all',
      window_label: 'All time',
      from_date: null,
      through_date: last_day,
      window_complete: false,
      ...all_time,
    },
  ];
  if (scope.first_day === null) return windows;
  const first = quarterOf(monthNumber(scope.first_day), fiscal);
  const last = quarterOf(monthNumber(last_day), fiscal);
  const dated = (first_month: number, months: number) => {
    const through_date = dayOfMonth(first_month + months) - 1;
    return { from_date: dayOfMonth(first_month), through_date, window_complete: through_date < as_of };
  };
  for (let year = Math.floor(first / 4); year <= Math.floor(last / 4); year += 1) {
    // A fiscal year is named by the calendar year of its last month.
    const name = Math.floor((year * 12 + shift + 11) / 12);
    const sums: Sums[] = [];
    for (let quarter = Math.max(first, year * 4); quarter <= Math.min(last, year * 4 + 3); quarter += 1) {
      const own = scope.quarters.get(quarter);
      if (own !== undefined) sums.push(own);
      const ordinal = (quarter % 4) + 1;
      windows.push({
        window_kind: 'fiscal_quarter',
        window_key: `fy${name}-q${ordinal}`,
        window_label: `FY${name} Q${ordinal}`,
        ...dated(quarter * 3 + shift, 3),
        ...figuresOf(own === undefined ? [] : [own], kind),
      });
    }
    windows.push({
      window_kind: 'fiscal_year',
      window_key: `fy${name}`,
      window_label: `FY${name}`,
      ...dated(year * 12 + shift, 12),
      ...figuresOf(sums, kind),
    });
  }
  return windows;
}

function figuresOf(parts: readonly Sums[], kind: 'portfolio' | 'initiative') {
  const sum: Quarters = new Map();
  for (const part of parts) add(sum, null, part);
  const { cash, freed, capex, opex, effect } = sum.get(null) ?? NOTHING;
  const cost = capex + opex;
  const isPortfolio = kind === 'portfolio';
  return {
    cash_value_cents: cash,
    freed_capacity_cents: freed,
    cost_cents: cost,
    net_value_cents: cash - cost,
    roi: cash > 0n && cost > 0n ? Number(cash - cost) / Number(cost) : null,
    capex_cents: isPortfolio ? capex : null,
    opex_cents: isPortfolio ? opex : null,
    vendor_price_effect_cents: isPortfolio ? effect : null,
  };
}

const NOTHING: Sums = { cash: 0n, freed: 0n, capex: 0n, opex: 0n, effect: null };

function add(quarters: Quarters, quarter: number | null, { cash, freed, capex, opex, effect }: Sums): void {
  const sum = quarters.get(quarter) ?? { ...NOTHING };
  quarters.set(quarter, sum);
  sum.cash += cash;
  sum.freed += freed;
  sum.capex += capex;
  sum.opex += opex;
  if (effect !== null) sum.effect = (sum.effect ?? 0n) + effect;
}

function quarterOf(month: number, { start_month }: Fiscal): number {
  return Math.floor((month - (start_month - 1)) / 3);
}

/** The first day of the month with that number, in days since 1970-01-01. */
function dayOfMonth(number: number): number {
  const date = new Date(0);
  date.setUTCFullYear(Math.floor(number / 12), number % 12, 1);
  return date.getTime() / MS_PER_DAY;
}
