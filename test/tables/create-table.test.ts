import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIELD_KINDS } from '../../src/fields.ts';
import { TABLES } from '../../src/tables/all.ts';
import { createTableSql } from '../../src/tables/create-table.ts';
import { DIALECTS } from '../../src/tables/dialects.ts';
import { column, defineTable } from '../../src/tables/table.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

/** What a warehouse says of a column. */
interface Found {
  readonly table_name: string;
  readonly column_name: string;
  readonly nullable: boolean;
  readonly comment: string;
}

const DECLARED: readonly Found[] = TABLES.flatMap(({ name, columns }) =>
  columns.map((each) => ({
    table_name: name,
    column_name: each.name,
    nullable: each.nullable,
    comment: each.description,
  })),
);

const small = defineTable({
  name: 'small',
  grain: 'one row',
  description: "It isn't large.",
  key: ['id', 'part'],
  from: null,
  columns: [
    column('id', 'id', "The row's id."),
    column('part', 'string?', 'A part; \\ is no escape.'),
    column('seen_at', 'timestamp?', 'When it was seen.'),
  ],
});

const statements = (schema?: string) => (dialect: (typeof DIALECTS)[number]) =>
  TABLES.map((table) => createTableSql(table, dialect, schema)).join('');

describe('the tables created in DuckDB', () => {
  let instance: DuckDBInstance;
  beforeAll(async () => {
    instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(`create schema "of a's"; ${statements("of a's")('duckdb')}`);
    await connection.run(statements("of a's")('duckdb')); // once more: what is there stays
    connection.closeSync();
  });
  afterAll(() => instance.closeSync());

  const ask = async (sql: string) => {
    const connection = await instance.connect();
    const rows = (await connection.runAndReadAll(sql)).getRowObjectsJson();
    connection.closeSync();
    return rows;
  };

  const month = (snapshot: string) =>
    ask(
      `insert into "of a's".accounting_periods (snapshot_id, month, status, locked) values ('${snapshot}', '2026-01-01', 'open', false)`,
    );

  it('have the columns, types, demands and sentences of the declarations', async () => {
    const rows = await ask(
      'select table_name, column_name, data_type, is_nullable as nullable, comment from duckdb_columns() where not internal',
    );
    const types = TABLES.flatMap(({ columns }) => columns.map(({ kind }) => FIELD_KINDS[kind].duckdb));
    const declared = DECLARED.map((each, index) => ({ ...each, data_type: types[index] }));
    expect(rows).toHaveLength(declared.length);
    expect(rows).toEqual(expect.arrayContaining(declared));
  });

  it('refuse a second row of the same key in one snapshot, and take it in another', async () => {
    await month('one');
    await month('two');
    await expect(month('one')).rejects.toThrow(/primary key/i);
  });
});

describe('the tables created in PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase('template_ledger');
    const admin = await database.admin();
    await admin.query(`create schema "of a's"; ${statements("of a's")('postgres')}`);
    await admin.query(statements("of a's")('postgres'));
  });
  afterAll(() => database.drop());

  it('have the columns, types, demands and sentences of the declarations', async () => {
    const admin = await database.admin();
    const { rows } = await admin.query<Found & { type: string }>(`
      select relname as table_name, attname as column_name, not attnotnull as nullable, typname as type,
             col_description(pg_class.oid, attnum) as comment
      from pg_class join pg_attribute on attrelid = pg_class.oid join pg_type on pg_type.oid = atttypid
      where relnamespace = (select oid from pg_namespace where nspname = 'of a''s') and relkind = 'r' and attnum > 0`);
    const types = TABLES.flatMap(({ columns }) => columns.map(({ kind }) => FIELD_KINDS[kind].postgres));
    const declared = DECLARED.map((each, index) => ({ ...each, type: types[index] }));
    expect(rows).toHaveLength(declared.length);
    expect(rows).toEqual(expect.arrayContaining(declared));
  });

  it('refuse a row twice although a part of its key is empty', async () => {
    const admin = await database.admin();
    const cards = `insert into "of a's".ai_spend (snapshot_id, month, source_kind, billed_cents, currency)
      values ('one', '2026-01-01', 'card', 1, 'USD')`;
    await admin.query(cards);
    await expect(admin.query(cards)).rejects.toThrow(/duplicate key/);
  });
});

describe('the statement for a warehouse that no test runs', () => {
  it('demands, comments and orders as that warehouse writes it', () => {
    expect(createTableSql(small, 'snowflake', 'raw')).toBe(`create table if not exists raw.small (
  snapshot_id varchar not null comment 'The snapshot this row belongs to; joins every table to the \`snapshot\` row.',
  id bigint not null comment 'The row''s id.',
  part varchar comment 'A part; \\\\ is no escape.',
  seen_at timestamp_ltz(6) comment 'When it was seen.'
)
comment = 'one row: It isn''t large.';
`);
    expect(createTableSql(small, 'bigquery')).toContain(
      "  `id` int64 not null options (description = 'The row\\'s id.'),\n",
    );
    expect(createTableSql(small, 'clickhouse')).toContain(
      "  `part` Nullable(String) comment 'A part; \\\\ is no escape.',\n",
    );
    expect(createTableSql(small, 'clickhouse')).toContain(
      "\n)\nengine = MergeTree\norder by (`snapshot_id`, `id`)\ncomment 'one row: It isn''t large.';\n",
    );
    expect(createTableSql(small, 'redshift', 'raw')).toContain(
      'create table if not exists "raw"."small" (\n',
    );
    expect(createTableSql(small, 'redshift')).toContain(
      `comment on column "small"."id" is 'The row''s id.';\n`,
    );
  });

  it('names the key where the warehouse can hold it', () => {
    const keyed = { ...small, key: ['id'] };
    const key = (dialect: (typeof DIALECTS)[number]) =>
      /primary key.*/.exec(createTableSql(keyed, dialect))?.[0] ?? null;
    expect(Object.fromEntries(DIALECTS.map((dialect) => [dialect, key(dialect)]))).toEqual({
      duckdb: 'primary key (snapshot_id, id)',
      postgres: 'primary key (snapshot_id, id)',
      snowflake: 'primary key (snapshot_id, id)',
      bigquery: 'primary key (`snapshot_id`, `id`) not enforced',
      redshift: 'primary key ("snapshot_id", "id")',
      clickhouse: null,
    });
  });
});
