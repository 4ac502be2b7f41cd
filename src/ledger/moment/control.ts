/**
 * Control totals: counts, sums and fingerprints read straight from the base tables, one table each, past every view.
 * The audit holds the files to them, so a row or attribute lost on the way is caught.
 */
import type { ClientBase } from 'pg';
import { join } from 'node:path';
import { readSqlFiles } from '../migrate/files.ts';
import { SCHEMA_FOLDER } from '../migrate/schema-folder.ts';
import { streamedRows } from './streamed-rows.ts';

/** One row of a base table's totals. */
export interface ControlRow {
  readonly base_table: string;
  /** Its place among those of the table, from 1. */
  readonly row: number;
  /** By name; every figure as text, because a sum may pass what a JSON number holds exactly. */
  readonly figures: Readonly<Record<string, string | null>>;
}

/** What the driver gives for counts, sums, codes and marks. */
type Row = Readonly<Record<string, string | bigint | number | boolean | null>>;

/**
 * The control totals of an account, table by table in the order of their names; asked inside the build's transaction, so at
 * the moment of its tables. What was booked from each bill is a row: of ten million entries they are hundreds of thousands.
 */
export async function* readControlTotals(
  client: ClientBase,
  { account_id }: { readonly account_id: bigint },
): AsyncGenerator<ControlRow> {
  // The queries take no bound parameters, so that they can be published as they ran; an integer cannot carry SQL.
  const account = `bigint '${account_id}'`;
  for (const file of await readSqlFiles(join(SCHEMA_FOLDER, 'control'))) {
    const base_table = file.name.replace(/\.sql$/, '');
    const text = file.text.replaceAll(':account_id', account);
    let row = 0;
    for await (const figures of streamedRows<Row>(client, text)) {
      yield { base_table, row: ++row, figures: inText(figures) };
    }
  }
}

function inText(row: Row): ControlRow['figures'] {
  return Object.fromEntries(
    Object.entries(row).map(([name, figure]) => [name, figure === null ? null : String(figure)]),
  );
}
