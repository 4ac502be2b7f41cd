/**
 * Unsettled amounts of a scope (the portfolio or one initiative): amounts without a rate, and costs converted at a
 * provisional rate.
 */

/** A sum of amounts of one kind in one currency; provisional amounts are in dollars. */
export interface UnsettledSum {
  readonly kind: 'capacity_left_out' | 'cash_left_out' | 'cost_left_out' | 'provisional_cost';
  readonly currency: string;
  readonly amount_cents: bigint;
  readonly entries: bigint;
}

/** The amounts of one currency that no figure includes. */
export interface LeftOut {
  readonly currency: string;
  readonly amount_cents: bigint;
  readonly entries: bigint;
}

/** Approved value of one currency that no figure includes: cash value and, separately, capacity. The two are never added. */
export interface ValueLeftOut extends LeftOut {
  readonly capacity_amount_cents: bigint;
  readonly capacity_entries: bigint;
}

export interface Unsettled {
  /** One row per currency with either amount, in the order of the input. */
  readonly value_left_out: readonly ValueLeftOut[];
  readonly cost_left_out: readonly LeftOut[];
  /** The part of the cost that is converted at the latest rate. */
  readonly provisional_cost_cents: bigint;
}

/** The amounts of a scope that no figure includes. */
export type LeftOutOfScope = Pick<Unsettled, 'value_left_out' | 'cost_left_out'>;

/**
 * Adds up the sums of several scopes: one sum per kind and currency, sorted by both. In place, because a portfolio has a
 * hundred thousand of them.
 */
export function addUnsettled(sums: Iterable<UnsettledSum>): readonly UnsettledSum[] {
  const added = new Map<UnsettledSum['kind'], Map<string, { amount_cents: bigint; entries: bigint }>>();
  for (const { kind, currency, amount_cents, entries } of sums) {
    let currencies = added.get(kind);
    if (currencies === undefined) added.set(kind, (currencies = new Map()));
    const sum = currencies.get(currency);
    if (sum === undefined) currencies.set(currency, { amount_cents, entries });
    else {
      sum.amount_cents += amount_cents;
      sum.entries += entries;
    }
  }
  return byKey(added).flatMap(([kind, currencies]) =>
    byKey(currencies).map(([currency, sum]) => ({ kind, currency, ...sum })),
  );
}

function byKey<Key extends string, Value>(map: ReadonlyMap<Key, Value>): readonly (readonly [Key, Value])[] {
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** The unsettled amounts of a scope, from its sums, of which there is one per kind and currency. */
export function settleBeside(sums: readonly UnsettledSum[]): Unsettled {
  const of = (kind: UnsettledSum['kind']): readonly UnsettledSum[] =>
    sums.filter((each) => each.kind === kind);
  const cash = of('cash_left_out');
  const capacity = of('capacity_left_out');
  const currencies = new Set([...cash, ...capacity].map(({ currency }) => currency));
  return {
    value_left_out: [...currencies].toSorted().map((currency) => {
      const left = leftOutOf(capacity, currency);
      return {
        ...leftOutOf(cash, currency),
        capacity_amount_cents: left.amount_cents,
        capacity_entries: left.entries,
      };
    }),
    cost_left_out: of('cost_left_out').map(({ currency, amount_cents, entries }) => ({
      currency,
      amount_cents,
      entries,
    })),
    provisional_cost_cents: of('provisional_cost')[0]?.amount_cents ?? 0n,
  };
}

/** What is left of the amounts without dollars when `some` of them are taken away. */
export function leftOutBesides(all: LeftOutOfScope, some: LeftOutOfScope): LeftOutOfScope {
  return {
    cost_left_out: all.cost_left_out
      .map((each) => minus(each, some.cost_left_out))
      .filter(({ entries }) => entries > 0n),
    value_left_out: all.value_left_out
      .map((each) => {
        const same = some.value_left_out.find(({ currency }) => currency === each.currency);
        return {
          ...minus(each, some.value_left_out),
          capacity_amount_cents: each.capacity_amount_cents - (same?.capacity_amount_cents ?? 0n),
          capacity_entries: each.capacity_entries - (same?.capacity_entries ?? 0n),
        };
      })
      .filter(({ entries, capacity_entries }) => entries + capacity_entries > 0n),
  };
}

function minus({ currency, amount_cents, entries }: LeftOut, some: readonly LeftOut[]): LeftOut {
  const same = some.find((each) => each.currency === currency) ?? NOTHING;
  return { currency, amount_cents: amount_cents - same.amount_cents, entries: entries - same.entries };
}

function leftOutOf(sums: readonly UnsettledSum[], currency: string): LeftOut {
  const { amount_cents, entries } = sums.find((each) => each.currency === currency) ?? NOTHING;
  return { currency, amount_cents, entries };
}

const NOTHING = { amount_cents: 0n, entries: 0n };
