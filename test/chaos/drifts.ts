/** What a migration that is no part of this program can do to a column that a reporting table reads. */
import type { Client } from 'pg';
import { tableSelect } from '../../src/ledger/moment/table-select.ts';
import { TABLES } from '../../src/tables/all.ts';

/** A column of the ledger, as PostgreSQL names it. */
export interface ReadColumn {
  /** `ledger.cost_entries`. */
  readonly relation: string;
  readonly column: string;
  readonly type: string;
}

/** The figure tables have no select of their own; what they fold comes from here. */
const FOLDED: Readonly<Record<string, string>> = {
  budget_vs_actual: 'select * from reporting.budget_versions',
  reported_totals: 'select * from reporting.entry_amounts',
};

/** The columns of the ledger that the table is made of, however many views lie between; the names in order. */
export async function columnsOf(admin: Client, table: string): Promise<readonly ReadColumn[]> {
  const select = FOLDED[table] ?? tableSelect(table, { account_id: 1n, generated_at: 0n });
  await admin.query(`begin; create view public.reads as ${select}`);
  // PostgreSQL itself says what a view reads, so the select is one for as long as it is asked.
  const { rows } = await admin.query<ReadColumn>(
    `with recursive reads (relation, part) as (
       select 'public.reads'::regclass::oid, 0
       union
       select d.refobjid, d.refobjsubid
       from reads
       join pg_rewrite r on r.ev_class = reads.relation
       join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass
     )
     select c.oid::regclass::text as relation, a.attname as column,
       format_type(coalesce(nullif(t.typbasetype, 0), t.oid), null) as type
     from reads
     join pg_class c on c.oid = relation and c.relkind = 'r' and c.relnamespace = 'ledger'::regnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum = part
     join pg_type t on t.oid = a.atttypid
     where part > 0 order by 1, 2`,
  );
  await admin.query('rollback');
  if (rows.length === 0) throw new Error(`${table} reads nothing`);
  return rows;
}

/** Other types that a value of each can become, and nothing of it be lost; some take as many bytes on the wire. */
const OTHER_TYPES: Readonly<Record<string, readonly string[]>> = {
  bigint: ['numeric', 'double precision', 'text'],
  boolean: ['text', 'integer'],
  date: ['timestamp with time zone', 'text'],
  'double precision': ['numeric', 'text'],
  integer: ['bigint', 'real', 'text'],
  numeric: ['double precision', 'text'],
  text: ['bytea', 'json'],
  'timestamp with time zone': ['timestamp', 'text'],
};

/** The types to try in the place of that one. */
export function otherTypes(type: string): readonly string[] {
  return OTHER_TYPES[type] ?? ['text'];
}

/** Gives the column another type. */
export function retype({ relation, column, type }: ReadColumn, other: string): string {
  const value =
    other === 'bytea'
      ? `convert_to(${column}, 'UTF8')`
      : other === 'json'
        ? `to_json(${column})`
        : type === 'boolean' && other === 'integer'
          ? `${column}::integer`
          : `${column}::${other}`;
  return `alter table ${relation} alter column ${column} drop default, alter column ${column} type ${other} using ${value}`;
}

/** Does it with every view out of the way, and puts the views back as they were, as their owner. */
export async function beneathViews(admin: Client, change: string): Promise<void> {
  const { rows } = await admin.query<{ name: string; text: string }>(
    `select oid::regclass::text as name, pg_get_viewdef(oid) as text from pg_class
     where relkind = 'v' and relnamespace = 'reporting'::regnamespace order by oid`,
  );
  const names = rows.map(({ name }) => name).join(', ');
  await admin.query(`begin; set local role cf_owner; drop view ${names} cascade; reset role; ${change}`);
  await admin.query('set local role cf_owner');
  for (const { name, text } of rows) {
    await admin.query(
      `create view ${name} with (security_invoker = true) as ${text}; grant select on ${name} to cf_reader`,
    );
  }
  await admin.query('commit');
}

/** The names of all tables. */
export const TABLE_NAMES: readonly string[] = TABLES.map(({ name }) => name);
