/** What Parquet has and text has not: types. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Int64, Table, tableToIPC, vectorFromArray } from 'apache-arrow';
import { Compression, Table as WasmTable, WriterPropertiesBuilder, writeParquet } from 'parquet-wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ForeignParquet } from '../../../src/ledger/sources/parquet.ts';
import { readParquet } from '../../../src/ledger/sources/parquet.ts';
import { DECIMAL, FIELD, type Struct, TYPE, bareParquet } from './bare-parquet.ts';
import { writeSelect } from './files.ts';

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-parquet-'));
  path = join(folder, 'rows.parquet');
});
afterAll(() => rm(folder, { recursive: true }));

const FOREIGN: ForeignParquet = { wanted: () => true };
/** A plain load, and a load of FOCUS. */
const BOTH = [
  ['plain', undefined],
  ['FOCUS', FOREIGN],
] as const;

async function cellsOf(select: string, foreign?: ForeignParquet): Promise<readonly (string | null)[]> {
  await writeSelect(path, select);
  const rows = await Array.fromAsync(readParquet(path, foreign));
  return rows.flat()[1]?.cells ?? [];
}

describe.each(BOTH)('Parquet of a load that is %s', (_, foreign) => {
  it('keeps every digit of a decimal, at any width, scale and sign', async () => {
    const decimals = [
      ['1.50', 'decimal(4, 2)'],
      ['-0.01', 'decimal(9, 2)'],
      ['12.5000', 'decimal(12, 4)'],
      ['123456789012345.678', 'decimal(18, 3)'],
      ['-99999999999999999999999999999.999999999', 'decimal(38, 9)'],
      ['7', 'decimal(20, 0)'],
      ['0.00', 'decimal(38, 2)'],
    ] as const;
    const columns = decimals.map(([text, type], index) => `'${text}'::${type} as c${index}`);
    expect(await cellsOf(`select ${columns.join(', ')}`, foreign)).toEqual(decimals.map(([text]) => text));
  });

  it('keeps instants before 1970 and their fractions', async () => {
    const times = [
      "'1969-12-31 23:59:59.999999Z'",
      "'1900-01-01 00:00:00.000001Z'",
      "'2026-03-01 10:00:00.5Z'",
    ];
    const columns = times.map((time, index) => `${time}::timestamptz as c${index}`);
    expect(await cellsOf(`select ${columns.join(', ')}`, foreign)).toEqual([
      '1969-12-31T23:59:59.999999Z',
      '1900-01-01T00:00:00.000001Z',
      '2026-03-01T10:00:00.500000Z',
    ]);
  });

  it('never reads a time that has a part of a microsecond as another time', async () => {
    expect(await cellsOf(`select '2026-03-01 10:00:00.123456789'::timestamp_ns as a`, foreign)).toEqual([
      expect.stringContaining('2026-03-01T10:00:00.123456789'),
    ]);
  });

  it('names the codec of pages that it does not read', async () => {
    const table = new Table({ a: vectorFromArray([1n], new Int64()) });
    const properties = new WriterPropertiesBuilder().setCompression(Compression.LZ4_RAW).build();
    await writeFile(path, writeParquet(WasmTable.fromIPCStream(tableToIPC(table, 'stream')), properties));
    await expect(Array.fromAsync(readParquet(path, foreign))).rejects.toThrow('compressed with LZ4');
  });

  it('keeps JSON as it is written, with each digit and key', async () => {
    const json = '{"a": 1, "a": 2, "b": 12345678901234567890}';
    expect(await cellsOf(`select '${json}'::json as a`, foreign)).toEqual([json]);
  });
});

it('every row of a group that is read in several parts has its own values', async () => {
  const many = 45_000;
  await writeSelect(path, `select i as a, 'n' || i as b from range(${many}) t(i)`);
  for (const [, foreign] of BOTH) {
    const [, ...rows] = (await Array.fromAsync(readParquet(path, foreign))).flat();
    expect(rows).toHaveLength(many);
    const wrong = rows.filter(
      ({ line, cells }, at) => [line, ...cells].join(' ') !== `${at + 2} ${at} n${at}`,
    );
    expect(wrong).toEqual([]);
  }
});

/** The cell of a column as an old or a lean writer writes it, in a plain load and in one of FOCUS. */
async function bareCells(element: Struct, values: Buffer): Promise<readonly unknown[]> {
  await writeFile(path, bareParquet(element, values));
  return await Promise.all(
    BOTH.map(async ([, foreign]) => (await Array.fromAsync(readParquet(path, foreign))).flat()[1]?.cells[0]),
  );
}

it('a time of old writers has no offset in plain Parquet, so that it is refused, and is UTC in FOCUS', async () => {
  // 36,000 seconds of the Julian day 2,461,101, which is the first of March 2026.
  const value = Buffer.alloc(12);
  value.writeBigInt64LE(36_000_000_000_000n);
  value.writeInt32LE(2_461_101, 8);
  const time = '2026-03-01T10:00:00.000000';
  expect(await bareCells({ [FIELD.type]: TYPE.int96 }, value)).toEqual([time, `${time}Z`]);
});

it('a decimal keeps its scale where its logical type alone says it', async () => {
  const value = Buffer.alloc(8);
  value.writeBigInt64LE(-12_345n);
  const element = { [FIELD.type]: TYPE.int64, [FIELD.logical]: { [DECIMAL]: { 1: 2, 2: 9 } } };
  expect(await bareCells(element, value)).toEqual(['-123.45', '-123.45']);
});

it('a time without a zone has no offset in plain Parquet, so that it is refused, and is UTC in FOCUS', async () => {
  const select = `select '2026-03-01 01:00:00'::timestamp as a, '2026-03-01 01:00:00'::timestamp_ms as b,
    '2026-03-01 01:00:00'::timestamp_ns as c, '2026-03-01 01:00:00+00'::timestamptz as d`;
  const time = '2026-03-01T01:00:00.000000';
  expect(await cellsOf(select)).toEqual([time, time, time, `${time}Z`]);
  expect(await cellsOf(select, FOREIGN)).toEqual([`${time}Z`, `${time}Z`, `${time}Z`, `${time}Z`]);
});
