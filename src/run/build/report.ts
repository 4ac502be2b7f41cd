/** A build as a person follows it: one line per table, one for the audit, one for the end. */
import { leftOutLines } from '../../figures/left-out-words.ts';
import type { BuildEvent } from '../../snapshot/build/events.ts';
import { TABLES } from '../../tables/all.ts';
import { shownCount, shownMegabytes } from '../../format.ts';

const NAME_WIDTH = 26;
const ROWS_WIDTH = 12;
const MEGABYTES_WIDTH = 11;
const SECONDS_WIDTH = 7;
/** To the kilobyte, so that no table looks empty. */
const SIZE_DECIMALS = 3;

/** The line for one event of a build. */
export function buildLine(event: BuildEvent): string {
  switch (event.kind) {
    case 'table.written':
      return columns(
        event.table,
        `${shownCount(event.rows)} rows`,
        shownMegabytes(event.bytes, SIZE_DECIMALS),
        event.ms,
      );
    case 'table.shrunk':
      return `  ${event.table} had ${shownCount(event.before)} rows and has ${shownCount(event.rows)}: a recount of the ledger agrees`;
    case 'audit.passed':
      return columns('audit', `${event.checks} checks passed`, '', event.ms);
    case 'totals.incomplete':
      return leftOutLines(event.left_out)
        .map((line) => `  ${line}`)
        .join('\n');
    case 'audit.refused':
      return `  the audit refused these figures; the files are kept in ${event.kept}`;
    case 'moment.awaited':
      return `  waiting ${event.ms} ms: the newest snapshot bears this very second`;
    case 'spool.left':
      return `  the files could not be removed from ${event.directory}: a later build clears them away`;
    case 'snapshot.pinned':
      return `  pinned ${event.snapshot} as ${event.name}: it is the first that sees the month closed`;
    case 'pin.delayed':
      return `  the close could not be pinned (${event.why.replace(/\.$/, '')}): the next build will`;
    case 'snapshot.published':
      return `  published ${event.snapshot} as number ${event.seq} in ${seconds(event.ms)}`;
    case 'snapshot.superseded':
      return `  superseded: number ${event.seq} describes the same or a later moment`;
    case 'snapshot.skipped':
      return `  skipped: its night was published already, as number ${event.seq}`;
  }
}

/** What the build does after this event, for a terminal; null when there is nothing to follow. */
export function buildDoing(event: BuildEvent): string | null {
  if (event.kind === 'audit.passed') return '  publishing …';
  if (event.kind !== 'table.written') return null;
  const written = TABLES.findIndex(({ name }) => name === event.table) + 1;
  const next = TABLES[written];
  return next === undefined
    ? '  control totals and audit …'
    : `  ${next.name} … (table ${written + 1} of ${TABLES.length})`;
}

function columns(name: string, rows: string, size: string, ms: number): string {
  const counts = `${rows.padStart(ROWS_WIDTH + 5)}  ${size.padStart(MEGABYTES_WIDTH)}`;
  return `  ${name.padEnd(NAME_WIDTH)}${counts}  ${seconds(ms).padStart(SECONDS_WIDTH)}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
