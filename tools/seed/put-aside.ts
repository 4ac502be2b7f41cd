/**
 * Puts aside what costs PostgreSQL most for each written row: triggers, indexes, foreign keys, and the checks of frozen inputs.
 * Indexes that are created at the end, and foreign keys that are checked then, take a fraction of the time.
 */
import type { Client } from 'pg';
import { readStatement } from '../../src/database/columns.ts';

/**
 * Puts them aside for new rows that are copies of rows which obey every rule. The statements returned make them again: indexes
 * first, then foreign keys, which PostgreSQL checks for all rows, then checks, which it marks as not validated, then triggers.
 * Until the transaction ends, no other session can read these tables, or those that they refer to.
 */
export async function putAside(owner: Client, tables: readonly string[]): Promise<readonly string[]> {
  const again: string[] = [];
  const values = [tables.map((table) => `ledger.${table}`)];
  const constraints = await readStatement(owner, { ...CONSTRAINTS, values });
  for (const { table, constraint, definition, comment } of constraints) {
    await owner.query(`alter table ${table} drop constraint ${constraint}`);
    again.push(`alter table ${table} add constraint ${constraint} ${definition}`);
    if (comment !== null) again.push(`comment on constraint ${constraint} on ${table} is ${comment}`);
  }
  for (const { index, definition } of await readStatement(owner, { ...INDEXES, values })) {
    await owner.query(`drop index ${index}`);
    again.unshift(definition);
  }
  for (const table of tables) {
    await owner.query(`alter table ledger.${table} disable trigger user`);
    again.push(`alter table ledger.${table} enable trigger user`);
  }
  return again;
}

const CONSTRAINTS = {
  name: 'constraints to put aside',
  text: `
    select c.conrelid::regclass::text as table, quote_ident(c.conname) as constraint,
      pg_get_constraintdef(c.oid) || case when c.contype = 'c' and c.convalidated then ' not valid' else '' end as definition,
      quote_literal(obj_description(c.oid, 'pg_constraint')) as comment
    from pg_constraint c
    where c.conrelid = any ($1::regclass[])
      and (c.contype = 'f' or c.contype = 'c' and pg_get_constraintdef(c.oid) like '%service.%input_snapshot%')
    order by c.contype desc, 1, 2`,
  columns: { table: 'text', constraint: 'text', definition: 'text', comment: 'text?' },
} as const;

const INDEXES = {
  name: 'indexes to put aside',
  text: `
    select i.indexrelid::regclass::text as index, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i
    where i.indrelid = any ($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
  columns: { index: 'text', definition: 'text' },
} as const;
