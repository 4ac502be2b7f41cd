/** Sums of what was used of bills for AI, by month, currency, model, unit and class of cost. */
import { divideRounded } from './cents.ts';
import { type CostChange, explainChange } from './price-and-use.ts';
import { spread } from './spread.ts';

/** Exact decimals are whole numbers of 10^-30, which no sum rounds. */
const PLACES = 30;

/** How many of them are a cent. */
const EXACT_CENT = 10n ** BigInt(PLACES - 2);

/** The whole number of a decimal with at most 30 places, such as `-0.006`. */
export function exact(decimal: string): bigint {
  const [integer = '', fraction = ''] = decimal.split('.');
  return BigInt(integer + fraction.padEnd(PLACES, '0'));
}

/** The inverse of `exact`, without zeros at the end. */
function decimalOf(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -PLACES)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** What a cost is for, in the order of the parts of a list cost. What is left of use beside its price is rounding. */
const CLASSES = ['usage', 'commitment', 'credit', 'tax', 'correction'] as const;

/** Charges without use of their own. FOCUS gives them no price, so their whole list cost stands beside what was used. */
const UNUSED: readonly string[] = ['credit', 'tax', 'correction'];

export interface UsageKey {
  readonly month: string;
  readonly currency: string;
  readonly model: string | null;
  readonly unit: string | null;
  /** False: the use of this cost was not recorded. */
  readonly recorded: boolean;
  /** What the cost is for: a value of `CLASSES`. */
  readonly cost_class: string;
}

interface ListCost {
  readonly cost_class: string;
  /** Exact decimals: the cost at list prices, and quantity times list price; null where a charge does not say it. */
  readonly list_cost: string | null;
  readonly priced_cost: string | null;
}

/** A row of usage, or a sum of rows that all say their list cost or not, and their priced cost or not. */
export interface Usage extends UsageKey, ListCost {
  /** Exact decimals. */
  readonly quantity: string | null;
  readonly billed_cost: string | null;
  readonly cost_cents: bigint;
  /** Of a sum of rows: whether one of them has a unit, and no quantity or no cost of its own. */
  readonly partial?: boolean;
}

export interface UsageSum extends UsageKey {
  /** In the units of `exact`; null without a quantity. */
  readonly quantity: bigint | null;
  /** In the units of `exact`. */
  readonly cost: bigint;
  readonly cost_cents: bigint;
  /** True if a part has a unit, and no quantity or no cost of its own: the sum has no unit cost. */
  readonly partial: boolean;
  /** The list cost that can be compared, and its quantity times list price; in the units of `exact`. */
  readonly list: bigint;
  readonly priced: bigint;
  /** The cost of what cannot be compared, because it has no list price or no list cost. */
  readonly not_compared: bigint;
}

type Dimension = keyof UsageKey;

/** Adds a row to the sum of its key. */
export function addUsage(sums: Map<string, UsageSum>, row: Usage): void {
  const { month, currency, model, unit, recorded, cost_class } = row;
  const quantity = row.quantity === null ? null : exact(row.quantity);
  const cost =
    row.billed_cost === null ? (recorded ? 0n : row.cost_cents * EXACT_CENT) : exact(row.billed_cost);
  const partial = row.partial ?? (unit !== null && (row.quantity === null || row.billed_cost === null));
  const found = compared(row);
  const one = {
    month,
    currency,
    model,
    unit,
    recorded,
    cost_class,
    quantity,
    cost,
    cost_cents: row.cost_cents,
    partial,
    list: found?.list ?? 0n,
    priced: found?.priced ?? 0n,
    not_compared: found === null ? cost : 0n,
  };
  const key = JSON.stringify([month, currency, model, unit, recorded, cost_class]);
  const sum = sums.get(key);
  sums.set(key, sum === undefined ? one : plus(sum, one));
}

/** Adds sums up that have these fields in common. */
export function groupUsage(sums: readonly UsageSum[], by: readonly Dimension[]): readonly UsageSum[] {
  const groups = Map.groupBy(sums, (sum) => JSON.stringify(by.map((field) => sum[field])));
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [others.reduce(plus, first)],
  );
}

function plus(a: UsageSum, b: UsageSum): UsageSum {
  const quantity = a.quantity === null ? b.quantity : a.quantity + (b.quantity ?? 0n);
  const partial = a.partial || b.partial;
  return {
    ...a,
    quantity,
    cost: a.cost + b.cost,
    cost_cents: a.cost_cents + b.cost_cents,
    partial,
    list: a.list + b.list,
    priced: a.priced + b.priced,
    not_compared: a.not_compared + b.not_compared,
  };
}

/** The list cost of a row beside its quantity times list price; null if the row does not say both. */
function compared({ cost_class, list_cost, priced_cost }: ListCost): {
  readonly list: bigint;
  readonly priced: bigint;
} | null {
  if (list_cost === null || (priced_cost === null && !UNUSED.includes(cost_class))) return null;
  return { list: exact(list_cost), priced: priced_cost === null ? 0n : exact(priced_cost) };
}

