/** The footers of files that a build wrote, against what else it knows of them. */
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeRows } from '../../../src/parquet/write.ts';
import { readFooters } from '../../../src/snapshot/spool/footers.ts';
import { accounting_periods } from '../../../src/tables/accounting_periods.ts';
import { describeTable } from '../../../src/tables/describe.ts';
import type { ColumnDigest } from '../../../src/warehouse/digests.ts';

const SNAPSHOT = '20260715T020000Z';
const MONTHS = ['2026-04-01', '2026-05-01', '2026-06-01'];

const EMPTY = Object.fromEntries(accounting_periods.columns.slice(1).map(({ name }) => [name, null]));
const MONTH: ColumnDigest = { name: 'month', least: '2026-04-01', greatest: '2026-06-01' };

let directory: string;
let table: { readonly name: string; readonly size_bytes: number };
beforeAll(async () => {
  directory = await fs.mkdtemp(join(tmpdir(), 'crossfoot-footers-'));
  const pieces: Uint8Array[] = [];
  const written = await writeRows({
    table: accounting_periods,
    rows: MONTHS.map((month) => ({ ...EMPTY, month, status: 'open', locked: false })),
    constants: { snapshot_id: SNAPSHOT },
    metadata: {},
    sink: async (bytes) => void pieces.push(Uint8Array.from(bytes)),
  });
  await fs.writeFile(join(directory, 'accounting_periods.parquet'), Buffer.concat(pieces));
  table = { name: 'accounting_periods', ...written };
});
afterAll(() => fs.rm(directory, { recursive: true }));

/** The footers if the digests say this of the month. */
async function footers(month: ColumnDigest, rows = 3) {
  return await readFooters({
    fs,
    spool: { pathOf: (name) => join(directory, name) },
    tables: [{ ...table, rows }],
    snapshot_id: SNAPSHOT,
    known: () => ({
      columns: describeTable(accounting_periods).columns,
      digest: { name: 'accounting_periods', rows: '3', columns: [month] },
    }),
  });
}

it('the list has what the footer of each file states', async () => {
  const { snapshot_id, tables } = await footers(MONTH);
  expect([snapshot_id, tables.length, tables[0]?.rows]).toEqual([SNAPSHOT, 1, 3]);
  const bytes = await fs.readFile(join(directory, 'accounting_periods.parquet'));
  expect(tables[0]?.footer_bytes).toBe(bytes.readUInt32LE(bytes.length - 8));
  const [id, month, status, locked, locked_at] = tables[0]?.columns ?? [];
  expect([month?.field_id, month?.nulls, month?.least, month?.greatest]).toEqual([
    2,
    0,
    '2026-04-01',
    '2026-06-01',
  ]);
  for (const column of [id, status, locked]) expect([column?.least, column?.greatest]).toEqual([null, null]);
  expect([locked_at?.nulls, locked_at?.least]).toEqual([3, null]);
});

it.each([
  ['least value', { ...MONTH, least: '2026-03-01' }, 3, 'states 2026-04-01 as the least value of month'],
  [
    'greatest value',
    { ...MONTH, greatest: '2026-07-01' },
    3,
    'states 2026-06-01 as the greatest value of month',
  ],
  ['number of rows', MONTH, 4, 'states 3 rows, expected 4'],
])('a build whose digests have another %s than the footer is refused', async (_, month, rows, fault) => {
  await expect(footers(month, rows)).rejects.toMatchObject({
    code: 'audit_refused',
    message: expect.stringContaining(`accounting_periods: the footer of its Parquet file ${fault}`),
  });
});
