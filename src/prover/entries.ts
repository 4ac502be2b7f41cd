/** Adds up the entries of `costs` and `reported_value` by initiative and month. */
import type { Column } from './columns.ts';

/** Sums in US cents. `effect`, the vendor price effect, is null if no entry states one. */
export interface Sums {
  cash: bigint;
  freed: bigint;
  capex: bigint;
  opex: bigint;
  effect: bigint | null;
}

/** The sums of a month. Freed capacity is `capacity` less `realized`, and at least 0. */
interface Month {
  readonly number: number | null;
  cash: bigint;
  capacity: bigint;
  realized: bigint;
  capex: bigint;
  opex: bigint;
  effect: bigint | null;
}

/** The entries of one initiative. */
export interface InitiativeEntries {
  /** By the number of the month (months since year 0); null for entries without a period. */
  readonly months: Map<number | null, Month>;
  /** Days from 1970-01-01 on which the first and the last dated entry begin. */
  first_day: number | null;
  last_day: number | null;
}

/** By the initiative's id. */
export type Entries = Map<bigint, InitiativeEntries>;

export const COST_COLUMNS = ['initiative_id', 'usd_amount_cents', 'cost_category', 'period_start'] as const;
export const VALUE_COLUMNS = [
  'initiative_id',
  'usd_amount_cents',
  'currency',
  'usd_rate',
  'entry_type',
  'period_start',
  'vendor_price_effect_cents',
] as const;

const MICROSECONDS_PER_DAY = 86_400_000_000n;
const MS_PER_DAY = 86_400_000;
/** A rate has ten decimals. */
const RATE_DECIMALS = 10;
const RATE_UNIT = 10n ** BigInt(RATE_DECIMALS);

/** Adds rows of `costs`. An entry without a dollar figure adds nothing, but its day counts. */
export function addCosts(
  entries: Entries,
  rows: number,
  columns: Readonly<Record<(typeof COST_COLUMNS)[number], Column>>,
): void {
  for (let row = 0; row < rows; row += 1) {
    const month = monthOf(entries, columns.initiative_id[row], columns.period_start[row]);
    const cents = columns.usd_amount_cents[row];
    if (typeof cents !== 'bigint') continue;
    if (columns.cost_category[row] === 'capex') month.capex += cents;
    else month.opex += cents;
  }
}

/** Adds rows of `reported_value`. An entry without a dollar figure adds nothing, but its day counts. */
export function addValue(
  entries: Entries,
  rows: number,
  columns: Readonly<Record<(typeof VALUE_COLUMNS)[number], Column>>,
): void {
  for (let row = 0; row < rows; row += 1) {
    const month = monthOf(entries, columns.initiative_id[row], columns.period_start[row]);
    const cents = columns.usd_amount_cents[row];
    if (typeof cents !== 'bigint') continue;
    const type = columns.entry_type[row];
    if (type === 'capacity') month.capacity += cents;
    else month.cash += cents;
    if (type === 'capacity_realized') month.realized += cents;
    const effect = columns.vendor_price_effect_cents[row];
    if (typeof effect !== 'bigint') continue;
    const rate = columns.currency[row] === 'USD' ? 1 : columns.usd_rate[row];
    if (typeof rate === 'number') month.effect = (month.effect ?? 0n) + dollars(effect, rate);
  }
}

/** Cents in another currency as US cents; halves round away from zero. */
export function dollars(cents: bigint, usd_rate: number): bigint {
  const product = cents * BigInt(usd_rate.toFixed(RATE_DECIMALS).replace('.', ''));
  const size = product < 0n ? -product : product;
  const rounded = (size + RATE_UNIT / 2n) / RATE_UNIT;
  return product < 0n ? -rounded : rounded;
}

/** The number of the month of a day: months since year 0. */
export function monthNumber(day: number): number {
  const date = new Date(day * MS_PER_DAY);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The figures of a month. Freed capacity is floored at 0, so a month never reduces the freed capacity of another month. */
export function sumsOf({ cash, capacity, realized, capex, opex, effect }: Month): Sums {
  const freed = capacity > realized ? capacity - realized : 0n;
  return { cash, freed, capex, opex, effect };
}

function monthOf(entries: Entries, initiative: unknown, period_start: unknown): Month {
  if (typeof initiative !== 'bigint') throw new Error('has a row without an initiative');
  const entry = entries.get(initiative) ?? { months: new Map(), first_day: null, last_day: null };
  entries.set(initiative, entry);
  const day = typeof period_start === 'bigint' ? dayOf(period_start) : null;
  if (day !== null) {
    if (entry.first_day === null || day < entry.first_day) entry.first_day = day;
    if (entry.last_day === null || day > entry.last_day) entry.last_day = day;
  }
  const number = day === null ? null : monthNumber(day);
  const known = entry.months.get(number);
  if (known !== undefined) return known;
  const month = { number, cash: 0n, capacity: 0n, realized: 0n, capex: 0n, opex: 0n, effect: null };
  entry.months.set(number, month);
  return month;
}

/** The UTC day of an instant; before 1970 too. */
function dayOf(microseconds: bigint): number {
  const rest = microseconds % MICROSECONDS_PER_DAY;
  return Number((microseconds - rest) / MICROSECONDS_PER_DAY) - (rest < 0n ? 1 : 0);
}
