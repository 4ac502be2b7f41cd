/** Ranges of a table hold each of its rows once, in whole row groups, and their conditions take any key. */
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canBeCut, conditionOf, cutTable } from '../../../src/ledger/moment/table-ranges.ts';
import { tableSelect } from '../../../src/ledger/moment/table-select.ts';
import { REPORTING } from '../../../src/tables/all.ts';
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

const selected = REPORTING.tables.filter(({ from }) => from !== null);

it('each table whose key has only ids and texts is cut', () => {
  const uncut = REPORTING.tables.filter((table) => !canBeCut(table)).map(({ name }) => name);
  // Two are computed, two have months in their keys, and `snapshot` has one row.
  expect(uncut).toEqual([
    'snapshot',
    'budget_vs_actual',
    'accounting_periods',
    'ai_spend',
    'reported_totals',
  ]);
});

it.each(selected.filter(canBeCut).map((table) => [table.name, table] as const))(
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

it('a table without rows is cut into no range', async () => {
  const [costs] = REPORTING.tables.filter(({ name }) => name === 'costs');
  const empty = { ...parameters, account_id: 999n };
  expect(costs && (await cutTable(client, costs, empty, { group_rows: 8, ranges: 8 }))).toEqual([]);
});
