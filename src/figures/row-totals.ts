/**
 * Totals and sums by value over rows that a reader chose. Amounts are added only where they mean the same in every row:
 * never two currencies, cash and freed capacity, or a window and its parts.
 */

/** A value of a row; only its identity and, in a cents column, its amount matter here. */
type Value = bigint | string | number | boolean | null;

/** What all rows must have in common before an amount is added up. */
interface Alike {
  readonly column: string;
  /** Values of one group may be added up; each value is its own group if omitted. */
  readonly group?: (value: Value) => Value;
}

const CURRENCY: Alike = { column: 'currency' };
// All types of value are cash except this one, which is never added to cash.
const CASH_OR_CAPACITY: Alike = { column: 'entry_type', group: (value) => value === 'capacity' };
// A charge to a card may be on a vendor's bill as well.
const BILL_OR_CARD: Alike = { column: 'source_kind', group: (value) => value === 'card' };
const WINDOWS: readonly Alike[] = [{ column: 'scope' }, { column: 'window_kind' }];
const PER_PERIOD: readonly Alike[] = [CURRENCY, { column: 'planned_value_period' }];
const BY_DAY: readonly Alike[] = [CURRENCY, { column: 'as_of' }];

/** A column that is not listed here is never added up, because its rows replace or repeat each other. */
const ADDED: Readonly<Record<string, Readonly<Record<string, readonly Alike[]>>>> = {
  ai_spend: {
    billed_cents: [BILL_OR_CARD],
    booked_cents: [BILL_OR_CARD],
    ai_billed_cents: [BILL_OR_CARD],
    ai_booked_cents: [BILL_OR_CARD],
  },
  budget_vs_actual: {
    capex_budget_cents: BY_DAY,
    capex_actual_cents: BY_DAY,
    opex_budget_to_date_cents: BY_DAY,
    opex_actual_cents: BY_DAY,
    budget_to_date_cents: BY_DAY,
    actual_to_date_cents: BY_DAY,
    variance_cents: BY_DAY,
    opex_budget_fiscal_year_cents: BY_DAY,
    opex_budget_fiscal_ytd_cents: BY_DAY,
    opex_actual_fiscal_ytd_cents: BY_DAY,
    spent_before_budget_cents: BY_DAY,
    budget_monthly_run_rate_cents: BY_DAY,
    actual_monthly_run_rate_cents: BY_DAY,
  },
  costs: { amount_cents: [CURRENCY], usd_amount_cents: [] },
  initiatives: {
    planned_capex_cents: [CURRENCY],
    planned_opex_cents: PER_PERIOD,
    planned_cost_savings_cents: PER_PERIOD,
    planned_revenue_uplift_cents: PER_PERIOD,
    planned_capacity_cents: PER_PERIOD,
    planned_value_cents: [CURRENCY],
  },
  reported_totals: {
    cash_value_cents: WINDOWS,
    freed_capacity_cents: WINDOWS,
    cost_cents: WINDOWS,
    net_value_cents: WINDOWS,
    capex_cents: WINDOWS,
    opex_cents: WINDOWS,
    planned_value_to_date_cents: WINDOWS,
    planned_capacity_to_date_cents: WINDOWS,
    planned_opex_to_date_cents: WINDOWS,
    planned_capex_cents: WINDOWS,
    vendor_price_effect_cents: WINDOWS,
  },
  reported_value: {
    amount_cents: [CURRENCY, CASH_OR_CAPACITY],
    usd_amount_cents: [CASH_OR_CAPACITY],
    vendor_price_effect_cents: [CURRENCY, CASH_OR_CAPACITY],
    own_changes_effect_cents: [CURRENCY, CASH_OR_CAPACITY],
  },
};

/** The total of one column. */
export interface RowTotal {
  readonly column: string;
  /** Null where there is no amount, or where amounts may not be added up. */
  readonly cents: bigint | null;
  /** How many of the rows have no amount. */
  readonly empty: number;
  /** The first column whose values differ, so that the amounts may not be added up; null if they may. */
  readonly differs_in: string | null;
  /** The currency of all these rows; null if they differ, and for a column of US dollars. */
  readonly currency: string | null;
}

/** The rows that share a value. */
export interface FacetSum {
  readonly value: Value;
  readonly rows: number;
  /** The sum of the amounts of these rows; null without an amount, or if amounts may not be added up. */
  readonly cents: bigint | null;
}

/** What to add up: the cents columns of a table, and one of them also for each value of the facet columns. */
export interface RowSumsOptions {
  readonly table: string;
  /** The columns that the file has. */
  readonly columns: readonly string[];
  /** The columns whose values get a sum each. */
  readonly facets: readonly string[];
  /** The cents column that is added up for each value of a facet; null: only rows are counted. */
  readonly amount: string | null;
}

export interface RowSums {
  /** The columns whose values `add` needs, in the order of its rows. */
  readonly needs: readonly string[];
  /** Adds the rows `chosen` of the columns. */
  add(columns: readonly (readonly Value[])[], chosen: readonly number[]): void;
  totals(): readonly RowTotal[];
  /** The sums by value, heaviest first; empty for a column with more values than `MAX_FACET_VALUES`. */
  facets(): ReadonlyMap<string, readonly FacetSum[]>;
}

