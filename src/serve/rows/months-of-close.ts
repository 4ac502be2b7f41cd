/** The accounting months of a snapshot: which were reopened, when, by whom and why. */
import type { Reason } from '../../diff/reasons.ts';
import type { Day } from '../../figures/calendar.ts';
import type { Instant } from '../../instant.ts';
import { cellAt, type RowsOf } from '../../snapshot/read/rows.ts';
import type { accounting_periods } from '../../tables/accounting_periods.ts';
import type { Moves } from './moves.ts';

type Months = RowsOf<typeof accounting_periods>;

export interface ReopenedMonth {
  /** Its first day. */
  readonly month: Day;
  readonly reopened_at: Instant;
  readonly by: string | null;
  readonly reason: string | null;
}

/** The reasons of entries that changed because their month was reopened. */
const REOPENED: ReadonlySet<string> = new Set<Reason>([
  'added_in_reopened_month',
  'month_reopened',
  'deleted_in_reopened_month',
  'month_unlocked',
]);

/** True if an entry changed because its month was reopened. */
export function hasReopened({ groups }: Pick<Moves, 'groups'>): boolean {
  return groups.some(({ reason }) => REOPENED.has(reason));
}

/** The months that were reopened after an instant, oldest first. */
export async function reopenedSince(since: Instant, months: Months): Promise<readonly ReopenedMonth[]> {
  const reopened: ReopenedMonth[] = [];
  const names = ['month', 'reopened_at', 'reopened_by_name', 'reopen_reason'] as const;
  for await (const { rows, columns } of months.read(names)) {
    const [firsts, instants, people, reasons] = columns;
    for (let row = 0; row < rows; row += 1) {
      const reopened_at = cellAt(instants, row);
      if (reopened_at === null || reopened_at <= since) continue;
      const [by, reason] = [cellAt(people, row), cellAt(reasons, row)];
      reopened.push({ month: cellAt(firsts, row), reopened_at, by, reason });
    }
  }
  return reopened;
}
