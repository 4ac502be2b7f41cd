/** Sums of what was used of bills for AI, by month, currency, model and unit. */
import { type CostChange, explainChange } from './price-and-use.ts';

/** Exact decimals are whole numbers of 10^-30, which no sum rounds. */
const PLACES = 30;

/** How many of them are a cent. */
const EXACT_CENT = 10n ** BigInt(PLACES - 2);

/** The whole number of a decimal with at most 30 places, such as `-0.006`. */
export function exact(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(PLACES, '0'));
}

export interface UsageKey {
  readonly month: string;
  readonly currency: string;
  readonly model: string | null;
  readonly unit: string | null;
  /** False: the use of this cost was not recorded. */
  readonly recorded: boolean;
}

/** A row of usage, or a sum of rows. */
export interface Usage extends UsageKey {
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
}

type Dimension = keyof UsageKey;

/** Adds a row to the sum of its key. */
export function addUsage(sums: Map<string, UsageSum>, row: Usage): void {
  const { month, currency, model, unit, recorded } = row;
  const quantity = row.quantity === null ? null : exact(row.quantity);
  const cost =
    row.billed_cost === null ? (recorded ? 0n : row.cost_cents * EXACT_CENT) : exact(row.billed_cost);
  const partial = row.partial ?? (unit !== null && (row.quantity === null || row.billed_cost === null));
  const one = { month, currency, model, unit, recorded, quantity, cost, cost_cents: row.cost_cents, partial };
  const key = JSON.stringify([month, currency, model, unit, recorded]);
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
  return { ...a, quantity, cost: a.cost + b.cost, cost_cents: a.cost_cents + b.cost_cents, partial };
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

const DIGITS = 10n ** 30n;

/** The ratio of two exact numbers, with thirty decimals. */
function ratio(a: bigint, b: bigint): number {
  return Number((a * DIGITS) / b) / Number(DIGITS);
}

export interface MonthChange {
  readonly month: string;
  readonly before: string;
  readonly currency: string;
  readonly models: readonly CostChange[];
  /** What the cents of the bills changed beyond the rounded sum of the exact costs. */
  readonly rounding_cents: bigint;
}

/** Price and use of each month, against the month before it in the same currency; the newest month first. */
export function monthChanges(sums: readonly UsageSum[]): readonly MonthChange[] {
  return [...Map.groupBy(sums, ({ currency }) => currency)].flatMap(([currency, own]) => {
    const months = [...Map.groupBy(own, ({ month }) => month)].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return months
      .flatMap(([month, after], index) => {
        const [before, some] = months[index - 1] ?? [];
        if (before === undefined || some === undefined) return [];
        const by = ['model', 'unit'] as const;
        const models = explainChange(priced(groupUsage(some, by)), priced(groupUsage(after, by)), EXACT_CENT);
        const explained = models.reduce(
          (sum, { price_cents, use_cents, other_cents }) => sum + price_cents + use_cents + other_cents,
          0n,
        );
        return [
          { month, before, currency, models, rounding_cents: centsOf(after) - centsOf(some) - explained },
        ];
      })
      .toReversed();
  });
}

/** A partial sum has no price: its whole change is use. */
function priced(sums: readonly UsageSum[]): readonly UsageSum[] {
  return sums.map((sum) => (sum.partial ? { ...sum, quantity: null } : sum));
}

function centsOf(sums: readonly UsageSum[]): bigint {
  return sums.reduce((cents, { cost_cents }) => cents + cost_cents, 0n);
}
