/** The same rows from files of every form, and what is refused of a file before its rows are looked at. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { DateDay, Int64, Table, TimestampMicrosecond, Utf8, tableToIPC, vectorFromArray } from 'apache-arrow';
import { Compression, Table as WasmTable, WriterPropertiesBuilder, writeParquet } from 'parquet-wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LoadFault } from '../../../src/ledger/staging/faults.ts';
import { type LoadRequest, load } from '../../../src/ledger/load/load.ts';
import { openInputs } from '../../../src/ledger/sources/inputs.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { type Files, company, faultsOf, loadFiles } from '../load/folder.ts';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-sources-'));
  await loadFiles(database.url('cf_owner'), company(1));
  await loadOne('cost_entries.csv', CSV);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

const HEADER = [
  'account_id',
  'id',
  'initiative_id',
  'amount_cents',
  'currency',
  'period_start',
  'source_type',
  'created_at',
];
const ROWS = [
  ['1', '1', '1', '123450', 'USD', '2024-01-10', 'manual', '2024-01-15T00:00:00.000000Z'],
  ['1', '2', '2', '-99', 'USD', '2024-02-29', 'csv', '2024-03-01T10:30:00.500000Z'],
];
const lines = (separator: string): string =>
  [HEADER, ...ROWS].map((cells) => cells.join(separator)).join('\n');
const CSV = lines(',');

/** A file of the folder, alone. */
async function loadOne(name: string, content: string | Uint8Array, request: Partial<LoadRequest> = {}) {
  await writeFile(join(folder, name), content);
  const paths = [join(folder, name)];
  return await load({ mode: 'upsert', url: database.url('cf_owner'), paths, ...request });
}

const faults = (
  name: string,
  content: string | Uint8Array,
  request: Partial<LoadRequest> = {},
): Promise<readonly LoadFault[]> => faultsOf(loadOne(name, content, request));

function parquet(): Uint8Array {
  const integers = (index: number) =>
    vectorFromArray(
      ROWS.map((cells) => BigInt(cells[index] ?? '')),
      new Int64(),
    );
  const text = (index: number) =>
    vectorFromArray(
      ROWS.map((cells) => cells[index] ?? ''),
      new Utf8(),
    );
  const table = new Table({
    account_id: integers(0),
    id: integers(1),
    initiative_id: integers(2),
    amount_cents: integers(3),
    currency: text(4),
    period_start: vectorFromArray(
      ROWS.map((cells) => new Date(cells[5] ?? '')),
      new DateDay(),
    ),
    source_type: text(6),
    created_at: vectorFromArray(
      ROWS.map((cells) => Date.parse(cells[7] ?? '')),
      new TimestampMicrosecond('UTC'),
    ),
  });
  const properties = new WriterPropertiesBuilder().setCompression(Compression.ZSTD).build();
  return writeParquet(WasmTable.fromIPCStream(tableToIPC(table, 'stream')), properties);
}

const ndjson = ROWS.map((cells) =>
  JSON.stringify(
    Object.fromEntries(HEADER.map((name, index) => [name, index < 4 ? Number(cells[index]) : cells[index]])),
  ),
).join('\n');

