/** The catalogue of a published company, read by DuckDB: its numbers against the footers of the files that it names. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CrossfootError } from '../../src/errors.ts';
import { catalogueRows } from '../../src/lake/catalogue-rows.ts';
import type { Rows } from '../../src/lake/catalogue-tables.ts';
import { cacheStored, gatherLake, type LakeSource } from '../../src/lake/gather-lake.ts';
import { writeDuckdb } from '../../src/lake/write-catalogue.ts';
import { readLog } from '../../src/snapshot/read/read-log.ts';
import { readMarks } from '../../src/snapshot/read/read-marks.ts';
import { TABLES } from '../../src/tables/all.ts';
import { inDuckdb, openPublishedLake, PIN, type PublishedLake, rowsOf } from './published-lake.ts';

let lake: PublishedLake;
let rows: Rows;
let path: string;
beforeAll(async () => {
  lake = await openPublishedLake();
  rows = await derived();
  path = lake.newPath();
  await writeDuckdb(rows, path);
});
afterAll(() => lake.close());

async function derived(): Promise<Rows> {
  return catalogueRows(await lake.read(), {
    base_url: 'https://example.test/v1',
    addressOf: lake.pathOf,
  });
}

/** The files of a version, as a reader finds them: each with its schema and table. */
const FILES = `select s.schema_name, t.table_name, f.*
  from lake.ducklake_data_file f join lake.ducklake_table t using (table_id) join lake.ducklake_schema s using (schema_id)`;

/** A value in one form: both sides write instants with other fractions of a second. */
const shown = (value: string): string => `coalesce(try_cast(${value} as timestamptz)::varchar, ${value})`;

it('the catalogue has three versions, each with one file of each of the 14 tables and the reported sums', async () => {
  const sums = await inDuckdb(path, async (duckdb) => {
    const found: unknown[] = [];
    for (const version of [1, 2, 3]) {
      const visible = `begin_snapshot <= ${version} and (end_snapshot is null or end_snapshot > ${version})`;
      const files = await rowsOf(
        duckdb,
        `select table_name, path, record_count from (${FILES}) where schema_name = 'main' and ${visible}`,
      );
      expect(new Set(files.map(({ table_name }) => table_name))).toEqual(
        new Set(TABLES.map(({ name }) => name)),
      );
      const pathOf = (table: string): string =>
        files.find(({ table_name }) => table_name === table)?.path ?? '';
      for (const { path: file, record_count } of files) {
        const [counted] = await rowsOf(duckdb, `select count(*) as rows from read_parquet('${file}')`);
        expect(counted?.['rows']).toBe(record_count);
      }
      const [sum] = await rowsOf(
        duckdb,
        `select (select sum(usd_amount_cents) from read_parquet('${pathOf('costs')}')) as costs,
          (select cost_cents from read_parquet('${pathOf('reported_totals')}') where scope = 'portfolio' and window_key = 'all') as reported`,
      );
      found.push([sum?.['costs'], sum?.['reported']]);
    }
    return found;
  });
  // fixtures/TOTALS.md; then a cent more, then a hundred more.
  expect(sums).toEqual([
    ['3061155', '3061155'],
    ['3061156', '3061156'],
    ['3061256', '3061256'],
  ]);
});

it('the catalogue states no number that the footer of the file does not state', async () => {
  await inDuckdb(path, async (duckdb) => {
    const files = await rowsOf(duckdb, FILES);
    expect(files).toHaveLength(3 * TABLES.length + TABLES.length); // of `main`, and of the pin
    for (const { path: file, data_file_id, record_count, file_size_bytes, footer_size } of files) {
      const [stated] = await rowsOf(
        duckdb,
        `select num_rows, file_size_bytes, footer_size from parquet_file_metadata('${file}')`,
      );
      expect([record_count, file_size_bytes, footer_size]).toEqual([
        stated?.['num_rows'],
        stated?.['file_size_bytes'],
        stated?.['footer_size'],
      ]);
      // A column is found by its field id, which the catalogue gives as the id of the column.
      const differing = await rowsOf(
        duckdb,
        `with footer as (
          select f.field_id, f.name, f.type, sum(m.total_compressed_size) as size, sum(m.stats_null_count) as nulls, sum(m.num_values) as cells,
            min(m.stats_min_value) as least, max(m.stats_max_value) as greatest
          from parquet_schema('${file}') f join parquet_metadata('${file}') m on m.path_in_schema = f.name group by all
        )
        select c.column_name, s.*, f.* from lake.ducklake_file_column_stats s
        join lake.ducklake_column c using (table_id, column_id) full join footer f on f.field_id = s.column_id
        where s.data_file_id = ${data_file_id} and (c.column_name is distinct from f.name
          or s.column_size_bytes is distinct from f.size or s.null_count is distinct from f.nulls
          or s.value_count is distinct from f.cells - f.nulls
          or ${shown('s.min_value')} <> ${shown('f.least')} or ${shown('s.max_value')} <> ${shown('f.greatest')})`,
      );
      expect(differing).toEqual([]);
    }
  });
});

