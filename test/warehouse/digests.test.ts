import { describe, expect, it } from 'vitest';
import { column, defineTable } from '../../src/tables/table.ts';
import { compareSql } from '../../src/warehouse/compare-digests.ts';
import { digestOf, digestQuery, factIn, factsOf } from '../../src/warehouse/digests.ts';
import { DIALECTS } from '../../src/tables/dialects.ts';

const small = defineTable({
  name: 'small',
  grain: 'one row',
  description: 'A small table.',
  key: ['id', 'part'],
  from: null,
  columns: [
    column('id', 'id', 'The row.'),
    column('part', 'string?', 'A part.'),
    column('net_cents', 'cents?', 'An amount.'),
    column('seen_at', 'timestamp', 'When it was seen.'),
    column('day', 'date', 'A day.'),
    column('rate', 'number', 'A rate.'),
    column('locked', 'boolean?', 'Whether it is.'),
  ],
});

it('the digests measure rows, sums of cents, empty values, and the ends of keys, days and instants', () => {
  expect(factsOf(small).map((fact) => `${fact.column} ${fact.measure}`)).toEqual([
    'null rows',
    'id least',
    'id greatest',
    'part nulls',
    'part least',
    'part greatest',
    'net_cents sum',
    'net_cents nulls',
    'seen_at least',
    'seen_at greatest',
    'day least',
    'day greatest',
    'locked nulls',
  ]);
});

it('the digest keeps the answer of the query by column, without a key for no value', () => {
  expect(digestQuery('duckdb', small, 'there')).toMatch(
    /^select coalesce\(cast\(count\(\*\) as varchar\), ''\) as fact_0, .* as fact_12 from there$/,
  );
  const answered = ['2', '1', '9', '1', 'a', 'b', '', '2', '0', '5', '2026-01-01', '2026-01-02', '0'];
  const row = Object.fromEntries(answered.map((value, index) => [`fact_${index}`, value]));
  expect(digestOf(small, row)).toEqual({
    name: 'small',
    rows: '2',
    columns: [
      { name: 'id', least: '1', greatest: '9' },
      { name: 'part', nulls: '1', least: 'a', greatest: 'b' },
      { name: 'net_cents', sum: null, nulls: '2' },
      { name: 'seen_at', least: '0', greatest: '5' },
      { name: 'day', least: '2026-01-01', greatest: '2026-01-02' },
      { name: 'locked', nulls: '0' },
    ],
  });
});

/** The fact in every dialect. */
const written = (name: string, measure: 'greatest' | 'least' | 'nulls' | 'sum') =>
  Object.fromEntries(DIALECTS.map((dialect) => [dialect, factIn(dialect, small, { column: name, measure })]));

describe('a fact where no test can run it', () => {
  it('counts an instant in microseconds since 1970', () => {
    expect(written('seen_at', 'greatest')).toEqual({
      duckdb: "coalesce(cast(epoch_us(max(seen_at)) as varchar), '')",
      postgres: "coalesce(cast((extract(epoch from max(seen_at)) * 1000000)::bigint as text), '')",
      snowflake: "coalesce(cast(date_part(epoch_microsecond, max(seen_at)) as varchar), '')",
      bigquery: "coalesce(cast(unix_micros(max(`seen_at`)) as string), '')",
      redshift: `coalesce(cast(extract(epoch from max("seen_at"))::bigint * 1000000 + extract(microsecond from max("seen_at"))::bigint % 1000000 as varchar), '')`,
      clickhouse: "coalesce(toString(toUnixTimestamp64Micro(maxOrNull(`seen_at`))), '')",
    });
  });

  it('counts the empty values of a column', () => {
    expect(written('part', 'nulls')).toMatchObject({
      duckdb: "coalesce(cast(count(*) - count(part) as varchar), '')",
      clickhouse: "coalesce(toString(count(*) - count(`part`)), '')",
    });
  });

  it('adds cents up beyond 64 bits, and compares texts byte by byte', () => {
    expect(written('net_cents', 'sum')).toMatchObject({
      bigquery: "coalesce(cast(sum(`net_cents`) as string), '')",
      clickhouse: "coalesce(toString(sumOrNull(toInt128(`net_cents`))), '')",
    });
    expect(written('part', 'least')).toMatchObject({
      postgres: `coalesce(cast(min(part collate "C") as text), '')`,
      snowflake: "coalesce(cast(min(part) as varchar), '')",
    });
  });
});

it('a comparison asks for every fact of the digests, also for a column without values', () => {
  const columns = [
    { name: 'usd_amount_cents', sum: null, nulls: '3' },
    { name: 'amount_cents', sum: '0' },
  ];
  const sql = compareSql({ snapshot_id: 'one', tables: [{ name: 'costs', rows: '3', columns }] }, 'duckdb');
  expect(
    [...sql.matchAll(/case when (fact_\d) = '(.*?)' then/g)].map(([, fact, value]) => [fact, value]),
  ).toEqual([
    ['fact_0', '3'],
    ['fact_1', ''],
    ['fact_2', '3'],
    ['fact_3', '0'],
  ]);
});
