/** A saved catalogue is what its log, marks and files give, or is refused. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogueRows } from '../../src/lake/catalogue-rows.ts';
import type { CatalogueTable, Row, Rows } from '../../src/lake/catalogue-tables.ts';
import { readCatalogue, type TextRows, textRows } from '../../src/lake/read-catalogue.ts';
import { type CatalogueReport, verifyCatalogue } from '../../src/lake/verify-catalogue.ts';
import { writeDuckdb, writeSqlite } from '../../src/lake/write-catalogue.ts';
import { readLog } from '../../src/snapshot/read/read-log.ts';
import { readMarks } from '../../src/snapshot/read/read-marks.ts';
import { openPublishedLake, type PublishedLake } from './published-lake.ts';

const BASE_URL = 'https://example.test/v1';

let lake: PublishedLake;
let rows: Rows;
beforeAll(async () => {
  lake = await openPublishedLake();
  rows = await derived((id, table) => `${BASE_URL}/reporting/snapshots/${id}/${table}.parquet`);
});
afterAll(() => lake.close());

async function derived(addressOf: (id: string, table: string) => string): Promise<Rows> {
  return catalogueRows(await lake.read(), { base_url: BASE_URL, addressOf });
}

async function verified(saved: TextRows): Promise<CatalogueReport> {
  const log = await readLog(lake.store, 1n);
  const marks = await readMarks(lake.store, 1n);
  return await verifyCatalogue(saved, { log, marks, source: lake.source });
}

function refusedBy({ checks }: CatalogueReport): readonly string[] {
  return checks.filter(({ passed }) => !passed).map(({ name }) => name);
}

describe('a saved catalogue', () => {
  it('is verified as a DuckDB file and as a SQLite file, over addresses and over links', async () => {
    const linked = await derived((_, table) => `https://example.test/links/a-${table}/${table}.parquet`);
    for (const each of [rows, linked]) {
      const [duckdb, sqlite] = [lake.newPath(), lake.newPath()];
      await writeDuckdb(each, duckdb);
      writeSqlite(each, sqlite);
      expect(refusedBy(await verified(await readCatalogue(duckdb, 'ducklake')))).toEqual([]);
      const report = await verified(await readCatalogue(sqlite, 'sqlite'));
      expect(refusedBy(report)).toEqual([]);
      expect(report.unchecked.some((part) => part.startsWith('The links:'))).toBe(each === linked);
    }
  });

  it.each<[string, CatalogueTable, (row: Row) => boolean, Row]>([
    ['the rows of a file', 'ducklake_data_file', () => true, { record_count: 999 }],
    ['the size of a file', 'ducklake_data_file', () => true, { file_size_bytes: 1 }],
    ['the size of a footer', 'ducklake_data_file', () => true, { footer_size: 1 }],
    ['the address of a file', 'ducklake_data_file', () => true, { path: 'https://other.test/costs.parquet' }],
    ['a minimum', 'ducklake_file_column_stats', ({ min_value }) => min_value !== null, { min_value: '1' }],
    ['a maximum', 'ducklake_file_column_stats', ({ max_value }) => max_value !== null, { max_value: '1' }],
    [
      'a minimum of a text',
      'ducklake_file_column_stats',
      ({ min_value }) => min_value === null,
      { min_value: 'a' },
    ],
    ['empty values', 'ducklake_file_column_stats', () => true, { null_count: 77 }],
    ['the id of a column', 'ducklake_column', () => true, { column_id: 99 }],
    ['the type of a column', 'ducklake_column', () => true, { column_type: 'blob' }],
    [
      'the moment of a version',
      'ducklake_snapshot',
      () => true,
      { snapshot_time: '2026-01-01T00:00:00.000000Z' },
    ],
    ['the message of a version', 'ducklake_snapshot_changes', () => true, { commit_message: 'fine' }],
    [
      'the schema of a pin',
      'ducklake_schema',
      ({ schema_name }) => schema_name !== 'main',
      { begin_snapshot: 2 },
    ],
    ['a comment', 'ducklake_tag', () => true, { value: 'Other words.' }],
  ])('is refused if it lies about %s', async (_, table, isLiar, lie) => {
    const of = rows[table] ?? [];
    const liar = of.findIndex((row) => isLiar(row));
    expect(liar).not.toBe(-1);
    const lying = { ...rows, [table]: of.map((row, index) => (index === liar ? { ...row, ...lie } : row)) };
    expect(refusedBy(await verified(textRows(lying)))).toContain(table);
  });

  it.each<[string, CatalogueTable, readonly Row[]]>([
    ['a file that deletes rows', 'ducklake_delete_file', [{ delete_file_id: 1, data_file_id: 1 }]],
    ['a view', 'ducklake_view', [{ view_id: 1, view_name: 'costs', sql: 'select 1' }]],
    [
      'statistics of a whole table',
      'ducklake_table_column_stats',
      [{ table_id: 1, column_id: 2, min_value: '1' }],
    ],
  ])('is refused if it has %s', async (_, table, more) => {
    expect(refusedBy(await verified(textRows({ ...rows, [table]: more })))).toEqual([table]);
  });

  it('is refused if a version is left out without saying that it has expired', async () => {
    const without = {
      ...rows,
      ducklake_data_file: rows.ducklake_data_file?.filter((row) => row['begin_snapshot'] !== 2) ?? [],
    };
    expect(refusedBy(await verified(textRows(without)))).toContain('ducklake_snapshot_changes');
  });

  it.each([
    [
      'crossfoot_log_entry',
      '4',
      'The catalogue was derived from log entry 4 and 1 marks, but the store has 3 entries and 1 marks.',
    ],
    [
      'crossfoot_marks',
      '2',
      'The catalogue was derived from log entry 3 and 2 marks, but the store has 3 entries and 1 marks.',
    ],
    [
      'crossfoot_account',
      '',
      'The catalogue does not state its account, its log entry, its marks and its server.',
    ],
    [
      'data_path',
      '/elsewhere/',
      'The catalogue does not state its account, its log entry, its marks and its server.',
    ],
  ])('is refused if its %s is "%s"', async (key, value, message) => {
    const metadata = (rows.ducklake_metadata ?? []).map((row) => (row['key'] === key ? { key, value } : row));
    await expect(verified(textRows({ ...rows, ducklake_metadata: metadata }))).rejects.toMatchObject({
      code: 'verify_refused',
      message,
    });
  });

  it.each(['ducklake', 'sqlite'] as const)('is no %s file if its bytes are others', async (form) => {
    const path = lake.newPath();
    await writeFile(path, 'neither');
    await expect(readCatalogue(path, form)).rejects.toMatchObject({ code: 'usage_invalid' });
  });
});