it('the catalogue states the least and the greatest key, day and instant, and none of a text', async () => {
  const stated = await inDuckdb(path, (duckdb) =>
    rowsOf(
      duckdb,
      `select c.column_type, count(*) as columns, count(s.min_value) as least, count(s.max_value) as greatest
      from lake.ducklake_file_column_stats s join lake.ducklake_column c using (table_id, column_id) group by all order by all`,
    ),
  );
  const of = (type: string) => stated.find(({ column_type }) => column_type === type);
  expect([of('varchar')?.['least'], of('varchar')?.['greatest']]).toEqual(['0', '0']);
  expect([of('float64')?.['least'], of('boolean')?.['greatest']]).toEqual(['0', '0']);
  for (const type of ['int64', 'date', 'timestamptz']) expect(Number(of(type)?.['least'])).toBeGreaterThan(0);
});

it('the catalogue shows the pinned version in the schema of its pin, also in newer versions', async () => {
  const files = await inDuckdb(path, (duckdb) =>
    rowsOf(
      duckdb,
      `select begin_snapshot, end_snapshot, path from (${FILES}) where schema_name = '${PIN}' and table_name = 'costs'`,
    ),
  );
  expect(files).toEqual([
    { begin_snapshot: '1', end_snapshot: null, path: lake.pathOf('20260715T020000Z', 'costs') },
  ]);
});

it('the catalogue has the same rows when it is derived again', async () => {
  expect(await derived()).toEqual(rows);
});

it('the numbers of the footers come from a file of the snapshot, and are those of the files', async () => {
  const { versions } = await lake.read();
  const [entry] = (await readLog(lake.store, 1n)).entries;
  if (entry === undefined) throw new Error('nothing was published');
  for (const { name, footer } of versions[0]?.tables ?? []) {
    expect({ name, ...(await lake.source.footer(entry, name)) }).toEqual({ name, ...footer });
  }
});

it('the footers of a snapshot that does not list them are read once', async () => {
  const asked: string[] = [];
  const older: LakeSource = {
    ...lake.source,
    manifest: async (entry) => {
      const { files, ...rest } = await lake.source.manifest(entry);
      return { ...rest, files: files.filter(({ name }) => name !== 'footers.json') };
    },
    footer: async (entry, table) => {
      asked.push(`${entry.snapshot_id} ${table}`);
      return await lake.source.footer(entry, table);
    },
  };
  const known = cacheStored();
  const moment = {
    log: await readLog(lake.store, 1n),
    marks: await readMarks(lake.store, 1n),
    shows: () => true,
    pinsOf: () => [PIN],
  };
  const [first, second] = [await gatherLake(moment, older, known), await gatherLake(moment, older, known)];
  expect(asked).toHaveLength(3 * TABLES.length);
  expect(new Set(asked).size).toBe(3 * TABLES.length);
  const footersOf = ({ versions }: typeof first) => versions.map(({ stored }) => stored.footers);
  expect(footersOf(second)).toEqual(footersOf(first));
  // As the build would have stored them.
  const { versions } = await gatherLake(moment, lake.source, cacheStored());
  expect(footersOf(first).map((bytes) => String(Buffer.from(bytes)))).toEqual(
    versions.map(({ stored }) => String(Buffer.from(stored.footers))),
  );
});

it('the catalogue leaves out a snapshot with a damaged file, and passes no older one for the newest', async () => {
  const moment = {
    log: await readLog(lake.store, 1n),
    marks: await readMarks(lake.store, 1n),
    shows: () => true,
    pinsOf: () => [],
  };
  const damagedAt = (seq: number): LakeSource => ({
    ...lake.source,
    file: async (entry, name) => {
      if (entry.seq === seq) throw new CrossfootError('file_corrupt', `${name} differs.`);
      return await lake.source.file(entry, name);
    },
  });
  const { versions, gaps } = await gatherLake(moment, damagedAt(2), cacheStored());
  expect([versions.map(({ seq }) => seq), gaps.map(({ seq }) => seq)]).toEqual([[1, 3], [2]]);
  await expect(gatherLake(moment, damagedAt(3), cacheStored())).rejects.toMatchObject({
    code: 'file_corrupt',
  });
});