/** List cost less quantity times list price, as an exact decimal; null for a row that does not say both. */
export function listDifference(row: ListCost): string | null {
  const found = compared(row);
  return found === null ? null : decimalOf(found.list - found.priced);
}

/** List cost against quantity times list price, in cents: the list cost is the sum of the other parts. */
interface ListComparison {
  readonly list_cost_cents: bigint;
  readonly priced_cents: bigint;
  readonly rounding_cents: bigint;
  readonly commitment_cents: bigint;
  readonly credit_cents: bigint;
  readonly tax_cents: bigint;
  readonly correction_cents: bigint;
  /** The billed cost of what has no list price, beside the comparison. */
  readonly not_compared_cents: bigint;
}

/** The comparison of sums of one currency. The exact list cost is rounded once, and its parts by largest remainder. */
export function compareList(sums: readonly UsageSum[]): ListComparison {
  const total = (of: 'list' | 'not_compared' | 'priced', own = sums): bigint =>
    own.reduce((all, sum) => all + sum[of], 0n);
  const rests = CLASSES.map((name) => {
    const own = sums.filter(({ cost_class }) => cost_class === name);
    return total('list', own) - total('priced', own);
  });
  const list_cost_cents = divideRounded(total('list'), EXACT_CENT);
  const parts = spread(list_cost_cents, [total('priced'), ...rests], EXACT_CENT);
  const [own = 0n, rounding = 0n, commitment = 0n, credit = 0n, tax = 0n, correction = 0n] = parts;
  return {
    list_cost_cents,
    priced_cents: own,
    rounding_cents: rounding,
    commitment_cents: commitment,
    credit_cents: credit,
    tax_cents: tax,
    correction_cents: correction,
    not_compared_cents: divideRounded(total('not_compared'), EXACT_CENT),
  };
}

/** The cost of `of` units, as a number for people; null for a partial sum, without a quantity, or for a quantity of zero. */
export function unitCost(
  { cost, quantity, partial }: Pick<UsageSum, 'cost' | 'quantity' | 'partial'>,
  of = 1,
): number | null {
  return partial || quantity === null || quantity === 0n ? null : ratio(cost * BigInt(of), quantity);
}

/** The quantity as a number for people; null without one. */
export function quantityOf({ quantity }: Pick<UsageSum, 'quantity'>): number | null {
  return quantity === null ? null : ratio(quantity, EXACT_CENT * 100n);
}

/** The number nearest to the ratio of two exact numbers: it is read from a decimal with 30 places, so 180 million stays whole. */
function ratio(a: bigint, b: bigint): number {
  return Number(decimalOf((a * 10n ** BigInt(PLACES)) / b));
}

export interface MonthChange {
  readonly month: string;
  readonly before: string;
  readonly currency: string;
  readonly models: readonly CostChange[];
  /** What the cents of the bills changed beyond the rounded sum of the exact costs. */
  readonly rounding_cents: bigint;
}

/** Price and use of the newest month with bills in each currency, against the month with bills before it. */
export function newestChanges(sums: readonly UsageSum[]): readonly MonthChange[] {
  return [...Map.groupBy(sums, ({ currency }) => currency).values()].flatMap((own) => {
    const months = [...new Set(own.map(({ month }) => month))].toSorted();
    const [before, month] = months.slice(-2);
    return before === undefined || month === undefined ? [] : changesBetween(own, { month, before });
  });
}

/** Price and use of a month against another one, in each currency with bills of providers in both. */
export function changesBetween(
  sums: readonly UsageSum[],
  { month, before }: Pick<MonthChange, 'month' | 'before'>,
): readonly MonthChange[] {
  return [...Map.groupBy(sums, ({ currency }) => currency)].flatMap(([currency, own]) => {
    const some = own.filter((sum) => sum.month === before);
    const after = own.filter((sum) => sum.month === month);
    if (some.length === 0 || after.length === 0) return [];
    const by = ['model', 'unit'] as const;
    const models = explainChange(priced(groupUsage(some, by)), priced(groupUsage(after, by)), EXACT_CENT);
    const explained = models.reduce(
      (sum, { price_cents, use_cents, other_cents }) => sum + price_cents + use_cents + other_cents,
      0n,
    );
    return [{ month, before, currency, models, rounding_cents: centsOf(after) - centsOf(some) - explained }];
  });
}

/** A partial sum has no price: its whole change is use. */
function priced(sums: readonly UsageSum[]): readonly UsageSum[] {
  return sums.map((sum) => (sum.partial ? { ...sum, quantity: null } : sum));
}

function centsOf(sums: readonly UsageSum[]): bigint {
  return sums.reduce((cents, { cost_cents }) => cents + cost_cents, 0n);
}
