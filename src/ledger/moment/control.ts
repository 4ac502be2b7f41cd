/**
 * Control totals: counts, sums and fingerprints of each base table, read without views. The audit compares the files with
 * them, and so detects a row or attribute lost on the way.
 */
import type { ClientBase } from 'pg';
import { join } from 'node:path';
import { fillTemplate } from '../../sql-scripts.ts';
import { basePlaceholders } from '../../tables/copied.ts';
import { readSqlFiles } from '../migrate/files.ts';
import { SCHEMA_FOLDER } from '../schema-folder.ts';
import { streamedRows } from './streamed-rows.ts';

/** One row of a base table's totals. */
export interface ControlRow {
  readonly base_table: string;
  /** The number of this row among the rows of the base table, from 1. */
  readonly row: number;
  /** The figures by name, as text, because a sum may be too large for an exact JSON number. */
  readonly figures: Readonly<Record<string, string | null>>;
}

/** A row as the driver returns it. */
type Row = Readonly<Record<string, string | bigint | number | boolean | null>>;

interface ControlQuestion {
  readonly account_id: bigint;
  /** The folder of the queries, below `schema`; `control` if omitted. */
  readonly folder?: string;
}

/**
 * Yields the control totals of an account, table by table, sorted by name. Call it inside the build's transaction, so that
 * they describe the same data as the tables. Each bill has a row: ten million entries give hundreds of thousands of rows.
 */
export async function* readControlTotals(
  client: ClientBase,
  { account_id, folder = 'control' }: ControlQuestion,
): AsyncGenerator<ControlRow> {
  // The queries take no bound parameters, so that they can be published as they ran. An integer cannot inject SQL.
  const account = `bigint '${account_id}'`;
  for (const file of await readSqlFiles(join(SCHEMA_FOLDER, folder))) {
    const base_table = file.name.replace(/\.sql$/, '');
    const query = { name: file.name, sql: file.text };
    const [text = ''] = fillTemplate(query, { account_id: account, ...basePlaceholders(base_table) });
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
