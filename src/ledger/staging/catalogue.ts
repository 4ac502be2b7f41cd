/** The tables that can be loaded, with their columns and rules, read from the database's own catalogue. */
import type { Client } from 'pg';
import { escapeIdentifier } from 'pg';
import { type Holding, readStatement } from '../../database/columns.ts';
import type { LoadTable } from './load-table.ts';
import { spellingsOf } from './spellings.ts';

// Who or what recorded a row of a file: the file, unless it says otherwise.
const PRESET = `case when a.attname = 'source_type' and a.attnotnull then '''csv''' end`;

// The vault tables that can be loaded are listed here, so a new one is not loadable by default. Tokens are issued, never
// loaded. A gate is created with its account, and the rests of a bill with the bill.
const CATALOGUE = `
with loadable as materialized (
  select c.oid, n.nspname as schema, c.relname as name
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and (n.nspname = 'ledger' and c.relname not in ('account_gates', 'usage_rests')
    or n.nspname = 'vault' and c.relname in ('user_emails', 'connection_secrets', 'document_contents'))
),
-- The rules of a domain and the checks of a table are put in words once, not for each column: that takes most of the time.
domains as materialized (
  select t.oid, format_type(t.typbasetype, t.typtypmod) as base, obj_description(t.oid, 'pg_type') as words,
    (select string_agg(pg_get_constraintdef(r.oid), ' and ' order by r.conname) from pg_constraint r where r.contypid = t.oid and r.contype = 'c') as rule
  from pg_type t
  where t.typtype = 'd'
),
checks as materialized (
  select k.conrelid, k.conname, k.conkey, pg_get_expr(k.conbin, k.conrelid) as expression, obj_description(k.oid, 'pg_constraint') as words
  from pg_constraint k
  join loadable l on l.oid = k.conrelid
  where k.contype = 'c'
),
json_columns as materialized (
  select distinct conrelid, conkey[1] as attnum
  from checks
  where cardinality(conkey) = 1 and expression like '%canonical_json(%'
)
select l.schema::text as schema, l.name::text as name,
  (select json_agg(json_build_object(
      'name', a.attname,
      'type', format_type(a.atttypid, a.atttypmod),
      'base', coalesce(t.base, format_type(a.atttypid, a.atttypmod)),
      'rule', t.rule,
      'rule_in_words', t.words,
      'notNull', a.attnotnull,
      'default', case when a.attgenerated = '' then coalesce(pg_get_expr(d.adbin, d.adrelid), ${PRESET}) end,
      'generated', case when a.attgenerated <> '' then pg_get_expr(d.adbin, d.adrelid) end,
      'identity', a.attidentity <> '',
      'meaning', m.description,
      'json', j.conrelid is not null
    ) order by a.attnum)
    from pg_attribute a
    left join domains t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    left join pg_description m on m.objoid = a.attrelid and m.classoid = 'pg_class'::regclass and m.objsubid = a.attnum
    left join json_columns j on j.conrelid = a.attrelid and j.attnum = a.attnum
    where a.attrelid = l.oid and a.attnum > 0 and not a.attisdropped) as columns,
  (select json_agg(a.attname order by c.place)
    from pg_constraint k
    cross join unnest(k.conkey) with ordinality as c (attnum, place)
    join pg_attribute a on a.attrelid = l.oid and a.attnum = c.attnum
    where k.conrelid = l.oid and k.contype = 'p') as key,
  coalesce((select json_agg(json_build_object(
      'columns', (select json_agg(a.attname order by k.place)
        from unnest(i.indkey::int[]) with ordinality as k (attnum, place)
        join pg_attribute a on a.attrelid = l.oid and a.attnum = k.attnum),
      'nullsDistinct', not i.indnullsnotdistinct
    ) order by i.indexrelid)
    from pg_index i
    where i.indrelid = l.oid and i.indisunique and not i.indisprimary and i.indpred is null and i.indexprs is null), '[]') as uniques,
  coalesce((select json_agg(json_build_object(
      'name', k.conname,
      'columns', (select json_agg(a.attname order by a.attnum) from pg_attribute a where a.attrelid = l.oid and a.attnum = any(k.conkey)),
      'expression', k.expression,
      'rule_in_words', k.words
    ) order by k.conname)
    from checks k where k.conrelid = l.oid), '[]') as checks,
  coalesce((select json_agg(json_build_object(
      'columns', (select json_agg(a.attname order by c.place)
        from unnest(k.conkey) with ordinality as c (attnum, place)
        join pg_attribute a on a.attrelid = l.oid and a.attnum = c.attnum),
      'cascades', k.confdeltype = 'c',
      'target', tn.nspname || '.' || tc.relname,
      'targetColumns', (select json_agg(a.attname order by c.place)
        from unnest(k.confkey) with ordinality as c (attnum, place)
        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = c.attnum),
      'optional', exists (select from pg_attribute a where a.attrelid = l.oid and a.attnum = any(k.conkey) and not a.attnotnull)
    ) order by k.conname)
    from pg_constraint k
    join pg_class tc on tc.oid = k.confrelid
    join pg_namespace tn on tn.oid = tc.relnamespace
    where k.conrelid = l.oid and k.contype = 'f'), '[]') as references,
  -- Row triggers before insert, except those with the rights of their owner: these read other rows and run in the real write.
  coalesce((select json_agg(json_build_object(
      'name', g.tgname,
      -- With its condition: FOR EACH ROW WHEN (…) EXECUTE FUNCTION …
      'fires', substring(pg_get_triggerdef(g.oid) from 'FOR EACH ROW .*')
    ) order by g.tgname)
    from pg_trigger g
    join pg_proc p on p.oid = g.tgfoid
    where g.tgrelid = l.oid and not g.tgisinternal and g.tgtype & 7 = 7
      and not p.prosecdef and p.proname <> 'stamp'), '[]') as settlers,
  exists (select from pg_trigger g where g.tgrelid = l.oid and g.tgqual is null and g.tgtype & 19 = 19
    and g.tgfoid::regproc::text in ('service.refuse_change', 'service.keep_decision')) as immutable
from loadable l
order by l.name`;

const CATALOGUE_COLUMNS = {
  schema: 'text',
  name: 'text',
  columns: 'json' as Holding<'json', LoadTable['columns']>,
  key: 'json' as Holding<'json', LoadTable['key']>,
  uniques: 'json' as Holding<'json', LoadTable['uniques']>,
  checks: 'json' as Holding<'json', LoadTable['checks']>,
  references: 'json' as Holding<'json', LoadTable['references']>,
  settlers: 'json' as Holding<'json', LoadTable['settlers']>,
  immutable: 'bool',
} as const;

/** Every loadable table, sorted by name; names are unique across the schemas. */
export async function readCatalogue(client: Client): Promise<readonly LoadTable[]> {
  const tables = await readStatement(client, {
    name: 'catalogue',
    text: CATALOGUE,
    columns: CATALOGUE_COLUMNS,
  });
  return tables.map((table) => ({ ...table, spellings: spellingsOf(table, tables) }));
}

/** The column with a row's account; null for a table that all accounts share. */
export function accountColumn(table: LoadTable): string | null {
  if (table.schema === 'ledger' && table.name === 'accounts') return 'id';
  return table.columns.some((column) => column.name === 'account_id') ? 'account_id' : null;
}

/** The table's quoted name. */
export function tableName(table: Pick<LoadTable, 'schema' | 'name'>): string {
  return `${escapeIdentifier(table.schema)}.${escapeIdentifier(table.name)}`;
}
