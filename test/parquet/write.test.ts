import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/parquet/row-fields.ts';
import { writeCopy, writeRows, type WrittenTable } from '../../src/parquet/write.ts';
import { FIELD_KINDS } from '../../src/fields.ts';
import { TABLES } from '../../src/tables/all.ts';
import { column, defineTable, type Table } from '../../src/tables/table.ts';
import { copyBinary, int8, inPieces, text, type CopyField } from '../support/copy-binary.ts';
import { copyRows, everyKind, valueRows } from './every-kind.ts';
import { askDuckDb, collector, footerOf, readHyparquet } from './read-back.ts';
import { sharedThread } from './shared-thread.ts';

const constants = { snapshot_id: '20260131T235959Z' };
const metadata = {
  snapshot_id: '20260131T235959Z',
  schema_version: 'v1',
  generated_at: '2026-01-31T23:59:59.000001Z',
  table: 'a table',
};

const thread = sharedThread();

interface File extends WrittenTable {
  readonly bytes: Buffer;
}

async function copied(table: Table, rows: readonly (readonly CopyField[])[]): Promise<File> {
  const { sink, bytes } = collector();
  const source = inPieces(copyBinary(rows));
  const written = await writeCopy({
    table,
    source,
    rowsSent: () => rows.length,
    constants,
    metadata,
    sink,
    thread,
  });
  return { ...written, bytes: bytes() };
}

async function computed(table: Table, rows: Iterable<Row> | AsyncIterable<Row>): Promise<File> {
  const { sink, bytes } = collector();
  const written = await writeRows({ table, rows, constants, metadata, sink, thread });
  return { ...written, bytes: bytes() };
}

const few = defineTable({
  name: 'few',
  grain: 'one row per number',
  description: 'Numbers and what they are called.',
  key: ['an_id'],
  from: null,
  columns: [column('an_id', 'id', 'A number.'), column('a_name', 'string?', 'Its name; empty at times.')],
});

async function* later(): AsyncGenerator<Row> {
  yield* valueRows;
}

function* unnamed(count: number): Generator<Row> {
  for (let row = 0; row < count; row++) yield { an_id: BigInt(row), a_name: null };
}

/** Every third number has no name. */
function nameOf(row: number): string | null {
  return row % 3 === 0 ? null : `n° ${row}`;
}

describe('every kind', async () => {
  const fromCopy = await copied(everyKind, copyRows);

  it('has in DuckDB the types that the kinds promise', async () => {
    const described = await askDuckDb(fromCopy.bytes, 'describe file');
    expect(described.map((row) => [row.column_name, row.column_type])).toEqual(
      everyKind.columns.map(({ name, kind }) => [name, FIELD_KINDS[kind].duckdb]),
    );
  });

  it('comes back from DuckDB value for value, to the microsecond', async () => {
    const rows = await askDuckDb(
      fromCopy.bytes,
      `select * replace (
         epoch_us(a_timestamp) as a_timestamp, epoch_us(maybe_timestamp) as maybe_timestamp,
         a_date::varchar as a_date, maybe_date::varchar as maybe_date) from file`,
    );
    expect(rows).toEqual(valueRows.map((row) => ({ ...constants, ...row })));
  });

  it('comes back from hyparquet value for value', async () => {
    const rows = await readHyparquet(fromCopy.bytes);
    // 2000-03-01 is day 10,957 + 60; 1969-12-31 is day -1.
    expect(rows).toEqual(
      valueRows.map((row) => ({
        ...constants,
        ...row,
        a_date: 11_017,
        maybe_date: row.maybe_date === null ? null : -1,
      })),
    );
  });

  it('is stored as the plainest physical and logical types, required where never null', () => {
    const physical = {
      string: 'BYTE_ARRAY UTF8',
      text: 'BYTE_ARRAY UTF8',
      json: 'BYTE_ARRAY UTF8',
      integer: 'INT32 ',
      number: 'DOUBLE ',
      boolean: 'BOOLEAN ',
      date: 'INT32 DATE',
      timestamp: 'INT64 TIMESTAMP_MICROS',
      id: 'INT64 ',
      cents: 'INT64 ',
    };
    const fields = footerOf(fromCopy.bytes).schema.slice(1);
    expect(
      fields.map(({ name, type, converted_type, repetition_type }) =>
        [name, type, converted_type, repetition_type].join(' '),
      ),
    ).toEqual(
      everyKind.columns.map(
        ({ name, kind, nullable }) => `${name} ${physical[kind]} ${nullable ? 'OPTIONAL' : 'REQUIRED'}`,
      ),
    );
    const instants = fields.filter(({ name }) => name.endsWith('_timestamp'));
    const micros = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' };
    expect(instants.map(({ logical_type }) => logical_type)).toEqual([micros, micros]);
  });

  it('is the same file, byte for byte, from COPY and from values, and each time', async () => {
    const again = await copied(everyKind, copyRows);
    const fromValues = await computed(everyKind, valueRows);
    expect(again.bytes.equals(fromCopy.bytes)).toBe(true);
    expect(fromValues.bytes.equals(fromCopy.bytes)).toBe(true);
  });

  it('takes rows that come one after the other in time', async () => {
    const file = await computed(everyKind, later());
    expect(file.sha256).toBe(fromCopy.sha256);
  });

  it('reports the size and digests of the very bytes', () => {
    const sha256 = createHash('sha256').update(fromCopy.bytes).digest();
    expect(fromCopy).toMatchObject({
      rows: 2,
      size_bytes: fromCopy.bytes.length,
      sha256: sha256.toString('hex'),
    });
    // Less than 1 MiB: the only block is the whole file.
    expect(Buffer.from(fromCopy.blocks).equals(sha256)).toBe(true);
  });
});

