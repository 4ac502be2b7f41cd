/** The steps by which net value moved from one snapshot to another: each reason once, for cost, cash value and net. */
import { cash, cents, netOf } from './cents.ts';

/** A part of the change of one figure: amounts and entries with one reason. */
interface Part {
  readonly reason: string;
  readonly cents: bigint;
  readonly entries: number;
}

/** What entries a step is about. */
export type MoveKind = 'value' | 'cost';

export interface Step extends Part {
  readonly kind: MoveKind;
  /** What the step adds to net value. */
  readonly net: bigint;
  /** Net value before and after the step. */
  readonly from: bigint;
  readonly to: bigint;
}

/** The steps from the net value `before`: first values, then costs, the largest amount first. */
export function waterfallSteps(
  before: bigint,
  values: readonly Part[],
  costs: readonly Part[],
): readonly Step[] {
  const none = cents(0n);
  const parts = [
    ...values
      .toSorted(byAmount)
      .map((part) => ({ ...part, kind: 'value' as const, net: netOf(cash(part.cents), none) })),
    ...costs
      .toSorted(byAmount)
      .map((part) => ({ ...part, kind: 'cost' as const, net: netOf(cash(0n), cents(part.cents)) })),
  ];
  let level = before;
  return parts.map((part) => {
    const from = level;
    level += part.net;
    return { ...part, from, to: level };
  });
}

/** What an entry did in one month of an initiative. */
interface Effect {
  readonly cash_value_cents: number;
  readonly freed_capacity_cents: number;
  readonly capex_cents: number;
  readonly opex_cents: number;
}

/** What a changed entry adds to each figure of all time. */
export interface EffectSums {
  readonly cost: bigint;
  readonly cash_value: bigint;
  readonly net_value: bigint;
  readonly freed_capacity: bigint;
}

/** The sums over the months and initiatives of a changed entry. */
export function sumEffects(effects: readonly Effect[]): EffectSums {
  let [cost, cash_value, freed_capacity] = [0n, 0n, 0n];
  for (const effect of effects) {
    cost += BigInt(effect.capex_cents) + BigInt(effect.opex_cents);
    cash_value += BigInt(effect.cash_value_cents);
    freed_capacity += BigInt(effect.freed_capacity_cents);
  }
  return { cost, cash_value, net_value: netOf(cash(cash_value), cents(cost)), freed_capacity };
}

interface Weighed {
  readonly kind: MoveKind;
  readonly reason: string;
  readonly net: bigint;
}

/** The entries with one reason. */
export interface ReasonGroup<Entry> extends Weighed {
  /** The largest effect on net value first. */
  readonly entries: readonly Entry[];
  /** How many of them move net value. */
  readonly moving: number;
}

/** The entries by kind and reason: first values, then costs, in each the largest sum first. */
export function groupByReason<Entry extends Weighed>(
  entries: readonly Entry[],
): readonly ReasonGroup<Entry>[] {
  const groups = Map.groupBy(entries, ({ kind, reason }) => `${kind} ${reason}`);
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const net = group.reduce((sum, entry) => sum + entry.net, 0n);
      const moving = group.filter((entry) => entry.net !== 0n).length;
      return [{ kind: first.kind, reason: first.reason, net, entries: group.toSorted(byNet), moving }];
    })
    .toSorted((a, b) => (a.kind === b.kind ? byNet(a, b) : a.kind === 'value' ? -1 : 1));
}

function byAmount(a: Part, b: Part): number {
  return largerFirst(a.cents, b.cents);
}

/** Orders amounts: the larger effect on net value first, positive or negative. */
export function byNet(a: { readonly net: bigint }, b: { readonly net: bigint }): number {
  return largerFirst(a.net, b.net);
}

/** The larger amount first, positive or negative. */
function largerFirst(a: bigint, b: bigint): number {
  const [left, right] = [a < 0n ? -a : a, b < 0n ? -b : b];
  return left === right ? 0 : left < right ? 1 : -1;
}
