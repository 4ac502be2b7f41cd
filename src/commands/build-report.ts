/** A build as a person follows it: one line per table, one for the audit, one for the end. */
import type { BuildEvent } from '../snapshot/build-events.ts';

const NAME_WIDTH = 26;
const ROWS_WIDTH = 12;
const BYTES_WIDTH = 14;

/** The line for one event of a build. */
export function buildLine(event: BuildEvent): string {
  switch (event.kind) {
    case 'table.written':
      return columns(event.table, `${grouped(event.rows)} rows`, `${grouped(event.bytes)} bytes`, event.ms);
    case 'table.shrunk':
      return `  ${event.table} had ${grouped(event.before)} rows and has ${grouped(event.rows)}: a recount of the ledger agrees`;
    case 'audit.passed':
      return columns('audit', `${event.checks} checks passed`, '', event.ms);
    case 'audit.refused':
      return `  the audit refused these figures; the files are kept in ${event.kept}`;
    case 'moment.awaited':
      return `  waiting ${event.ms} ms: the newest snapshot bears this very second`;
    case 'spool.left':
      return `  the files could not be removed from ${event.directory}: a later build clears them away`;
    case 'snapshot.published':
      return `  published ${event.snapshot} as number ${event.seq} in ${event.ms} ms`;
    case 'snapshot.superseded':
      return `  superseded: number ${event.seq} describes the same or a later moment`;
  }
}

function columns(name: string, rows: string, bytes: string, ms: number): string {
  const counts = `${rows.padStart(ROWS_WIDTH + 5)}  ${bytes.padStart(BYTES_WIDTH)}`;
  return `  ${name.padEnd(NAME_WIDTH)}${counts}  ${String(ms).padStart(6)} ms`;
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
