/** How the figures of a window differ between two snapshots. */
import { type CapacityCents, capacity, cash, type CashCents, cents, type Cents } from './cents.ts';

interface WindowFigures {
  readonly cost: bigint;
  readonly cash_value: bigint;
  readonly net_value: bigint;
  readonly freed_capacity: bigint;
  /** The return on investment as a ratio; null if there is none. */
  readonly roi: number | null;
}

/** The figures of a window without any entry. */
export const NO_ENTRIES: WindowFigures = {
  cost: 0n,
  cash_value: 0n,
  net_value: 0n,
  freed_capacity: 0n,
  roi: null,
};

export interface WindowChange {
  readonly cost: Cents;
  readonly cash_value: CashCents;
  readonly net_value: Cents;
  readonly freed_capacity: CapacityCents;
  /** Percentage points; null if either side has no ratio. */
  readonly roi_points: number | null;
}

/** The later figures less the earlier ones. If one snapshot lacks the window, its figures are zero. */
export function changeOf(
  before: WindowFigures = NO_ENTRIES,
  after: WindowFigures = NO_ENTRIES,
): WindowChange {
  return {
    cost: cents(after.cost - before.cost),
    cash_value: cash(after.cash_value - before.cash_value),
    net_value: cents(after.net_value - before.net_value),
    freed_capacity: capacity(after.freed_capacity - before.freed_capacity),
    roi_points: before.roi === null || after.roi === null ? null : (after.roi - before.roi) * 100,
  };
}
