/** Return on investment: net value ÷ cost. Two whole numbers of cents are divided in double precision, without rounding. */
import { divideRounded, netOf } from './cents.ts';
import type { CashCents, Cents } from './cents.ts';

/** The ratio of `/roi`, the assistant and `/decisions`; null (not 0) unless cost is above zero. */
export function liveRoi(value: CashCents, cost: Cents): number | null {
  return cost > 0n ? Number(netOf(value, cost)) / Number(cost) : null;
}

/** The ratio of the reporting tables; null also if cash value is not above zero. */
export function reportedRoi(value: CashCents, cost: Cents): number | null {
  return value > 0n ? liveRoi(value, cost) : null;
}

/** The live ratio as a percentage with one decimal. It is computed from the cents, so it is rounded only once. */
export function roiPercentage(value: CashCents, cost: Cents): number | null {
  return cost > 0n ? Number(divideRounded(netOf(value, cost) * 1_000n, cost)) / 10 : null;
}
