/**
 * Adds the entries of a snapshot, row by row, to the sums of a scope (the portfolio, or one initiative). For the live ledger
 * SQL views give the same sums.
 */
import { type Day, firstOfMonth, laterOf } from './calendar.ts';
import { NO_SUMS, type Sums } from './rollup.ts';
import type { UnsettledSum } from './unsettled.ts';

/** What a cost and a value entry of a snapshot have in common. */
export interface FrozenEntry {
  /** First day of its period; null without one. */
  readonly day: Day | null;
  readonly currency: string;
  readonly amount_cents: bigint;
  readonly usd_amount_cents: bigint | null;
}

export interface EntryFold {
  /** `provisional`: the dollars are computed with the latest rate, until the rate of the entry's period is known. */
  addCost(entry: FrozenEntry, is_capex: boolean, provisional: boolean): void;
  /** Adds an approved value entry; `of` is its initiative. */
  addValue(entry: FrozenEntry, entry_type: string, of: bigint): void;
  sums(): Iterable<Sums>;
  /** Sorted by kind and currency. */
  unsettled(): readonly UnsettledSum[];
}

/** Starts empty. Memory grows only with the initiatives and months that have freed capacity. */
export function openEntryFold(): EntryFold {
  let latest_day: Day | null = null;
  let cash = 0n;
  let capex = 0n;
  let opex = 0n;
  // Freed capacity is floored at zero per initiative and month. A large account has hundreds of thousands of these.
  const groups = new Map<number, number>();
  const freed: bigint[] = [];
  const realized: bigint[] = [];
  const numberOf = numbering();
  const monthOf = numbering();
  const unsettled = new Map<string, { -readonly [Name in keyof UnsettledSum]: UnsettledSum[Name] }>();

  function note(day: Day | null): void {
    if (day !== null) latest_day = laterOf(day, latest_day);
  }

  function leave(kind: UnsettledSum['kind'], currency: string, amount_cents: bigint): void {
    const key = `${kind} ${currency}`;
    const sum = unsettled.get(key);
    if (sum === undefined) {
      unsettled.set(key, { kind, currency, amount_cents, entries: 1n });
      return;
    }
    sum.amount_cents += amount_cents;
    sum.entries += 1n;
  }

  return {
    addCost({ day, currency, amount_cents, usd_amount_cents: usd }, is_capex, provisional) {
      note(day);
      if (is_capex) capex += usd ?? 0n;
      else opex += usd ?? 0n;
      if (currency === 'USD') return;
      if (usd === null) leave('cost_left_out', currency, amount_cents);
      else if (provisional) leave('provisional_cost', 'USD', usd);
    },

    addValue({ day, currency, amount_cents, usd_amount_cents: usd }, entry_type, of) {
      note(day);
      const isCapacity = entry_type === 'capacity';
      if (!isCapacity) cash += usd ?? 0n;
      if (isCapacity || entry_type === 'capacity_realized') {
        const key = numberOf(of) * MAX_MONTHS + monthOf(day === null ? '' : firstOfMonth(day));
        const group = groups.get(key) ?? groups.size;
        groups.set(key, group);
        freed[group] = (freed[group] ?? 0n) + (isCapacity ? (usd ?? 0n) : 0n);
        realized[group] = (realized[group] ?? 0n) + (isCapacity ? 0n : (usd ?? 0n));
      }
      if (currency !== 'USD' && usd === null) {
        leave(isCapacity ? 'capacity_left_out' : 'cash_left_out', currency, amount_cents);
      }
    },

    *sums() {
      yield { ...NO_SUMS, latest_day, cash_value_cents: cash, capex_cents: capex, opex_cents: opex };
      for (const [group, capacity_cents] of freed.entries()) {
        yield { ...NO_SUMS, capacity_cents, capacity_realized_cents: realized[group] ?? 0n };
      }
    },

    unsettled: () =>
      [...unsettled.values()].toSorted((a, b) =>
        a.kind === b.kind ? (a.currency < b.currency ? -1 : 1) : a.kind < b.kind ? -1 : 1,
      ),
  };
}

/** More months than a calendar of four-digit years has. */
const MAX_MONTHS = 120_001;

/** Numbers values in the order of their first use. */
function numbering(): (value: bigint | string) => number {
  const numbers = new Map<bigint | string, number>();
  return (value) => {
    const number = numbers.get(value) ?? numbers.size;
    numbers.set(value, number);
    return number;
  };
}
