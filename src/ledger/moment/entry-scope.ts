/** The scope of a figure: which entries it includes. Sums and unsettled amounts use the same condition. */
import type { Day } from '../../figures/calendar.ts';

/** The entries of the portfolio or of one initiative: all of them, or those that start in a range of days. */
export interface EntryScope {
  readonly account_id: bigint;
  /** The initiative; null for the portfolio. */
  readonly initiative_id: bigint | null;
  /** Only these initiatives of the portfolio; all if omitted. */
  readonly among?: readonly bigint[];
  readonly include_sample: boolean;
  /** First and last day on which an entry may start; null: all entries, including those without a day. */
  readonly days: { readonly from: Day; readonly through: Day } | null;
}

/** A condition on the rows of a view of entries, with the values of its parameters. */
export interface EntryCondition {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * The SQL condition of a scope, with only the needed parts. A part such as `or $2 is null` for an unused parameter would
 * keep the planner from using an index.
 */
export function entryCondition(scope: EntryScope): EntryCondition {
  const values: unknown[] = [scope.account_id];
  const parts = ['account_id = $1'];
  if (scope.initiative_id !== null) parts.push(`initiative_id = $${values.push(scope.initiative_id)}`);
  if (scope.among !== undefined) parts.push(`initiative_id = any($${values.push(scope.among)}::int8[])`);
  if (!scope.include_sample) parts.push('not is_sample');
  if (scope.days !== null) {
    const { from, through } = scope.days;
    parts.push(`day between $${values.push(from)} and $${values.push(through)}`);
  }
  return { text: parts.join(' and '), values };
}
