/**
 * Describes the tables of the ledger for their reference page, from a migrated database and the comments of its
 * migrations.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { z } from 'zod';
import { type Holding, readStatement } from '../../src/database/columns.ts';
import { readCatalogue } from '../../src/ledger/staging/catalogue.ts';
import { describeColumns } from '../../src/ledger/load/describe.ts';
import { readSqlFiles } from '../../src/ledger/migrate/files.ts';

/** The committed description, from which the page is made without a database. */
export const LEDGER_TABLES_FILE = 'schema/ledger.tables.json';

const SCHEMAS = ['ledger', 'vault'];

const described = z.strictObject({
  /** The digest of the migrations and of `SOURCES`: by it, a stale description is found without a database. */
  digest: z.string(),
  /** Value types: domains over PostgreSQL's types. */
  types: z.array(z.strictObject({ name: z.string(), base: z.string(), meaning: z.string() })),
  tables: z.array(
    z.strictObject({
      name: z.string(),
      meaning: z.string(),
      key: z.array(z.string()),
      columns: z.array(
        z.strictObject({
          name: z.string(),
          type: z.string(),
          nullable: z.boolean(),
          /** `default`: it may be omitted; `generated`: it cannot be written. */
          written: z.enum(['given', 'default', 'generated']),
          values: z.array(z.string()),
          /** Tables whose key the column is part of, by a foreign key. */
          references: z.array(z.string()),
          meaning: z.string(),
        }),
      ),
      /** The columns that a file of the table may have, in order; empty for a table that cannot be loaded. */
      file: z.array(
        z.strictObject({
          name: z.string(),
          meaning: z.string(),
          need: z.string(),
          allowed: z.string(),
          example: z.string(),
        }),
      ),
    }),
  ),
});

/** The files that decide how the tables are described. */
const SOURCES = [
  'ledger-tables.ts',
  ...['describe', 'check-types', 'header', 'rule-words'].map((name) => `../../src/ledger/load/${name}.ts`),
  '../../src/ledger/staging/spellings.ts',
];

export type LedgerTables = z.output<typeof described>;

/** Parses the committed description. */
export function parseLedgerTables(text: string): LedgerTables {
  return described.parse(JSON.parse(text));
}

export async function ledgerTablesDigest(root: URL): Promise<string> {
  const digest = createHash('sha256');
  for (const { name, text } of await migrations(root)) digest.update(name).update(text);
  for (const file of SOURCES) digest.update(await readFile(new URL(file, import.meta.url)));
  return digest.digest('hex');
}

/** The text of the committed description, from a session that may read the catalogue of a migrated database. */
export async function ledgerTablesText(admin: Client, root: URL): Promise<string> {
  const meanings = commentsOf((await migrations(root)).map(({ text }) => text).join('\n'));
  const columns = await readStatement(admin, {
    name: 'ledger columns',
    text: `
      select n.nspname || '.' || c.relname as table_name, a.attname::text as name,
        format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable,
        case
          when a.attgenerated <> '' or a.attidentity = 'a' then 'generated'
          when a.atthasdef or a.attidentity = 'd' then 'default'
          else 'given'
        end as written,
        coalesce(col_description(c.oid, a.attnum), '') as meaning,
        (select pg_get_constraintdef(k.oid) from pg_constraint k
         where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
           and pg_get_constraintdef(k.oid) ~ '^CHECK \\(\\(\\w+ = ANY \\(ARRAY\\[''[^()]*\\]\\)\\)\\)$' limit 1) as values,
        (select json_agg(distinct k.confrelid::regclass::text) from pg_constraint k
         where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any (k.conkey)) as references,
        (select array_position(k.conkey, a.attnum) from pg_constraint k
         where k.conrelid = c.oid and k.contype = 'p') as key_position
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where n.nspname = any ($1) and c.relkind in ('r', 'p') and not c.relispartition
      order by n.nspname, c.relname, a.attnum`,
    values: [SCHEMAS],
    columns: {
      table_name: 'text',
      name: 'text',
      type: 'text',
      nullable: 'bool',
      written: 'text' as Holding<'text', 'given' | 'default' | 'generated'>,
      meaning: 'text',
      values: 'text?',
      references: 'json?' as Holding<'json?', readonly string[] | null>,
      key_position: 'int4?',
    },
  });
  const types = await readStatement(admin, {
    name: 'ledger types',
    text: `
      select t.oid::regtype::text as name, format_type(t.typbasetype, t.typtypmod) as base,
        coalesce(obj_description(t.oid, 'pg_type'), '') as meaning
      from pg_type t join pg_namespace n on n.oid = t.typnamespace
      where n.nspname = any ($1) and t.typtype = 'd' order by 1`,
    values: [SCHEMAS],
    columns: { name: 'text', base: 'text', meaning: 'text' },
  });
  const files = new Map(
    (await readCatalogue(admin)).map((table) => [
      `${table.schema}.${table.name}`,
      [...describeColumns(table)],
    ]),
  );
  const tables = Object.entries(Object.groupBy(columns, ({ table_name }) => table_name)).map(
    ([name, own = []]) => ({
      name,
      meaning: meanings.get(name) ?? '',
      key: own
        .filter(({ key_position }) => key_position !== null)
        .toSorted((a, b) => (a.key_position ?? 0) - (b.key_position ?? 0))
        .map((column) => column.name),
      columns: own.map(({ values, references, ...column }) => ({
        name: column.name,
        type: column.type,
        nullable: column.nullable,
        written: column.written,
        values: [...(values ?? '').matchAll(/'([^']*)'/g)].map(([, value = '']) => value),
        references: [...(references ?? [])].toSorted(),
        meaning: column.meaning,
      })),
      file: files.get(name) ?? [],
    }),
  );
  const domains = types.map(({ name, base, meaning }) => ({
    name,
    base,
    meaning: meanings.get(name) ?? meaning,
  }));
  return `${JSON.stringify({ digest: await ledgerTablesDigest(root), types: domains, tables }, null, 2)}\n`;
}

async function migrations(root: URL) {
  return await readSqlFiles(fileURLToPath(new URL('schema/ledger', root)));
}

/** The SQL comments before each `create table` and `create domain`, by name. */
function commentsOf(sql: string): ReadonlyMap<string, string> {
  const comments = new Map<string, string>();
  let before: string[] = [];
  for (const line of sql.split('\n')) {
    const { created } = /^create (?:table|domain) (?<created>[\w.]+) (?:\($|as )/.exec(line)?.groups ?? {};
    if (created !== undefined && before.length > 0) comments.set(created, before.join(' '));
    before = line.startsWith('-- ') ? [...before, line.slice(3)] : [];
  }
  return comments;
}
