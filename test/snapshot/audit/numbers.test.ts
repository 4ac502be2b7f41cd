/** A reading's number goes into a fingerprint as text: PostgreSQL and DuckDB must write every double alike. */
import { readFile } from 'node:fs/promises';
import { DuckDBInstance, LIST, DOUBLE, listValue } from '@duckdb/node-api';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDatabase } from '../../support/database.ts';

/** The part of a SQL file that writes the number, with its column called `value`. */
async function written(file: string, part: RegExp): Promise<string> {
  const text = await readFile(new URL(`../../../schema/${file}`, import.meta.url), 'utf8');
  const found = part.exec(text)?.[0];
  if (found === undefined) throw new Error(`${file} writes no number`);
  return found.replaceAll('o.value', 'value');
}

const EDGES = [
  0,
  -0,
  0.1,
  1e-5,
  1.5e-7,
  123456.789,
  5e-324,
  1e15,
  1.5e15 + 0.25,
  -1e15,
  1e16,
  1e20,
  1.7e308,
  2 ** 53,
  -24479750617000952, // halfway between two shorter ones: PostgreSQL writes all its digits, DuckDB one less
];

test('both engines write a number of any size alike (F-18)', async () => {
  const inPostgres = await written('control/observations.sql', /case when abs\(o\.value\).*? end/);
  const inDuckDb = await written('audit/35-check-control-readings.sql', /if\(abs\(value\).*'\)\)/);
  const seed = Date.now();
  const numbers = fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), { seed, numRuns: 2000 });
  const integers = fc.sample(fc.integer(), { seed, numRuns: 500 });
  const all = [...EDGES, ...numbers, ...integers, ...integers.map((each) => each * 4_000_000 + 0.5)];

  const database = await createDatabase('template0');
  const client = await database.client('cf_reader');
  const { rows } = await client.query<{ said: string }>(
    `select ${inPostgres} as said from unnest($1::float8[]) with ordinality as each (value, place) order by place`,
    [all.map((each) => (Object.is(each, -0) ? '-0' : String(each)))],
  );
  await database.drop();

  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(
    `select ${inDuckDb} as said from (select unnest($1) as value)`,
    [listValue(all)],
    [LIST(DOUBLE)],
  );
  const said = reader.getRowObjectsJson().map((row) => row['said']);
  connection.closeSync();
  instance.closeSync();

  expect(said, `seed ${seed}`).toEqual(rows.map((row) => row.said));
});