describe('a written file', async () => {
  const { bytes } = await copied(everyKind, copyRows);
  const footer = footerOf(bytes);
  const chunks = footer.row_groups[0]?.columns.map((chunk) => chunk.meta_data) ?? [];

  it('carries the table metadata and every column description in its Arrow schema', () => {
    const entry = footer.key_value_metadata?.find(({ key }) => key === 'ARROW:schema')?.value ?? '';
    const schema = Buffer.from(entry, 'base64').toString('utf8');
    const said = [
      ...Object.entries(metadata).flat(),
      ...everyKind.columns.map(({ description }) => description),
    ];
    expect(said.filter((words) => !schema.includes(words))).toEqual([]);
  });

  it('names the root of its schema for the table, and numbers the columns in declared order', () => {
    const [root, ...fields] = footer.schema;
    expect(root).toMatchObject({ name: 'every_kind', num_children: 21 });
    expect(fields.map(({ field_id, name }) => [field_id, name])).toEqual(
      everyKind.columns.map(({ name }, index) => [index + 1, name]),
    );
  });

  it('is compressed with ZSTD', () => {
    expect(new Set(chunks.map((chunk) => chunk?.codec))).toEqual(new Set(['ZSTD']));
  });

  it('has a dictionary only where values repeat', () => {
    const withDictionary = chunks.flatMap((chunk) =>
      chunk?.dictionary_page_offset === undefined ? [] : chunk.path_in_schema,
    );
    expect(withDictionary).toEqual(['snapshot_id', 'a_string', 'maybe_string']);
  });

  it('uses delta encoding where neighbouring values are near: the key, and declared columns', () => {
    const encodings = chunks.flatMap((chunk) => {
      const delta = chunk?.encodings.filter((encoding) => encoding.startsWith('DELTA')) ?? [];
      return delta.length === 0 ? [] : [[chunk?.path_in_schema[0], ...delta]];
    });
    expect(encodings).toEqual([
      ['an_id', 'DELTA_BINARY_PACKED'],
      ['maybe_text', 'DELTA_BYTE_ARRAY'],
    ]);
  });

  it('has statistics of chunks and an index of pages', () => {
    const cents = chunks.find((chunk) => chunk?.path_in_schema[0] === 'some_cents');
    expect(cents?.statistics).toMatchObject({ min_value: -1n, max_value: -1n, null_count: 0n });
    expect(footer.row_groups[0]?.columns.every((chunk) => chunk.column_index_offset)).toBe(true);
  });
});

