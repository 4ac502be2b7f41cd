/** What each lane of the peers' trial gets: the same selects of one account, in the same sessions. */
import { FIELD_KINDS } from '../../../src/fields.ts';
import { FIGURES_MEMORY } from '../../../src/ledger/account-session.ts';
import { tableSelect } from '../../../src/ledger/moment/table-select.ts';
import type { Table } from '../../../src/tables/table.ts';
import { SCHEMA_VERSION } from '../../../src/tables/describe.ts';

export const SNAPSHOT_ID = '20260101T020000Z';
export const GENERATED_AT = 1_767_232_800_000_000n; // 2026-01-01T02:00:00Z
/** Columns that the rows do not have, because they are the same in every row. */
export const CONSTANTS: Readonly<Record<string, string>> = {
  snapshot_id: SNAPSHOT_ID,
  schema_version: SCHEMA_VERSION,
};

export interface LaneTable {
  readonly name: string;
  /** All columns as published, `snapshot_id` included. */
  readonly select: string;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly nullable: boolean;
    readonly description: string;
  }[];
  readonly file: string;
}

/** One line of a lane's standard input. */
export interface LaneJob {
  /** With the options of the session. */
  readonly url: string;
  readonly account: string;
  /** The exported moment to read at. A peer that gets one makes the same promises as we do. */
  readonly moment: string | null;
  readonly tables: readonly LaneTable[];
}

/** The URL of a reader's session of the account, with the settings that our builds make. */
export function sessionUrl(ledgerUrl: string, account: bigint): string {
  const settings = {
    role: 'cf_reader',
    timezone: 'UTC',
    datestyle: 'ISO',
    'app.account_id': String(account),
    work_mem: FIGURES_MEMORY,
    max_parallel_workers_per_gather: '0',
  };
  const url = new URL(ledgerUrl);
  // PostgreSQL's clients take one `options` of a URL, and the embedded server's URL has some.
  const before = url.searchParams.get('options') ?? '';
  url.searchParams.delete('options');
  const options = Object.entries(settings).map(([name, value]) => ` -c ${name}=${value}`);
  // Not as a form has it: the peers would read a plus as a plus.
  const written = `options=${encodeURIComponent(`${before}${options.join('')}`)}`;
  return `${url.href}${url.search === '' ? '?' : '&'}${written}`;
}

/** A table that is selected from the ledger, as the lanes write it. */
export function laneTable(table: Table, account_id: bigint, file: string): LaneTable {
  const select = tableSelect(table.name, { account_id, generated_at: GENERATED_AT });
  const shown = table.columns.map(({ name, from }) =>
    from === null ? `text '${CONSTANTS[name] ?? ''}' as ${name}` : name,
  );
  return {
    name: table.name,
    select: `select ${shown.join(', ')} from (${select}) as rows`,
    columns: table.columns.map(({ name, kind, nullable, description }) => {
      return { name, nullable, description, type: FIELD_KINDS[kind].duckdb };
    }),
    file,
  };
}
