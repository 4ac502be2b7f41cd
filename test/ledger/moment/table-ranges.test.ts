/** Ranges of a table hold each of its rows once, in whole row groups, and their conditions take any key. */
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canBeCut, conditionOf, cutTable } from '../../../src/ledger/moment/table-ranges.ts';
import { tableSelect } from '../../../src/ledger/moment/table-select.ts';
import { ROW_GROUP_ROWS } from '../../../src/parquet/batch.ts';
import { FILE_SETS } from '../../../src/tables/file-sets.ts';
import { column, defineTable, type Table } from '../../../src/tables/table.ts';
import { instantOf } from '../../support/instant-of.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const parameters = { account_id: 1n, generated_at: instantOf('2026-07-15T02:00:00.000000Z') };

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createDatabase('template_company');
  client = await database.client('cf_reader');
  await client.query(`begin; set local app.account_id = '1'`);
});
afterAll(() => database.drop());

const tables: readonly Table[] = FILE_SETS.flatMap((set) => [...set.tables]);

it('each table of any set whose key has only ids, texts and instants is cut', () => {
  const uncut = tables.filter((table) => !canBeCut(table)).map(({ name }) => name);
  // `snapshot` has one row, four are computed, and the others have months or empty values in their keys.
  expect(uncut).toEqual([
    'snapshot',
    'budget_vs_actual',
    'accounting_periods',
    'ai_spend',
    'reported_totals',
    'api_usage_sums',
    'api_budget_spend',
    'api_plan_value',
    'month_sums',
    'month_sums_unsettled',
  ]);
});

const entriesWithKey = (kind: 'id' | 'id?'): Table =>
  defineTable({
    name: 'entries',
    grain: 'one row per entry',
    description: 'Entries.',
    key: ['id'],
    from: 'entries where true order by id',
    columns: [column('id', kind, 'An id.')],
  });

it('a table whose key may be empty is not cut', () => {
  expect((['id', 'id?'] as const).map((kind) => canBeCut(entriesWithKey(kind)))).toEqual([true, false]);
});

it('a range of each table ends where a row group ends', () => {
  const sizes = tables.filter(canBeCut).map(({ group_rows = ROW_GROUP_ROWS }) => ROW_GROUP_ROWS % group_rows);
  expect(new Set(sizes)).toEqual(new Set([0]));
});

it.each(tables.filter(canBeCut).map((table) => [table.name, table] as const))(
  '%s: the ranges hold the rows of the table, each once and in order',
  async (name, table) => {
    const { rows: all } = await client.query<object>(tableSelect(name, parameters));
    for (const [group_rows, ranges] of [
      [1, 1],
      [1, 1_000],
      [3, 2],
      [4, 5],
      [all.length, 8],
      [all.length + 1, 8],
    ] as const) {
      const cut = await cutTable(client, table, parameters, { group_rows: Math.max(1, group_rows), ranges });
      const found: object[] = [];
      for (const range of cut) {
        const { rows } = await client.query<object>(tableSelect(name, parameters, conditionOf(table, range)));
        expect(rows).toHaveLength(range.rows);
        found.push(...rows);
      }
      expect(found).toEqual(all);
      expect(cut).toHaveLength(Math.min(ranges, Math.ceil(all.length / Math.max(1, group_rows))));
      const aligned = cut.slice(0, -1).every(({ rows }) => rows % Math.max(1, group_rows) === 0);
      expect(aligned).toBe(true);
    }
  },
);

/** Keys as people may write them; in the order of bytes. */
const NAMES = [
  '',
  "'",
  "' or true --",
  '"',
  '\\',
  "\\'",
  '\n',
  '$1',
  ':account_id',
  'A',
  'a',
  'Ä',
  '数',
  '🚀',
].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

it('the condition of a range takes any text of a key, and any id', async () => {
  const pairs = NAMES.flatMap((name) => [-5n, 0n, 9_223_372_036_854_775_807n].map((id) => ({ name, id })));
  await client.query('create temporary table names (name text, id bigint)');
  await client.query('insert into names select * from unnest($1::text[], $2::bigint[])', [
    pairs.map(({ name }) => name),
    pairs.map(({ id }) => String(id)),
  ]);
  const table: Table = defineTable({
    name: 'names',
    grain: 'one row per name',
    description: 'Names.',
    key: ['name', 'id'],
    from: 'names where true order by name collate "C", id',
    columns: [column('name', 'text', 'A name.'), column('id', 'id', 'An id.')],
  });
  const cut = await cutTable(client, table, parameters, { group_rows: 1, ranges: pairs.length });
  expect(cut).toHaveLength(pairs.length);
  for (const [index, range] of cut.entries()) {
    const { rows } = await client.query<object>(
      `select name, id from names where ${conditionOf(table, range)}`,
    );
    expect(rows).toEqual([pairs[index]]);
  }
});

it('the condition of a range takes any instant to the microsecond, in any zone of a session', async () => {
  const instants = ['2026-03-29 00:59:59.999999Z', '2026-03-29 01:00:00Z', '2026-03-29 01:00:00.000001Z'];
  await client.query(`create temporary table instants (updated_at timestamptz, id bigint)`);
  await client.query(
    'insert into instants select t, n from unnest($1::timestamptz[]) t, generate_series(1, 2) n',
    [instants],
  );
  const table: Table = defineTable({
    name: 'instants',
    grain: 'one row per change',
    description: 'Changes.',
    key: ['updated_at', 'id'],
    from: 'instants where true order by updated_at, id',
    columns: [column('updated_at', 'timestamp', 'An instant.'), column('id', 'id', 'An id.')],
  });
  await client.query(`set local timezone = 'Europe/Berlin'; set local datestyle = 'SQL, DMY'`);
  const cut = await cutTable(client, table, parameters, { group_rows: 1, ranges: 6 });
  await client.query(`set local timezone = 'UTC'; set local datestyle = 'ISO'`);
  const found: (readonly object[])[] = [];
  for (const range of cut) {
    const text = `select updated_at = any($1::timestamptz[]) as is_written, extract(microseconds from updated_at)::int as us, id
      from instants where ${conditionOf(table, range)}`;
    found.push((await client.query<object>(text, [instants])).rows);
  }
  expect(found).toEqual(
    [59_999_999, 0, 1].flatMap((us) => [1n, 2n].map((id) => [{ is_written: true, us, id }])),
  );
});

it('a table without rows is cut into no range', async () => {
  const costs = tables.find(({ name }) => name === 'costs');
  const empty = { ...parameters, account_id: 999n };
  expect(costs && (await cutTable(client, costs, empty, { group_rows: 8, ranges: 8 }))).toEqual([]);
});
