/** Counts rows in the base tables, without views, as a second check of a table that lost most of its rows. */
import type { ClientBase } from 'pg';
import { readStatement } from '../../database/columns.ts';
import { tableNamed } from '../../tables/all.ts';

/**
 * The number of rows that the table should have; null for a computed table, which has no rows in the ledger. Call it
 * inside the account's own transaction.
 */
export async function countBaseRows(
  client: ClientBase,
  table: string,
  account_id: bigint,
): Promise<number | null> {
  const from_base = tableNamed(table)?.from_base;
  if (from_base === undefined) return null;
  const text = `select count(*) as rows from ${from_base}`;
  const counted = { name: table, text, values: [account_id], columns: { rows: 'int8' } } as const;
  const [row] = await readStatement(client, counted);
  return Number(row?.rows ?? 0n);
}