/**
 * A sum that grows with each row. Most amounts are added as numbers, which is faster: as many as a number holds exactly are added
 * to `part`, and then `part` to `cents`.
 */
interface Sum {
  /** Null without an amount. */
  cents: bigint | null;
  part: number;
}

type Group = Sum & { readonly value: Value; rows: number };

/** 32,768 amounts below 2^38 make less than 2^53. */
const MAX_PART_ROWS = 32_768;
const MAX_PART = 2 ** 38;

function addAmount(sum: Sum, amount: Value): void {
  if (typeof amount !== 'bigint') return;
  sum.cents ??= 0n;
  const number = Number(amount);
  if (number > -MAX_PART && number < MAX_PART) sum.part += number;
  else sum.cents += amount;
}

function closePart(sum: Sum): void {
  if (sum.part !== 0) sum.cents = (sum.cents ?? 0n) + BigInt(sum.part);
  sum.part = 0;
}

/** A column with more values than this does not help to find the large amounts. */
const MAX_FACET_VALUES = 2_000;

/** Starts the totals and sums of a table at zero. */
export function openRowSums({ table, columns, facets, amount }: RowSumsOptions): RowSums {
  const rules = Object.entries(ADDED[table] ?? {}).filter(
    ([name, alike]) => columns.includes(name) && alike.every(({ column }) => columns.includes(column)),
  );
  const needs = [
    ...new Set([
      ...rules.flatMap(([name, alike]) => [name, ...alike.map(({ column }) => column)]),
      ...facets,
      ...(amount === null ? [] : [amount]),
    ]),
  ];
  const at = (name: string): number => needs.indexOf(name);
  const sums = rules.map(([name, alike]) => openTotal(name, alike, at));
  const by = facets.map((name) => ({ name, index: at(name), groups: new Map<Value, Group>() }));
  const amount_at = amount === null ? -1 : at(amount);
  return {
    needs,
    add(values, chosen) {
      for (let from = 0; from < chosen.length; from += MAX_PART_ROWS) {
        const part = chosen.slice(from, from + MAX_PART_ROWS);
        for (const sum of sums) sum.add(values, part);
        for (const { index, groups } of by) {
          addGroups(groups, values[index] ?? [], values[amount_at] ?? [], part);
        }
      }
    },
    totals: () => sums.map((sum) => sum.total()),
    facets: () => {
      const total = sums.map((sum) => sum.total()).find(({ column }) => column === amount);
      // If amounts may not be added up over all rows, they are not added up for a single value either.
      const may_add = total !== undefined && total.differs_in === null;
      return new Map(
        by.map(({ name, groups }) => [
          name,
          groups.size > MAX_FACET_VALUES
            ? []
            : [...groups.values()]
                .map(({ value, rows, cents }) => ({ value, rows, cents: may_add ? cents : null }))
                .toSorted(byWeight),
        ]),
      );
    },
  };
}

function addGroups(
  groups: Map<Value, Group>,
  values: readonly Value[],
  amounts: readonly Value[],
  chosen: readonly number[],
): void {
  let group: Group | undefined;
  for (const row of chosen) {
    if (groups.size > MAX_FACET_VALUES) return;
    const value = values[row] ?? null;
    // Many rows have the value of the row before.
    if (group?.value !== value) group = groups.get(value);
    if (group === undefined) groups.set(value, (group = { value, rows: 0, cents: null, part: 0 }));
    group.rows += 1;
    addAmount(group, amounts[row] ?? null);
  }
  for (const each of groups.values()) closePart(each);
}

function openTotal(column: string, alike: readonly Alike[], at: (name: string) => number) {
  const amount_at = at(column);
  const held = alike.map(({ column: name, group = (value) => value }) => ({
    name,
    index: at(name),
    group,
    first: undefined as Value | undefined,
    differs: false,
  }));
  const sum: Sum = { cents: null, part: 0 };
  let empty = 0;
  return {
    add(values: readonly (readonly Value[])[], chosen: readonly number[]): void {
      const amounts = values[amount_at] ?? [];
      for (const row of chosen) {
        const amount = amounts[row] ?? null;
        if (amount === null) empty += 1;
        else addAmount(sum, amount);
      }
      closePart(sum);
      for (const each of held) {
        const own = values[each.index] ?? [];
        for (const row of chosen) {
          if (each.differs) break;
          const group = each.group(own[row] ?? null);
          if (each.first === undefined) each.first = group;
          else if (each.first !== group) each.differs = true;
        }
      }
    },
    total: (): RowTotal => {
      const differs_in = held.find(({ differs }) => differs)?.name ?? null;
      if (differs_in !== null) return { column, cents: null, empty, differs_in, currency: null };
      const currency = held.find(({ name }) => name === CURRENCY.column)?.first ?? null;
      const shown = currency === null ? null : String(currency);
      return { column, cents: sum.cents, empty, differs_in, currency: shown };
    },
  };
}

/** The largest amount first, positive or negative; without amounts, the most rows. */
function byWeight(a: FacetSum, b: FacetSum): number {
  const [left, right] = [magnitude(a.cents ?? 0n), magnitude(b.cents ?? 0n)];
  if (left !== right) return left < right ? 1 : -1;
  return b.rows - a.rows;
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}
