import { expect, it } from 'vitest';
import { TABLES } from '../../src/tables/all.ts';
import { DIALECTS } from '../../src/tables/dialects.ts';
import { loadSql } from '../../src/warehouse/load-tables.ts';

it.each(DIALECTS)(
  'the script for %s creates and loads every table, the snapshot’s own row last',
  (dialect) => {
    const plain = loadSql(dialect, 'raw').replaceAll(/["`]/g, '');
    const names = TABLES.map(({ name }) => name);
    expect([...plain.matchAll(/^create table if not exists raw\.(\w+)/gm)].map(([, name]) => name)).toEqual(
      names,
    );
    const loaded = [...plain.matchAll(/^(?:insert into|copy(?: into)?|load data into) raw\.(\w+)/gm)];
    expect(loaded.map(([, name]) => name)).toEqual([...names.slice(1), 'snapshot']);
  },
);

it('the script of each dialect says whether our tests run it', () => {
  const notes = DIALECTS.map((dialect) => loadSql(dialect).split('\n')[1]);
  expect(notes).toEqual([
    '-- For DuckDB. Our tests run it there.',
    '-- For PostgreSQL. Our tests run it there.',
    '-- For Snowflake. Our tests do not run it: we wrote it from the manual of Snowflake. Tell us of errors.',
    '-- For BigQuery. Our tests do not run it: we wrote it from the manual of BigQuery. Tell us of errors.',
    '-- For Redshift. Our tests do not run it: we wrote it from the manual of Redshift. Tell us of errors.',
    '-- For ClickHouse. Our tests run it there.',
  ]);
});

it('the script of each dialect says what a second load of a snapshot does', () => {
  const says = DIALECTS.map(
    (dialect) => / that is here already is (not loaded again|refused)/.exec(loadSql(dialect))?.[1],
  );
  expect(says).toEqual([...Array.from({ length: 5 }, () => 'not loaded again'), 'refused']);
});

it.each(['snowflake', 'bigquery', 'redshift'] as const)(
  'the script for %s adds rows in one transaction, and none where the snapshot is there already',
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

it('the script for ClickHouse, which has no transaction, stops before the first row of a snapshot that is there', () => {
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
] as const)('the script of %s loads a file as its manual says', (dialect, statement) => {
  expect(loadSql(dialect)).toContain(`\n${statement}`);
});

const FROM = { prefix: 's3://theirs/figures/', snapshot: '20260301T000000Z' };

it.each([
  ['duckdb', "read_parquet('s3://theirs/figures/snapshots/20260301T000000Z/costs.parquet')"],
  [
    'clickhouse',
    "s3('https://s3.amazonaws.com/theirs/figures/snapshots/20260301T000000Z/costs.parquet', 'Parquet')",
  ],
  ['snowflake', '@crossfoot_delivered/snapshots/20260301T000000Z/costs.parquet match_by_column_name'],
  ['bigquery', "uris = ['s3://theirs/figures/snapshots/20260301T000000Z/costs.parquet']) with connection"],
  ['redshift', "from 's3://theirs/figures/snapshots/20260301T000000Z/costs.parquet' iam_role"],
] as const)('the script for %s reads each table below a delivered prefix', (dialect, read) => {
  const script = loadSql(dialect, undefined, FROM);
  expect(script).toContain(read);
  expect(script).not.toMatch(/BUCKET|SNAPSHOT_ID|'costs\.parquet'/);
  for (const { name } of TABLES) expect(script).toContain(`/snapshots/20260301T000000Z/${name}.parquet`);
});

it('the script for a delivered prefix names the newest snapshot only where the warehouse can look it up', () => {
  expect(loadSql('duckdb', undefined, { prefix: 's3://theirs/figures' })).toContain(
    "set variable crossfoot_folder = (select 's3://theirs/figures/' || folder from read_json('s3://theirs/figures/latest.json'));",
  );
  for (const dialect of ['clickhouse', 'snowflake', 'bigquery', 'redshift'] as const) {
    const script = loadSql(dialect, undefined, { prefix: 's3://theirs/figures' });
    expect(script).toContain('Replace SNAPSHOT_ID by the snapshot_id in latest.json.');
    expect(script).toContain('/snapshots/SNAPSHOT_ID/costs.parquet');
  }
});

it('the script names a bucket of Google as each warehouse does, also where the prefix is the bucket alone', () => {
  const from = { prefix: 'gs://theirs', snapshot: FROM.snapshot };
  const file = `theirs/snapshots/${FROM.snapshot}/costs.parquet`;
  expect(loadSql('snowflake', undefined, from)).toContain(" url = 'gcs://theirs/' ");
  expect(loadSql('bigquery', undefined, from)).toContain(`uris = ['gs://${file}']);`);
  expect(loadSql('clickhouse', undefined, from)).toContain(`'https://storage.googleapis.com/${file}'`);
});

it('the script for PostgreSQL takes a CSV file only if its heads are the columns in their order', () => {
  const copies = loadSql('postgres').match(/^\\copy .*$/gm) ?? [];
  expect(copies).toHaveLength(TABLES.length);
  expect(copies.filter((copy) => !copy.endsWith(' with (format csv, header match)'))).toEqual([]);
});

it('the script for a store of another address has ClickHouse read it there', () => {
  expect(loadSql('clickhouse', undefined, { ...FROM, endpoint: 'https://store.example/' })).toContain(
    "s3('https://store.example/theirs/figures/snapshots/20260301T000000Z/costs.parquet', 'Parquet')",
  );
});

it('the script for a store of another address tells how DuckDB gets its key', () => {
  for (const [endpoint, secret] of [
    ['https://store.example/', "endpoint 'store.example', url_style 'path')."],
    ['http://127.0.0.1:9000', "endpoint '127.0.0.1:9000', url_style 'path', use_ssl false)."],
  ] as const) {
    const script = loadSql('duckdb', undefined, { ...FROM, endpoint });
    expect(script).toContain(`create secret (type s3, key_id 'KEY', secret 'SECRET', ${secret}`);
  }
});

it.each([
  ['clickhouse', 'store.example', '--endpoint must be an https:// URL without a path and without a login'],
  ['clickhouse', 'ftp://a.example', '--endpoint must be an https:// URL without a path and without a login'],
  ['clickhouse', 'https://a:b@c', '--endpoint must be an https:// URL without a path and without a login'],
  ['duckdb', 'https://a.example/b', '--endpoint must be an https:// URL without a path and without a login'],
  ['snowflake', 'https://a.example', 'this warehouse reads no bucket at an --endpoint'],
  ['bigquery', 'https://a.example', 'this warehouse reads no bucket at an --endpoint'],
  ['redshift', 'https://a.example', 'Redshift reads buckets of Amazon S3 only'],
] as const)('the script for %s is not made with the endpoint %s: %s', (dialect, endpoint, why) => {
  expect(() => loadSql(dialect, undefined, { ...FROM, endpoint })).toThrow(`--from cannot be used: ${why}.`);
});

it.each([
  ['postgres', 's3://theirs/figures', 'PostgreSQL reads no Parquet: pull --into postgres loads it'],
  ['redshift', 'gs://theirs/figures', 'Redshift reads buckets of Amazon S3 only'],
  ['redshift', '/srv/figures', 'Redshift reads buckets of Amazon S3 only'],
  ['snowflake', '/srv/figures', 'this warehouse reads buckets only'],
  ['bigquery', '/srv/figures', 'this warehouse reads buckets only'],
  ['duckdb', 'ftp://theirs', 'it is not s3://, gs:// or a folder'],
] as const)('the script for %s is not made from %s: %s', (dialect, prefix, why) => {
  expect(() => loadSql(dialect, undefined, { prefix })).toThrow(`--from cannot be used: ${why}.`);
});

it('the script is not made for a snapshot that is no id, nor with a name that ends a text', () => {
  expect(() => loadSql('duckdb', undefined, { ...FROM, snapshot: "x' or 1" })).toThrow(
    'must be the id of a snapshot',
  );
  const script = loadSql('duckdb', undefined, { prefix: "/srv/it's", snapshot: FROM.snapshot });
  expect(script).toContain("read_parquet('/srv/it''s/snapshots/20260301T000000Z/costs.parquet')");
});
