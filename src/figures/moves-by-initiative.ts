/** What each initiative adds to the step of a reason, in any window: effects of changed entries by initiative and month. */
import type { Day } from './calendar.ts';
import { cash, cents, netOf } from './cents.ts';
import { byNet, type MoveKind } from './waterfall.ts';

/** What a changed entry did in one month of an initiative. */
interface Effect {
  readonly initiative_id: number;
  /** The first day of the month; null for undated entries. */
  readonly month: Day | null;
  readonly cash_value_cents: number;
  readonly capex_cents: number;
  readonly opex_cents: number;
}

interface Window {
  /** Null for all time, with entries without a month. */
  readonly from_date: Day | null;
  readonly through_date: Day;
}

/** What an initiative adds to net value. */
export interface InitiativePart {
  readonly initiative_id: bigint;
  readonly net: bigint;
}

export interface MoveFold {
  add(kind: MoveKind, reason: string, effects: readonly Effect[]): void;
  /** The parts of a step in a window, the largest amount first; they add up to the step. Without initiatives that add nothing. */
  parts(kind: MoveKind, reason: string, window: Window): readonly InitiativePart[];
  /** How many amounts it holds. */
  size(): number;
}

/** Opens an empty fold. */
export function openMoveFold(): MoveFold {
  /** By kind and reason, then by initiative, then by month: net value. */
  const reasons = new Map<string, Map<number, Map<Day | null, bigint>>>();
  let size = 0;
  return {
    add(kind, reason, effects) {
      const key = `${kind} ${reason}`;
      const initiatives = reasons.get(key) ?? new Map<number, Map<Day | null, bigint>>();
      reasons.set(key, initiatives);
      for (const { initiative_id, month, cash_value_cents, capex_cents, opex_cents } of effects) {
        const months = initiatives.get(initiative_id) ?? new Map<Day | null, bigint>();
        initiatives.set(initiative_id, months);
        const known = months.get(month);
        if (known === undefined) size += 1;
        const cost = BigInt(capex_cents) + BigInt(opex_cents);
        months.set(month, (known ?? 0n) + netOf(cash(BigInt(cash_value_cents)), cents(cost)));
      }
    },
    parts(kind, reason, window) {
      const initiatives = reasons.get(`${kind} ${reason}`) ?? new Map<number, Map<Day | null, bigint>>();
      return [...initiatives]
        .map(([id, months]) => ({ initiative_id: BigInt(id), net: netIn(months, window) }))
        .filter(({ net }) => net !== 0n)
        .toSorted(byNet);
    },
    size: () => size,
  };
}

function netIn(months: ReadonlyMap<Day | null, bigint>, { from_date, through_date }: Window): bigint {
  let net = 0n;
  for (const [month, cents_of_month] of months) {
    const inside = from_date === null || (month !== null && month >= from_date && month <= through_date);
    if (inside) net += cents_of_month;
  }
  return net;
}
