/**
 * Sums of segments of months, from which figures of a window follow without its entries: the segments inside the window are
 * added by month, and then floored as any group. A window that ends within a segment cannot be answered.
 */
import { type Day, lastOfMonth, laterOf } from './calendar.ts';
import { NO_SUMS, type Sums } from './rollup.ts';
import { addUnsettled, type UnsettledSum } from './unsettled.ts';

/** A part of a month, or a whole one; its days are null for entries without a date. */
interface Segment {
  readonly month: Day | null;
  readonly from_day: Day | null;
  readonly through_day: Day | null;
}

export type SegmentSums = Segment & Sums;
export type SegmentUnsettled = Segment & UnsettledSum;

/** The first and the last day of a window; null for all entries, also those without a date. */
type Days = { readonly from: Day; readonly through: Day } | null;

/**
 * The groups inside the window, of one initiative or of the portfolio; null if the window ends within a segment. The rows of the
 * portfolio were floored apart and cannot be added, so a month that is cut has rows of the whole month, too.
 */
export function groupsInside(
  rows: readonly SegmentSums[],
  days: Days,
  scope: 'initiative' | 'portfolio',
): readonly Sums[] | null {
  const groups: Sums[] = [];
  for (const [month, own] of Map.groupBy(rows, (row) => row.month)) {
    if (month === null) {
      if (days === null) groups.push(...own);
      continue;
    }
    const within = own.filter(
      ({ from_day, through_day }) => from_day === month && through_day === lastOfMonth(month),
    );
    const isWhole = placeOf({ from_day: month, through_day: lastOfMonth(month) }, days) === 'inside';
    const used =
      isWhole && within.length > 0
        ? within
        : own.length > within.length
          ? own.filter((row) => !within.includes(row))
          : own;
    const inside = used.filter((row) => placeOf(row, days) === 'inside');
    if (used.some((row) => placeOf(row, days) === 'across')) return null;
    if (scope === 'portfolio') {
      if (new Set(inside.map(({ from_day }) => from_day)).size > 1) return null;
      groups.push(...inside);
    } else if (inside.length > 0) groups.push(inside.reduce<Sums>(addSums, NO_SUMS));
  }
  return groups;
}

/** The unsettled amounts inside the window, by kind and currency; null if the window ends within a segment. */
export function unsettledInside(
  rows: readonly SegmentUnsettled[],
  days: Days,
): readonly UnsettledSum[] | null {
  if (rows.some((row) => placeOf(row, days) === 'across')) return null;
  return addUnsettled(rows.filter((row) => placeOf(row, days) === 'inside'));
}

function placeOf(
  { from_day, through_day }: Omit<Segment, 'month'>,
  days: Days,
): 'inside' | 'outside' | 'across' {
  if (days === null) return 'inside';
  if (from_day === null || through_day === null) return 'outside';
  if (through_day < days.from || from_day > days.through) return 'outside';
  return from_day >= days.from && through_day <= days.through ? 'inside' : 'across';
}

function addSums(a: Sums, b: Sums): Sums {
  const [one, other] = [a.vendor_price_effect_cents, b.vendor_price_effect_cents];
  return {
    latest_day: a.latest_day === null ? b.latest_day : laterOf(a.latest_day, b.latest_day),
    cash_value_cents: a.cash_value_cents + b.cash_value_cents,
    capacity_cents: a.capacity_cents + b.capacity_cents,
    capacity_realized_cents: a.capacity_realized_cents + b.capacity_realized_cents,
    capex_cents: a.capex_cents + b.capex_cents,
    opex_cents: a.opex_cents + b.opex_cents,
    vendor_price_effect_cents: one === null ? other : one + (other ?? 0n),
  };
}
