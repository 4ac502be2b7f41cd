import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eachRow } from '../../src/ledger/each-row.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';

let database: TestDatabase;
let reader: Client;
beforeAll(async () => {
  database = await createDatabase();
  reader = await database.client('cf_reader');
});
afterAll(() => database.drop());

const NUMBERS = { text: 'select n from generate_series(1, $1::bigint) as n', values: [3n] };

it('hands on every row in order, values read as everywhere', async () => {
  const taken: unknown[] = [];
  await eachRow(reader, NUMBERS, (row) => taken.push(row));
  expect(taken).toEqual([{ n: 1n }, { n: 2n }, { n: 3n }]);
});

it('says what the database refused', async () => {
  const query = { text: 'select 1 / (n - 2) from generate_series(1, $1::bigint) as n', values: [3n] };
  await expect(eachRow(reader, query, () => undefined)).rejects.toMatchObject({ code: '22012' });
});

it('says what went wrong with a row, takes no other, and leaves the session free', async () => {
  const taken: unknown[] = [];
  const failing = eachRow(reader, NUMBERS, (row) => {
    taken.push(row);
    throw new Error('not this one');
  });
  await expect(failing).rejects.toThrow('not this one');
  expect(taken).toEqual([{ n: 1n }]);
  expect((await reader.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});
