/** Cells whose value a load must neither change nor misname, and rows that cannot be stored. */
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Pool } from 'pg';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { connectDuckDb } from '../../parquet/read-back.ts';
import { type Files, faultsOf, foundCompany, loadFiles, placedFaults } from './folder.ts';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool('cf_owner', 1);
  await foundCompany(pool, 1);
  await pool.query(`
    insert into ledger.platforms (key, name, category, auth_type) values ('acme', 'Acme', 'cloud', 'file_upload');
    insert into ledger.connections (account_id, id, platform_key, name, status) values (1, 1, 'acme', 'Acme', 'active');
    insert into ledger.provider_bills (account_id, id, connection_id, month, amount_cents, currency, ai_amount_cents)
      values (1, 1, 1, '2026-10-01', 100, 'USD', 100)`);
});
afterAll(() => database.drop());

const upsert = (files: Files) => loadFiles(database.url('cf_owner'), files, { mode: 'upsert', account: 1n });
const json = (...rows: readonly string[]): string => `${rows.join('\n')}\n`;
const COSTS = 'source_ref,initiative,amount,currency';

it('half of a letter in JSON is refused, and never stored as another one', async () => {
  const row =
    '{"source_ref":"S1","initiative":"Invoices","amount":1.5,"currency":"USD","description":"Chat \\ud83d"}';
  expect(await placedFaults(upsert({ 'cost_entries.ndjson': json(row) }))).toEqual([
    [
      expect.stringMatching(/^cost_entries\.ndjson:1 description=/),
      'whole letters; the text is cut within one, as "\\ud83d" alone in JSON',
    ],
  ]);
});

describe('a number of JSON or Parquet is taken as it is', () => {
  it.each([
    ['5e-05', '0.00005'],
    ['1.5e+7', '15000000'],
    ['1.25E1', '12.5'],
    ['1E21', '1000000000000000000000'],
    ['1200.0', '1200.0'],
  ])('%s', async (written, quantity) => {
    const row = `{"source_ref":"U-${written}","bill_id":1,"used_on":"2026-10-01","unit":"gpu-hours","quantity":${written}}`;
    await upsert({ 'usage.ndjson': json(row) });
    const found = await pool.query('select quantity from ledger.usage where load_ref = $1', [`U-${written}`]);
    expect(found.rows).toEqual([{ quantity }]);
  });

  it('a double of Parquet', async () => {
    const path = join(tmpdir(), `doubted-${process.pid}.parquet`);
    const session = await connectDuckDb();
    await session.run(
      `copy (select 'P' as source_ref, 1::bigint as bill_id, date '2026-10-01' as used_on, 'gpu-hours' as unit, 5e-7::double as quantity) to '${path}' (format parquet)`,
    );
    session.closeSync();
    const content = await readFile(path);
    await rm(path);
    const { usage } = await upsert({ 'usage.parquet': content });
    expect(usage?.inserted).toBe(1);
  });

  it('a whole number that was calculated', async () => {
    const row = '{"source_ref":"W1","initiative":"Invoices","amount_cents":1200.0,"currency":"USD"}';
    const { cost_entries } = await upsert({ 'cost_entries.ndjson': json(row) });
    expect(cost_entries?.inserted).toBe(1);
  });
});

it.each([
  ['user_emails.csv', '11,ada@secret.example'],
  ['connection_secrets.csv', '1,7,hunter2,{}'],
])('%s without a header shows nothing of its first row', async (name, row) => {
  const faults = await faultsOf(upsert({ [name]: `${row}\n` }));
  expect(faults.length).toBeGreaterThan(0);
  expect(JSON.stringify(faults)).not.toMatch(/secret\.example|hunter2/);
});

it.each(['source_ref', 'vendor_name'])(
  'a %s that no index can hold is refused with its place',
  async (long) => {
    const text = Array.from({ length: 3_000 }, (_, index) => String(index * 7_919)).join('-');
    const cells = long === 'source_ref' ? `${text},Invoices,1.00,USD,Acme` : `L1,Invoices,1.00,USD,${text}`;
    const faults = await faultsOf(upsert({ 'cost_entries.csv': `${COSTS},vendor_name\n${cells}\n` }));
    expect(faults.map(({ line, column, expected }) => [line, column, expected])).toEqual([
      [2, long, 'a text of at most 2000 bytes: a row is found again by it'],
    ]);
  },
);

it('a fault of an amount names it as the file has it', async () => {
  const file = `${COSTS}\nB1,Invoices,,USD\nB2,Invoices,90071992547410.00,USD\n`;
  expect((await placedFaults(upsert({ 'cost_entries.csv': file }))).map(([place]) => place)).toEqual([
    'cost_entries.csv:2 amount=null',
    'cost_entries.csv:3 amount=90071992547410.00',
  ]);
});

it('the rejected rows hold the first object of JSON lines, too', async () => {
  let lines: readonly string[] = [];
  const request = {
    mode: 'upsert',
    account: 1n,
    onRejects: async (rejected: AsyncGenerator<string>) => {
      lines = await Array.fromAsync(rejected);
    },
  } as const;
  await faultsOf(
    loadFiles(
      database.url('cf_owner'),
      {
        'cost_entries.ndjson': json(
          ...['R1', 'R2'].map(
            (ref) => `{"source_ref":"${ref}","initiative":"Nope","amount":1.5,"currency":"USD"}`,
          ),
        ),
      },
      request,
    ),
  );
  expect(lines.map((line) => line.split(',').slice(-4).join().trim())).toEqual([
    COSTS,
    'R1,Nope,1.5,USD',
    'R2,Nope,1.5,USD',
  ]);
});

it('a page may begin with a byte order mark', async () => {
  const page = '\uFEFF---\nid: 900\nkey: x\ntitle: X\n---\nText\n';
  const { initiative_templates } = await loadFiles(
    database.url('cf_owner'),
    { 'templates/x.md': page },
    { mode: 'upsert' },
  );
  expect(initiative_templates?.inserted).toBe(1);
});
