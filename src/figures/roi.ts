/** Return on investment: net value ÷ cost, the unrounded double division of two whole numbers of cents. */
import { divideRounded, netOf } from './cents.ts';
import type { CashCents, Cents } from './cents.ts';

/** The ratio of `/roi`, the assistant and `/decisions`: null where cost is not above zero (null is not zero). */
export function liveRoi(value: CashCents, cost: Cents): number | null {
  return cost > 0n ? Number(netOf(value, cost)) / Number(cost) : null;
}

/** The ratio of the reporting tables: empty, too, where cash value is not above zero. */
export function reportedRoi(value: CashCents, cost: Cents): number | null {
  return value > 0n ? liveRoi(value, cost) : null;
}

/** The live ratio as a percentage, to one decimal and rounded once: from the cents, not from the ratio. */
export function roiPercentage(value: CashCents, cost: Cents): number | null {
  return cost > 0n ? Number(divideRounded(netOf(value, cost) * 1_000n, cost)) / 10 : null;
}
