/**
 * Control totals: counts, sums and fingerprints read straight from the base tables, one table each, past every view.
 * The audit holds the files to them, so a row or attribute lost on the way is caught.
 */
import type { ClientBase } from 'pg';
import { join } from 'node:path';
import { readSqlFiles } from './migration-files.ts';
import { SCHEMA_FOLDER } from './schema-folder.ts';

/** By base table; every figure as text, because a sum may pass what a JSON number holds exactly. */
export type ControlTotals = Readonly<Record<string, readonly ControlRow[]>>;

type ControlRow = Readonly<Record<string, string | null>>;

/** What the driver gives for counts, sums, codes and marks. */
type Row = Readonly<Record<string, string | bigint | number | boolean | null>>;

/** The control totals of an account; asked inside the build's transaction, so at the moment of its tables. */
export async function readControlTotals(
  client: ClientBase,
  { accountId }: { readonly accountId: bigint },
): Promise<ControlTotals> {
  // The queries take no bound parameters, so that they can be published as they ran; an integer cannot carry SQL.
  const account = `bigint '${accountId}'`;
  const totals: Record<string, readonly ControlRow[]> = {};
  for (const { name, text } of await readSqlFiles(join(SCHEMA_FOLDER, 'control'))) {
    const { rows } = await client.query<Row>(text.replaceAll(':account_id', account));
    totals[name.replace(/\.sql$/, '')] = rows.map(inText);
  }
  return totals;
}

function inText(row: Row): ControlRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, figure]) => [name, figure === null ? null : String(figure)]),
  );
}
