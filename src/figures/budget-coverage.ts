/** Computes which budget version covers which month, and the OpEx budget of a range of months. */
import { monthAt, monthNumber } from './calendar.ts';
import type { Day } from './calendar.ts';
import { divideRounded } from './cents.ts';

const MONTHS_PER_CADENCE = { monthly: 1, quarterly: 3, annually: 12 } as const;

/** A version of an initiative's budget. All versions of an initiative have the same `currency`. */
export interface BudgetVersion {
  readonly id: bigint;
  /** Only an approved version is a budget. */
  readonly status: 'pending' | 'approved' | 'rejected' | 'withdrawn';
  readonly source: 'approval' | 'revision' | 'manual';
  /** A one-time total, not accrued. */
  readonly capex_cents: bigint;
  /** The amount for each month, quarter or year, as `opex_cadence` says. */
  readonly opex_cents: bigint;
  readonly opex_cadence: keyof typeof MONTHS_PER_CADENCE;
  readonly currency: string;
  /** The version applies from the first day of this day's month. */
  readonly effective_from: Day;
  /** A day in the last month that it covers; null without an end. */
  readonly ends_on: Day | null;
  readonly reason: string | null;
  readonly set_by: { readonly id: bigint; readonly name: string | null } | null;
  /** Microseconds since 1970 UTC; every approved version has been decided. */
  readonly decided_at: bigint | null;
}

/**
 * A version and the months that it covers, as `monthNumber` counts them. A version replaced in its first month has none.
 */
export interface Coverage {
  readonly version: BudgetVersion;
  readonly from: number;
  /** The last month that it covers: the month before a later version begins, or its own last month. */
  readonly through: number;
}

/**
 * The months of each approved version, in time order. A month belongs to the version whose effective month is the latest
 * that is not after it (ties: the latest decision, then the highest id). After a version's end, no earlier version applies.
 */
export function coverVersions(versions: readonly BudgetVersion[]): readonly Coverage[] {
  const approved = versions.filter((version) => version.status === 'approved').toSorted(inOrder);
  const standing = approved.filter((version, index) => monthOf(version) !== monthOf(approved[index + 1]));
  return standing.map((version, index) => ({
    version,
    from: monthNumber(version.effective_from),
    through: Math.min(
      (monthOf(standing[index + 1]) ?? Infinity) - 1,
      version.ends_on === null ? Infinity : monthNumber(version.ends_on),
    ),
  }));
}

/** The version of a month, even if the version has ended by then; null before the first version. */
export function currentIn(coverages: readonly Coverage[], month: number): Coverage | null {
  return coverages.findLast((coverage) => coverage.from <= month) ?? null;
}

/** The OpEx budget of all versions for the months `from` through `through`; each version's part is rounded once. */
export function opexBudget(coverages: readonly Coverage[], from: number, through: number): bigint {
  let sum = 0n;
  for (const { version, ...covered } of coverages) {
    const months = Math.min(covered.through, through) - Math.max(covered.from, from) + 1;
    if (months > 0) sum += opexOver(version, months);
  }
  return sum;
}

/** A version's OpEx budget for some months. It is rounded once, so twelve twelfths make exactly a year. */
export function opexOver(version: BudgetVersion, months: number): bigint {
  return divideRounded(version.opex_cents * BigInt(months), BigInt(MONTHS_PER_CADENCE[version.opex_cadence]));
}

/** The first days of the last `count` covered months that are not after `last`, latest first. */
export function lastCovered(coverages: readonly Coverage[], last: number, count: number): readonly Day[] {
  const months: Day[] = [];
  for (const { from, through } of coverages.toReversed()) {
    for (let month = Math.min(through, last); month >= from && months.length < count; month--) {
      months.push(monthAt(month));
    }
  }
  return months;
}

function monthOf(version: BudgetVersion | undefined): number | undefined {
  return version === undefined ? undefined : monthNumber(version.effective_from);
}

function inOrder(a: BudgetVersion, b: BudgetVersion): number {
  const months = monthNumber(a.effective_from) - monthNumber(b.effective_from);
  return months || sign(a.decided_at ?? 0n, b.decided_at ?? 0n) || sign(a.id, b.id);
}

function sign(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
