/**
 * Drops the indexes of a table before many rows are written: creating them afterwards is cheaper than updating them row by
 * row.
 */
import type { Client } from 'pg';
import { readStatement } from '../../../src/database/columns.ts';

/**
 * Drops the table's indexes, except those of constraints. Returns the statements that make them again. Until the commit no other
 * session can read the table.
 */
export async function putIndexesAside(owner: Client, table: string): Promise<readonly string[]> {
  const rows = await readStatement(owner, {
    name: 'indexes',
    text: `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i
     where i.indrelid = $1::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    values: [`ledger.${table}`],
    columns: { name: 'text', definition: 'text' },
  });
  for (const { name } of rows) await owner.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}
