import { expect, it } from 'vitest';
import { TABLES } from '../../src/tables/all.ts';
import { DIALECTS } from '../../src/tables/dialects.ts';
import { loadSql } from '../../src/warehouse/load-tables.ts';

it.each(DIALECTS)('for %s creates and loads every table, the snapshot’s own row last', (dialect) => {
  const plain = loadSql(dialect, 'raw').replaceAll(/["`]/g, '');
  const names = TABLES.map(({ name }) => name);
  expect([...plain.matchAll(/^create table if not exists raw\.(\w+)/gm)].map(([, name]) => name)).toEqual(
    names,
  );
  const loaded = [...plain.matchAll(/^(?:insert into|copy(?: into)?|load data into) raw\.(\w+)/gm)];
  expect(loaded.map(([, name]) => name)).toEqual([...names.slice(1), 'snapshot']);
});

it('says of each dialect whether anybody has run it', () => {
  const notes = DIALECTS.map((dialect) => loadSql(dialect).split('\n')[1]);
  expect(notes).toEqual([
    '-- For DuckDB, where our own tests run it.',
    '-- For PostgreSQL, where our own tests run it.',
    '-- For Snowflake. Not run here: written from its manual, tell us where it errs.',
    '-- For BigQuery. Not run here: written from its manual, tell us where it errs.',
    '-- For Redshift. Not run here: written from its manual, tell us where it errs.',
    '-- For ClickHouse. Not run here: written from its manual, tell us where it errs.',
  ]);
});

it('says of each dialect what a second load of a snapshot does', () => {
  const says = DIALECTS.map((dialect) =>
    loadSql(dialect).includes('\n-- A snapshot that is here already is not loaded again'),
  );
  const warns = DIALECTS.map((dialect) =>
    loadSql(dialect).includes('\n-- Nothing here refuses a second load'),
  );
  expect(says).toEqual([true, true, false, false, false, false]);
  expect(warns).toEqual(says.map((said) => !said));
});

it.each([
  ['snowflake', 'copy into costs from @crossfoot/costs.parquet match_by_column_name = case_insensitive;\n'],
  [
    'bigquery',
    "load data into `costs` from files (format = 'PARQUET', uris = ['gs://BUCKET/FOLDER/costs.parquet']);\n",
  ],
  ['redshift', `copy "costs" from 's3://BUCKET/FOLDER/costs.parquet' iam_role default format as parquet;\n`],
  ['clickhouse', "insert into `costs` from infile 'costs.parquet' format Parquet;\n"],
] as const)('loads a file in %s as its manual says', (dialect, statement) => {
  expect(loadSql(dialect)).toContain(`\n${statement}`);
});
