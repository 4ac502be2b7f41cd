import { afterAll, beforeAll, expect, test } from 'vitest';
import { FIELD_KINDS } from '../../../src/fields.ts';
import { tableSelect } from '../../../src/ledger/moment/table-select.ts';
import { TABLES } from '../../../src/tables/all.ts';
import type { FileSet } from '../../../src/tables/file-set.ts';
import { SETS_BESIDE } from '../../../src/tables/file-sets.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

// Filled in by the writer, the same in every row.
const CONSTANT = new Set(['snapshot_id', 'schema_version']);

test.each(TABLES.filter(({ from }) => from !== null))(
  'the select of $name gives its columns in published order and exact types',
  async (table) => {
    const reader = await database.client('cf_reader');
    const select = tableSelect(table.name, { account_id: 1n, generated_at: 0n });
    const { fields } = await reader.query(select);
    // A domain or an enumeration has an oid of its own, so what is compared is the very type on the wire.
    const { rows } = await reader.query<{ typname: string }>(
      `select typname from unnest($1::oid[]) with ordinality as asked (type, place)
       join pg_type on oid = type order by place`,
      [fields.map((field) => field.dataTypeID)],
    );
    expect(fields.map((field, at) => [field.name, rows[at]?.typname])).toEqual(
      table.columns
        .filter((column) => !CONSTANT.has(column.name))
        .map((column) => [column.name, FIELD_KINDS[column.kind].postgres]),
    );
  },
);

test('a select ends in the order of its key', async () => {
  for (const table of TABLES.filter(({ from }) => from !== null)) {
    const select = tableSelect(table.name, { account_id: 1n, generated_at: 0n });
    const columns = /order by ([^()]+)$/.exec(select.trimEnd())?.[1]?.split(', ') ?? [];
    // A text is ordered by its bytes, whatever the database's own collation.
    const kinds = columns.map((column) => (column.endsWith(' collate "C"') ? 'text' : 'int8'));
    const key = table.key.map((name) => table.columns.find((column) => column.name === name)?.kind);
    expect([table.name, kinds]).toEqual([
      table.name,
      table.name === 'snapshot' ? ['int8'] : key.map((kind) => (kind === 'string' ? 'text' : 'int8')),
    ]);
  }
});

test('a text in the order of a table beside the reporting tables is ordered by its bytes, too', () => {
  const texts = SETS_BESIDE.flatMap(({ tables }: FileSet) => tables).flatMap(({ from, columns }) => {
    const parts = /order by ([^()]+)$/.exec(from ?? '')?.[1]?.split(', ') ?? [];
    const names = new Set(columns.filter(({ kind }) => kind === 'string').map(({ name }) => name));
    return parts.filter((part) => names.has(part.split(' ')[0] ?? ''));
  });
  expect(texts).toEqual([
    // The sums of usage, then the amounts of months without a dollar figure.
    ...['currency', 'model', 'unit', 'cost_class'].map((name) => `${name} collate "C" nulls first`),
    'kind collate "C"',
    'currency collate "C"',
  ]);
});

test('the moment is written to the microsecond, its day in UTC', async () => {
  const reader = await database.client('cf_reader');
  // 2026-03-01T00:00:00.000001Z: 20,513 days of 86,400 s after 1970, and one microsecond.
  const generated_at = 20_513n * 86_400_000_000n + 1n;
  const select = tableSelect('snapshot', { account_id: 1n, generated_at });
  const literals = /select\s+(\S.*?) as generated_at,\s+(\S.*?) as as_of/s.exec(select);
  const { rows } = await reader.query(
    `select (${literals?.[1]})::text as generated_at, (${literals?.[2]})::text as as_of`,
  );
  expect(rows).toEqual([{ generated_at: '2026-03-01 00:00:00.000001+00', as_of: '2026-03-01' }]);
});
