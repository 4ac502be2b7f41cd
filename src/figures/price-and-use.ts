/**
 * Why the cost of models changed from one period to the next: by other prices, or by another use. Prices of one unit are billed
 * cost by quantity. All amounts are exact whole numbers of a small unit, so nothing is lost before the cents are spread.
 */
import { divideRounded } from './cents.ts';
import { spread } from './spread.ts';

/** What one model and unit cost in a period. */
export interface UsedCost {
  readonly model: string | null;
  readonly unit: string | null;
  /** Null without a quantity. */
  readonly quantity: bigint | null;
  readonly cost: bigint;
}

export interface CostChange {
  readonly model: string | null;
  readonly unit: string | null;
  /** (p1 − p0) · q1, in cents. */
  readonly price_cents: bigint;
  /** (q1 − q0) · p0, in cents; the whole cost of a model that is new or has ended. */
  readonly use_cents: bigint;
  /** The change of a cost without a quantity, in cents. */
  readonly other_cents: bigint;
}

/**
 * The change of each model and unit, the largest first. Prices, uses and other costs add up to the change in cents: the exact
 * change is rounded once and spread by largest remainder. `unit` of the small units are one cent.
 */
export function explainChange(
  before: readonly UsedCost[],
  after: readonly UsedCost[],
  unit: bigint,
): readonly CostChange[] {
  const keys = new Map<string, { of: UsedCost; before?: UsedCost; after?: UsedCost }>();
  const keyOf = (each: UsedCost): string => JSON.stringify([each.model, each.unit]);
  for (const each of before) keys.set(keyOf(each), { of: each, before: each });
  for (const each of after) keys.set(keyOf(each), { of: each, ...keys.get(keyOf(each)), after: each });
  const changes = [...keys.values()].map((pair) => ({ of: pair.of, ...partsOf(pair) }));
  const parts = changes.flatMap(({ price, use, other }) => [price, use, other]);
  const total = divideRounded(
    parts.reduce((sum, part) => sum + part, 0n),
    unit,
  );
  const cents = spread(total, parts, unit);
  return changes
    .map(({ of }, index) => ({
      model: of.model,
      unit: of.unit,
      price_cents: cents[3 * index] ?? 0n,
      use_cents: cents[3 * index + 1] ?? 0n,
      other_cents: cents[3 * index + 2] ?? 0n,
    }))
    .toSorted((a, b) => Number(sizeOf(b) - sizeOf(a)));
}

function partsOf({ before, after }: { readonly before?: UsedCost; readonly after?: UsedCost }): {
  readonly price: bigint;
  readonly use: bigint;
  readonly other: bigint;
} {
  const [c0, c1] = [before?.cost ?? 0n, after?.cost ?? 0n];
  const [q0, q1] = [before?.quantity ?? null, after?.quantity ?? null];
  if (q0 === null && q1 === null) return { price: 0n, use: 0n, other: c1 - c0 };
  // Without a quantity there is no price: the whole change is use.
  if (q0 === null || q1 === null || q0 === 0n || q1 === 0n) return { price: 0n, use: c1 - c0, other: 0n };
  const use = divideRounded((q1 - q0) * c0, q0);
  return { price: c1 - c0 - use, use, other: 0n };
}

function sizeOf({ price_cents, use_cents, other_cents }: CostChange): bigint {
  return magnitude(price_cents) + magnitude(use_cents) + magnitude(other_cents);
}

function magnitude(cents: bigint): bigint {
  return cents < 0n ? -cents : cents;
}
