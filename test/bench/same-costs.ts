/** That a file of `costs` holds what the ledger does, told by another engine: rows, cents, first and last key. */
import { DuckDBInstance } from '@duckdb/node-api';
import type { Client } from 'pg';

export interface CheckedFile {
  readonly rows: number;
  readonly cents: string;
  readonly first: string;
  readonly last: string;
}

/** What the bare ledger says of the account's costs. */
export async function costsOfLedger(reader: Client, account: bigint): Promise<CheckedFile> {
  const { rows } = await reader.query<Record<'rows' | 'cents' | 'first' | 'last', string>>(
    `select count(*)::text as rows, sum(c.amount_cents)::text as cents, min(c.id)::text as first, max(c.id)::text as last
     from ledger.cost_entries c join ledger.initiatives i on i.account_id = c.account_id and i.id = c.initiative_id
     where c.account_id = $1 and not i.is_sample`,
    [account],
  );
  return checked(rows[0]);
}

/** What DuckDB reads in the file. */
export async function costsOfFile(file: string): Promise<CheckedFile> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(
    `select count(*)::varchar as rows, sum(amount_cents)::varchar as cents, min(cost_entry_id)::varchar as first,
       max(cost_entry_id)::varchar as last
     from read_parquet('${file}')`,
  );
  const [row] = reader.getRowObjectsJson();
  connection.closeSync();
  instance.closeSync();
  return checked(row);
}

function checked(row: Readonly<Record<string, unknown>> | undefined): CheckedFile {
  const { rows, cents, first, last } = row ?? {};
  return { rows: Number(rows), cents: String(cents), first: String(first), last: String(last) };
}