describe.each(TABLES)('an empty $name', (table) => {
  it('an empty table is typed and has no row group, from COPY and from values', async () => {
    const file = await copied(table, []);
    expect(file.rows).toBe(0);
    expect(footerOf(file.bytes).row_groups).toEqual([]);
    const described = await askDuckDb(file.bytes, 'describe file');
    expect(described.map((row) => [row.column_name, row.column_type])).toEqual(
      table.columns.map(({ name, kind }) => [name, FIELD_KINDS[kind].duckdb]),
    );
    expect(await readHyparquet(file.bytes)).toEqual([]);
    expect((await computed(table, [])).sha256).toBe(file.sha256);
  });
});

describe('many rows', () => {
  it('crosses batches without losing, doubling or mixing rows', async () => {
    const rows = Array.from({ length: 40_000 }, (_, row) => {
      const name = nameOf(row);
      return [int8(BigInt(row)), name === null ? null : text(name)];
    });
    const file = await copied(few, rows);
    const [sums] = await askDuckDb(
      file.bytes,
      `select count(*) as rows, count(distinct an_id) as ids, sum(an_id)::bigint as total, count(a_name) as names,
         count(*) filter (a_name = 'n° ' || an_id) as matching, min(snapshot_id) as least, max(snapshot_id) as greatest
       from file`,
    );
    // Σ 0…39,999 = 40,000 × 39,999 ÷ 2; every third row from the first has no name: 13,334 of them.
    expect(sums).toEqual({
      rows: 40_000n,
      ids: 40_000n,
      total: 799_980_000n,
      names: 26_666n,
      matching: 26_666n,
      least: constants.snapshot_id,
      greatest: constants.snapshot_id,
    });
    const read = await readHyparquet(file.bytes);
    expect(
      read.findIndex((row, index) => row.an_id !== BigInt(index) || row.a_name !== (nameOf(index) ?? null)),
    ).toBe(-1);
    const same = await computed(
      few,
      rows.map((_, row) => ({ an_id: BigInt(row), a_name: nameOf(row) })),
    );
    expect(same.sha256).toBe(file.sha256);
  });

  it('keeps names that are longer together than a batch began with room for', async () => {
    // 300 names of 4,000 bytes outgrow the room that 16,384 names of 16 bytes need, within one batch.
    const rows = Array.from({ length: 300 }, (_, row) => ({
      an_id: BigInt(row),
      a_name: String(row).padEnd(2_000, 'ä'),
    }));
    const { bytes } = await computed(few, rows);
    expect(await readHyparquet(bytes)).toEqual(rows.map((row) => expect.objectContaining(row)));
  });

  it('tells after each full batch how many rows it took in, from COPY and from values', async () => {
    const heard: number[] = [];
    const shared = { table: few, constants, metadata, thread, onRows: (rows: number) => heard.push(rows) };
    const count = 2 * 16_384 + 1;
    await writeRows({ ...shared, sink: collector().sink, rows: unnamed(count) });
    const rows = Array.from({ length: count }, (_, row) => [int8(BigInt(row)), null]);
    const source = inPieces(copyBinary(rows));
    await writeCopy({ ...shared, sink: collector().sink, source, rowsSent: () => count });
    expect(heard).toEqual([16_384, 32_768, 16_384, 32_768]);
  });

  it('starts a row group every 131,072 rows', async () => {
    const file = await computed(few, unnamed(131_072 + 10));
    expect(footerOf(file.bytes).row_groups.map(({ num_rows }) => num_rows)).toEqual([131_072n, 10n]);
    const [sums] = await askDuckDb(
      file.bytes,
      'select sum(an_id)::bigint as total, max(an_id) as last from file',
    );
    // Σ 0…131,081 = 131,082 × 131,081 ÷ 2
    expect(sums).toEqual({ total: 8_591_179_821n, last: 131_081n });
    expect(footerOf(file.bytes).schema[0]?.name).toBe('few');
  });
});
