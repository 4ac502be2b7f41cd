/** Whether a published rate can be true beside the days before it: a wrong column or an inverse rate is far from them. */

/** A rate of one currency on one day, in units for one euro; at most ten decimals. */
export interface DayRate {
  readonly day: string;
  readonly currency: string;
  readonly units_per_euro: string;
}

/** A rate that is more than three times, or less than a third of, the median of the thirty published days before it. */
export interface ImplausibleRate extends DayRate {
  readonly median: string;
}

/** A currency's rates are judged from its thirty-first published day on. */
export const JUDGED_BY = 30;

const SCALE = 10n ** 10n;

/**
 * The implausible rates among those that `isJudged` names, by day and currency. `before` holds the last thirty stored rates
 * of each currency before the first day of `rates`, in any order.
 */
export function implausibleRates(
  rates: readonly DayRate[],
  before: readonly DayRate[],
  isJudged: (rate: DayRate) => boolean,
): readonly ImplausibleRate[] {
  const byDay = [...before, ...rates].toSorted((a, b) => (a.day < b.day ? -1 : 1));
  const windows = new Map<string, bigint[]>();
  const found: ImplausibleRate[] = [];
  for (const rate of byDay) {
    const units = scaled(rate.units_per_euro);
    const window = windows.get(rate.currency) ?? [];
    windows.set(rate.currency, window);
    if (window.length === JUDGED_BY && isJudged(rate)) {
      const doubled = doubledMedian(window);
      // The median is half of `doubled`, so both limits are compared without a division.
      if (2n * units > 3n * doubled || 6n * units < doubled) found.push({ ...rate, median: shown(doubled) });
    }
    window.push(units);
    if (window.length > JUDGED_BY) window.shift();
  }
  return found;
}

/** The two middle values of thirty, added: twice the median. */
function doubledMedian(window: readonly bigint[]): bigint {
  const sorted = window.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const middle = JUDGED_BY / 2;
  return (sorted[middle - 1] ?? 0n) + (sorted[middle] ?? 0n);
}

function scaled(units: string): bigint {
  const [integer = '', decimals = ''] = units.split('.');
  return BigInt(integer) * SCALE + BigInt(decimals.padEnd(10, '0'));
}

function shown(doubled: bigint): string {
  const median = doubled / 2n;
  const decimals = String(median % SCALE)
    .padStart(10, '0')
    .replace(/0+$/, '');
  return decimals === '' ? String(median / SCALE) : `${median / SCALE}.${decimals}`;
}
