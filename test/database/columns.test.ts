import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cursorRows } from '../../src/ledger/moment/cursor-rows.ts';
import { type Columns, requireSelects } from '../../src/database/columns.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';

let database: TestDatabase;
let reader: Client;
beforeAll(async () => {
  database = await createDatabase();
  reader = await database.client('cf_reader');
});
afterAll(() => database.drop());

const demand = (text: string, types: Columns) => requireSelects(reader, [{ name: 'costs', text, types }]);

it('the check of columns takes each type that is read, and runs no select', async () => {
  const text = `select true as a, current_date as b, 1::float8 as c, 1 as d, n as e, 1.5 as f,
    '' as g, now() as h from generate_series(1, 10::bigint) n where 1 / (n - n) = 1`;
  await expect(
    demand(text, {
      a: 'bool',
      b: 'date',
      c: 'float8',
      d: 'int4',
      e: 'int8',
      f: 'numeric',
      g: 'text',
      h: 'timestamptz',
    }),
  ).resolves.toBeUndefined();
});

it('the check plans no select: an error of the planner is left to the read', async () => {
  await expect(demand('select 1 / 0 as id', { id: 'int4' })).resolves.toBeUndefined();
});

it('the check passes on the error of a select that PostgreSQL refuses, and the session goes on', async () => {
  const selects = ['select 1 as id', 'select no_such_column as id', 'select 2 as id'].map((text) => ({
    name: 'costs',
    text,
    types: { id: 'int4' } as const,
  }));
  await expect(requireSelects(reader, selects)).rejects.toMatchObject({ code: '42703' });
  await expect(requireSelects(reader, selects.slice(2))).resolves.toBeUndefined();
});

it.each<[what: string, text: string, found: string]>([
  [
    'of another type, though it is as wide',
    'select 1::bigint as id, 2::float8 as cents',
    'cents of type float8',
  ],
  ['of a type that it does not know', `select 1::bigint as id, 'x'::name as cents`, 'cents of type 19'],
  [
    'that stands where another should',
    'select 1::bigint as id, 2::bigint as centimes',
    'centimes of type int8',
  ],
  ['that is not there', 'select 1::bigint as id', 'nothing'],
])('F-13: the refusal names a column %s, with what was expected and found', async (_, text, found) => {
  await expect(demand(text, { id: 'int8', cents: 'int8' })).rejects.toMatchObject({
    code: 'schema_drift',
    message: expect.stringContaining(`costs expects cents of type int8, found ${found}.`),
    data: { table: 'costs', column: 'cents', expected: 'int8', found },
  });
});

const ofIds = (name: string, text: string) => ({ name, text, types: { id: 'int8' } as const });

it('F-13: the refusal names the one of several selects that is of another type', async () => {
  const selects = [ofIds('costs', 'select 1::bigint as id'), ofIds('budgets', 'select 1 as id')];
  await expect(requireSelects(reader, selects)).rejects.toMatchObject({
    data: { table: 'budgets', found: 'id of type int4' },
  });
});

it('F-13: a cursor with a column of another type is refused before the first of its rows', async () => {
  await reader.query('begin');
  const rows = cursorRows(reader, {
    name: 'plans',
    text: `select 'false' as confirmed`,
    columns: { confirmed: 'bool' },
  });
  await expect(rows.next()).rejects.toMatchObject({
    data: { table: 'plans', expected: 'bool', found: 'confirmed of type text' },
  });
  await reader.query('rollback');
});
