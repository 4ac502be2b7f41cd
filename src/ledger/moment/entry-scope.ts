/** Which entries of an account a figure is made of: the same condition for its sums and for what stands beside them. */
import type { Day } from '../../figures/calendar.ts';

/** The entries of the portfolio or of one initiative, of all time or of those that start in some days. */
export interface EntryScope {
  readonly account_id: bigint;
  /** Null: the portfolio. */
  readonly initiativeId: bigint | null;
  readonly includeSample: boolean;
  /** First and last day on which an entry may start; null: all entries, those without a day included. */
  readonly days: { readonly from: Day; readonly through: Day } | null;
}

/** A condition on the rows of a view of entries, with the values of its parameters. */
export interface EntryCondition {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * The condition of a scope. Only what is asked for is written, and not "or the parameter is null", because the planner
 * looks for an index by what stands there.
 */
export function entryCondition(scope: EntryScope): EntryCondition {
  const values: unknown[] = [scope.account_id];
  const parts = ['account_id = $1'];
  if (scope.initiativeId !== null) parts.push(`initiative_id = $${values.push(scope.initiativeId)}`);
  if (!scope.includeSample) parts.push('not is_sample');
  if (scope.days !== null) {
    const { from, through } = scope.days;
    parts.push(`day between $${values.push(from)} and $${values.push(through)}`);
  }
  return { text: parts.join(' and '), values };
}
