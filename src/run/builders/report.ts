/**
 * Prints the progress of a build: a line for each table, for the audit, for the end, and for each unusual event. A terminal
 * also shows the running step.
 */
import { leftOutLine } from '../../figures/left-out-words.ts';
import type { BuildEvent } from '../../snapshot/builder/events.ts';
import { TABLES } from '../../tables/all.ts';
import { shownCount, shownCountOf, shownDuration, shownMegabytes } from '../../format.ts';
import type { CommandContext } from '../context.ts';

const NAME_WIDTH = 26;
const ROWS_WIDTH = 12;
const MEGABYTES_WIDTH = 11;
const SECONDS_WIDTH = 7;
/** Megabytes with three decimals, so that no table shows as 0. */
const SIZE_DECIMALS = 3;

/** The events that print a line; `rows.written` only moves the progress on a terminal. */
type ToldEvent = Exclude<BuildEvent, { readonly kind: 'rows.written' }>;

/** Prints a line for each event of one build. On a terminal it also shows the running step and, at the end, the sum of the tables. */
export function followBuild({
  print,
  say,
  follow,
}: Pick<CommandContext, 'print' | 'say' | 'follow'>): (event: BuildEvent) => void {
  const sum = { rows: 0, bytes: 0, ms: 0 };
  follow?.('  starting the build');
  return (event) => {
    if (event.kind === 'rows.written') {
      follow?.(tableStep(event.table), { rows: event.rows });
      return;
    }
    for (const line of buildLine(event).split('\n')) print(line);
    if (event.kind === 'table.written') {
      for (const figure of ['rows', 'bytes', 'ms'] as const) sum[figure] += event[figure];
      const isLast = event.table === TABLES.at(-1)?.name;
      if (isLast && follow !== undefined) say(tableLine(`${TABLES.length} tables`, sum));
    }
    const step = stepAfter(event);
    if (step !== undefined) follow?.(step);
  };
}

/** The line for one event of a build. */
export function buildLine(event: ToldEvent): string {
  switch (event.kind) {
    case 'table.written':
      return tableLine(event.table, event);
    case 'part.stored':
      return `  stored ${shownCountOf(event.rows, 'row')} for the build that offered them`;
    case 'table.shrunk':
      return `  ${event.table} had ${shownCount(event.before)} rows and now has ${shownCount(event.rows)}: a count in the ledger gives the same number`;
    case 'audit.passed':
      return columns('audit', `${event.checks} checks passed`, '', event.ms);
    case 'totals.incomplete':
      return `  ${leftOutLine(event.left_out) ?? ''}`;
    case 'audit.refused':
      return `  the audit refused these figures; the files are kept in ${event.kept}`;
    case 'moment.awaited':
      return `  waiting ${event.ms} ms: the newest snapshot has the id of this second`;
    case 'spool.left':
      return `  the files could not be removed from ${event.directory}: a later build removes them`;
    case 'snapshot.pinned':
      return `  pinned ${event.snapshot} as ${event.name}: it is the first snapshot with this month closed`;
    case 'pin.delayed':
      return `  the snapshot of the closed month could not be pinned (${event.why.replace(/\.$/, '')}); the next build will try again`;
    case 'snapshot.published':
      return `  published ${event.snapshot} as number ${event.seq} in ${shownDuration(event.ms)}`;
    case 'snapshot.superseded':
      return `  not published: snapshot number ${event.seq} is of the same moment or a later one`;
    case 'snapshot.skipped':
      return `  skipped: its night was published already, as number ${event.seq}`;
  }
}

/** The step that begins after this event. Null: the build has ended. Undefined: the step that runs goes on. */
function stepAfter(event: ToldEvent): string | null | undefined {
  if (event.kind === 'table.written') {
    const next = TABLES[tableNumber(event.table)];
    return next === undefined ? '  control totals and audit' : tableStep(next.name);
  }
  if (event.kind === 'audit.passed') return '  publishing';
  // Only events that end a build have `seq`.
  return 'seq' in event ? null : undefined;
}

function tableStep(name: string): string {
  return `  ${name} (table ${tableNumber(name)} of ${TABLES.length})`;
}

/** The number of a table in the order of the build, from 1. */
function tableNumber(name: string): number {
  return TABLES.findIndex((table) => table.name === name) + 1;
}

interface Written {
  readonly rows: number;
  readonly bytes: number;
  readonly ms: number;
}

function tableLine(name: string, { rows, bytes, ms }: Written): string {
  return columns(name, shownCountOf(rows, 'row'), shownMegabytes(bytes, SIZE_DECIMALS), ms);
}

function columns(name: string, rows: string, size: string, ms: number): string {
  const counts = `${rows.padStart(ROWS_WIDTH + 5)}  ${size.padStart(MEGABYTES_WIDTH)}`;
  return `  ${name.padEnd(NAME_WIDTH)}${counts}  ${seconds(ms).padStart(SECONDS_WIDTH)}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
