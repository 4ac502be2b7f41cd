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
    '-- For DuckDB. Our tests run it there.',
    '-- For PostgreSQL. Our tests run it there.',
    '-- For Snowflake. Our tests do not run it: we wrote it from the manual of Snowflake. Tell us of errors.',
    '-- For BigQuery. Our tests do not run it: we wrote it from the manual of BigQuery. Tell us of errors.',
    '-- For Redshift. Our tests do not run it: we wrote it from the manual of Redshift. Tell us of errors.',
    '-- For ClickHouse. Our tests do not run it: we wrote it from the manual of ClickHouse. Tell us of errors.',
  ]);
});

it('says of each dialect what a second load of a snapshot does', () => {
  const says = DIALECTS.map(
    (dialect) => / that is here already is (not loaded again|refused)/.exec(loadSql(dialect))?.[1],
  );
  expect(says).toEqual([...Array.from({ length: 5 }, () => 'not loaded again'), 'refused']);
});

it.each(['snowflake', 'bigquery', 'redshift'] as const)(
  'for %s adds rows in one transaction, and none where the snapshot is there already',
  (dialect) => {
    const [, transaction = ''] = loadSql(dialect).replaceAll(/["`]/g, '').split('begin transaction;\n');
    const [skip, ...adds] = transaction.split('\n').slice(0, 1 + TABLES.length);
    expect(skip).toBe('delete from new_snapshot where snapshot_id in (select snapshot_id from snapshot);');
    for (const add of adds) {
      expect(add).toMatch(
        /^insert into (\w+) \((.*)\) select \2 from new_\1 where exists \(select 1 from new_snapshot\);$/,
      );
    }
    expect(transaction).toMatch(
      /\nselect case when count\(\*\) = 0 then '.* is here already\. .*' else 'Loaded\.' end as note from new_snapshot;\ncommit;\n$/,
    );
  },
);

it('for ClickHouse, which has no transaction, stops before the first row where the snapshot is there already', () => {
  const script = loadSql('clickhouse').replaceAll('`', '');
  const [before = '', ...rows] = script.split(/^(?=insert into (?!new_))/m);
  expect(before).toMatch(
    /\nselect throwIf\(count\(\) > 0, '.*'\) from snapshot where snapshot_id in \(select snapshot_id from new_snapshot\);\n$/,
  );
  expect(rows).toHaveLength(TABLES.length);
});

it.each([
  [
    'snowflake',
    'copy into new_costs from @crossfoot/costs.parquet match_by_column_name = case_insensitive;\n',
  ],
  [
    'bigquery',
    "load data into temp table `new_costs` from files (format = 'PARQUET', uris = ['gs://BUCKET/FOLDER/costs.parquet']);\n",
  ],
  [
    'redshift',
    `copy "new_costs" from 's3://BUCKET/FOLDER/costs.parquet' iam_role default format as parquet;\n`,
  ],
  ['clickhouse', "insert into `costs` from infile 'costs.parquet' format Parquet;\n"],
] as const)('loads a file in %s as its manual says', (dialect, statement) => {
  expect(loadSql(dialect)).toContain(`\n${statement}`);
});