describe('the rows of a CSV file, once loaded, are unchanged', () => {
  it.each<readonly [form: string, name: string, content: () => string | Uint8Array]>([
    ['semicolons', 'cost_entries.csv', () => lines(';')],
    ['tabs', 'cost_entries.csv', () => lines('\t')],
    ['a byte order mark and CRLF', 'cost_entries.csv', () => `\uFEFF${lines(';').replaceAll('\n', '\r\n')}`],
    ['gzip', 'cost_entries.csv.gz', () => gzipSync(CSV)],
    ['JSON lines', 'cost_entries.ndjson', () => `${ndjson}\n\n`],
    ['Parquet', 'cost_entries.parquet', parquet],
    [
      'amounts with decimals',
      'cost_entries.csv',
      () =>
        'account_id;id;amount;created_at\n1;1;1.234,50;2024-01-15T00:00:00Z\n1;2;-0,99;2024-03-01T10:30:00.500000Z',
    ],
  ])('with %s', async (_, name, content) => {
    expect(await loadOne(name, content())).toMatchObject([
      { table: 'cost_entries', inserted: 0, updated: 0, unchanged: 2 },
    ]);
  });

  it('as one file of any name whose table is named', async () => {
    await expect(loadOne('Rechnungen 2024.csv', CSV)).rejects.toMatchObject({ code: 'load_rejected' });
    expect(await loadOne('Rechnungen 2024.csv', CSV, { table: 'cost_entries' })).toMatchObject([
      { table: 'cost_entries', inserted: 0, updated: 0, unchanged: 2 },
    ]);
    const paths = [folder, join(folder, 'Rechnungen 2024.csv')];
    for (const several of [paths, paths.slice(0, 1)]) {
      const loading = loadOne('cost_entries.csv', CSV, { table: 'cost_entries', paths: several });
      await expect(loading).rejects.toThrow('--table goes with standard input or one file.');
    }
    await rm(join(folder, 'Rechnungen 2024.csv'));
  });

  it('as several files, and as standard input with the name of its table', async () => {
    await writeFile(join(folder, 'cost_entries.csv'), CSV);
    await writeFile(join(folder, 'users.csv'), 'id,name\n11,Ada\n');
    const paths = ['cost_entries.csv', 'users.csv'].map((name) => join(folder, name));
    const loaded = await load({ mode: 'upsert', url: database.url('cf_owner'), paths });
    expect(loaded.map(({ table, unchanged }) => [table, unchanged])).toEqual([
      ['cost_entries', 2],
      ['users', 1],
    ]);
    const stdin = Readable.from([Buffer.from(CSV)]);
    const { names, rows } = await openInputs(['-'], { table: 'cost_entries', stdin });
    const read = [];
    for await (const { cells } of rows('cost_entries.csv')) read.push(cells);
    expect([names, read]).toEqual([['cost_entries.csv'], [HEADER, ...ROWS]]);
  });
});

describe('the refusal, with the place, of', () => {
  it('an amount that could be two numbers, until the sign is named', async () => {
    const file = 'account_id;id;amount\n1;1;1.234\n';
    expect(await faults('cost_entries.csv', file)).toEqual([
      {
        file: 'cost_entries.csv',
        line: 2,
        column: 'amount',
        value: '1.234',
        expected: 'an amount that is only one number; --decimal point or --decimal comma says which it is',
      },
    ]);
    expect(await loadOne('cost_entries.csv', file, { decimal: 'comma', dryRun: true })).toMatchObject([
      { updated: 1 },
    ]);
  });

  it.each<readonly [what: string, name: string, content: string | Uint8Array, fault: Partial<LoadFault>]>([
    [
      'amount beside amount_cents',
      'cost_entries.csv',
      'account_id,id,amount,amount_cents\n',
      { line: 1, expected: 'each column once' },
    ],
    [
      'a day in another form',
      'cost_entries.csv',
      'account_id,id,period_start\n1,1,15.01.2024\n',
      { line: 2, value: '15.01.2024', expected: 'a day, YYYY-MM-DD; write 2024-01-15' },
    ],
    [
      'half a gzip file',
      'cost_entries.csv.gz',
      gzipSync(CSV).subarray(0, 60),
      { expected: expect.stringMatching(/^a whole gzip file/) },
    ],
    [
      'a line that is no object',
      'cost_entries.ndjson',
      '{"account_id":1,"id":1}\n[1]\n',
      { line: 2, expected: 'one JSON object on each line' },
    ],
    [
      'a field that the first line lacks',
      'cost_entries.ndjson',
      '{"account_id":1,"id":1}\n{"account_id":1,"id":2,"note":"x"}\n',
      { line: 2, expected: expect.stringContaining('without note') },
    ],
    [
      'a field in place of one of the first line',
      'cost_entries.ndjson',
      '{"account_id":1,"id":1}\n{"account_id":1,"note":"x"}\n',
      { line: 2, expected: expect.stringContaining('without note') },
    ],
    [
      'what is no Parquet file',
      'cost_entries.parquet',
      CSV,
      { line: 1, expected: expect.stringMatching(/^a Parquet file that can be read/) },
    ],
  ])('%s', async (_, name, content, fault) => {
    expect(await faults(name, content)).toEqual([expect.objectContaining({ file: name, ...fault })]);
  });

  it('two files of one table', async () => {
    const files: Files = { 'users.csv': 'id,name\n', 'users.ndjson': '{"id":1,"name":"Ada"}\n' };
    expect(await faultsOf(loadFiles(database.url('cf_owner'), files))).toMatchObject([
      { expected: 'one file for the rows of a table' },
    ]);
  });

  it.each([
    [['/nowhere'], '/nowhere is not a file or folder that can be read.'],
    [['-'], 'Standard input has no name that says its table.'],
    [[import.meta.filename], `${import.meta.filename} is no file that can be loaded.`],
  ])('the paths %j', async (paths, message) => {
    await expect(openInputs(paths)).rejects.toMatchObject({ code: 'usage_invalid', message });
  });
});
