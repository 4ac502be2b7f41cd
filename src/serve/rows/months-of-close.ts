/** The accounting months of a snapshot: which are closed, and which were reopened, when, by whom and why. */
import { html } from 'hono/html';
import type { Reason } from '../../diff/reasons.ts';
import { addMonths, type Day } from '../../figures/calendar.ts';
import { shownCountOf } from '../../format.ts';
import type { Instant } from '../../instant.ts';
import { cellAt, type RowsOf } from '../../snapshot/read/rows.ts';
import type { accounting_periods } from '../../tables/accounting_periods.ts';
import { shownMonth } from '../frame/shown-values.ts';
import type { Html } from '../frame/site-layout.ts';
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

/** The first days of the closed months, oldest first; null if no close was ever started. */
export async function readClosedMonths(months: Months): Promise<readonly Day[] | null> {
  const closed: Day[] = [];
  for await (const { rows, columns } of months.read(['month', 'locked'])) {
    const [firsts, locks] = columns;
    for (let row = 0; row < rows; row += 1) if (cellAt(locks, row)) closed.push(cellAt(firsts, row));
  }
  return months.count === 0 ? null : closed;
}

/** The sentence names so many runs of months. */
const MAX_RUNS = 6;

/** The closed months in a sentence that leads to their rows; nothing if no close was ever started. */
export function closedSentence(closed: readonly Day[] | null, address: string): Html | '' {
  if (closed === null) return '';
  if (closed.length === 0) return html`<p class="quiet"><a href="${address}">No month is closed.</a></p>`;
  const runs = runsOf(closed);
  // The newest months are those that people ask for.
  const named = runs
    .slice(-MAX_RUNS)
    .map(([first, last]) =>
      first === last ? shownMonth(first) : `${shownMonth(first)} to ${shownMonth(last)}`,
    );
  return html`<p class="quiet">
    <a href="${address}">${shownCountOf(closed.length, 'closed month')}</a>:
    ${runs.length > MAX_RUNS ? 'earlier ones, ' : ''}${named.join(', ')}.
  </p>`;
}

/** The first and the last month of each run without a gap. */
function runsOf(months: readonly Day[]): readonly (readonly [first: Day, last: Day])[] {
  const runs: [first: Day, last: Day][] = [];
  for (const month of months) {
    const run = runs.at(-1);
    if (run !== undefined && addMonths(run[1], 1) === month) run[1] = month;
    else runs.push([month, month]);
  }
  return runs;
}
