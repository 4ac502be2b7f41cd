/** What a load keeps of its files: the digest of each, whichever its form; and that rows, not digests, decide a later load. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addLoadCommand } from '../../../src/commands/load.ts';
import { loadFocus } from '../../../src/ledger/focus/load-focus.ts';
import { load } from '../../../src/ledger/load/load.ts';
import { runCommand } from '../../commands/in-process.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { charges, csv, writeParquet } from '../focus/bills.ts';
import { foundCompany, loadFiles } from './folder.ts';

let database: TestDatabase;
let owner: Client;
let folder: string;
let url: string;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  url = database.url('cf_owner');
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-digests-'));
  await foundCompany(owner, 1);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});
beforeEach(async () => {
  await owner.query('truncate ops.loaded_files; delete from ledger.cost_entries');
});

const ROWS = 'source_ref,initiative_id,amount_cents,currency,period_start\nC-1,1,1000,USD,2026-03-01\n';
const CELLS = {
  source_ref: 'C-1',
  initiative_id: '1',
  amount_cents: '1000',
  currency: 'USD',
  period_start: '2026-03-01',
};
const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function recorded(): Promise<readonly unknown[]> {
  const { rows } = await owner.query<Record<string, unknown>>(
    'select source, file, sha256, rows::int from ops.loaded_files order by id',
  );
  return rows;
}

async function amounts(): Promise<readonly unknown[]> {
  const { rows } = await owner.query<{ amount: number }>(
    'select amount_cents::int as amount from ledger.cost_entries order by 1',
  );
  return rows.map(({ amount }) => amount);
}

const FORMS: readonly (readonly [name: string, make: (path: string) => Promise<void>])[] = [
  ['cost_entries.csv', (path) => writeFile(path, ROWS)],
  ['cost_entries.csv.gz', (path) => writeFile(path, gzipSync(ROWS))],
  [
    'cost_entries.ndjson',
    (path) => writeFile(path, `${JSON.stringify({ ...CELLS, initiative_id: 1, amount_cents: 1000 })}\n`),
  ],
  [
    'cost_entries.parquet',
    (path) =>
      writeParquet(path, [CELLS], { initiative_id: 'bigint', amount_cents: 'bigint', period_start: 'date' }),
  ],
];

it.each(FORMS)(
  'the digest of %s is recorded with its load, and is that of the file itself',
  async (name, make) => {
    const path = join(folder, name);
    await make(path);
    await load({ url, paths: [path], mode: 'upsert', account: 1n, source: 'books' });
    expect(await recorded()).toEqual([
      { source: 'books', file: name, sha256: sha256(await readFile(path)), rows: 1 },
    ]);
    expect(await amounts()).toEqual([1_000]);
  },
);

it('the digest of standard input is recorded with its load', async () => {
  const stdin = Readable.from([Buffer.from(ROWS)]);
  const request = { url, paths: ['-'], table: 'cost_entries', stdin, mode: 'upsert', account: 1n } as const;
  await load(request);
  expect(await recorded()).toEqual([
    { source: 'file', file: 'standard input', sha256: sha256(ROWS), rows: 1 },
  ]);
});

it('the digest of each file of FOCUS is recorded with its load', async () => {
  const paths = ['one.csv', 'two.csv'].map((name) => join(folder, name));
  const bills = ['acc-1', 'acc-2'].map((BillingAccountId) => csv(charges({ BillingAccountId })));
  for (const [at, path] of paths.entries()) await writeFile(path, bills[at] ?? '');
  const { files } = await loadFocus({ url, paths, account: 1n, isOwnSnapshot: async () => false });
  const expected = ['one.csv', 'two.csv'].map((file, at) => ({
    file,
    sha256: sha256(bills[at] ?? ''),
    rows: 1,
  }));
  expect(files).toEqual(expected);
  expect(await recorded()).toEqual(expected.map((file) => ({ source: 'focus', ...file })));
});

it('no digest of a dry run or of a refused load is recorded', async () => {
  const path = join(folder, 'cost_entries.csv');
  await writeFile(path, ROWS);
  await load({ url, paths: [path], mode: 'upsert', account: 1n, dryRun: true });
  await writeFile(path, ROWS.replace('1000', 'many'));
  await expect(load({ url, paths: [path], mode: 'upsert', account: 1n })).rejects.toMatchObject({
    code: 'load_rejected',
  });
  expect(await recorded()).toEqual([]);
});

it('the first file is loaded again after another of its name: rows are compared, never digests', async () => {
  const other = ROWS.replace('1000', '2500');
  for (const [content, amount] of [
    [ROWS, 1_000],
    [other, 2_500],
    [ROWS, 1_000],
  ] as const) {
    const { cost_entries } = await loadFiles(
      url,
      { 'cost_entries.csv': content },
      { mode: 'upsert', account: 1n },
    );
    expect(Number(cost_entries?.inserted) + Number(cost_entries?.updated)).toBe(1);
    expect(await amounts()).toEqual([amount]);
  }
  expect(await recorded()).toMatchObject([ROWS, other, ROWS].map((content) => ({ sha256: sha256(content) })));
});

it('load --json prints each file with its digest, rows and sums', async () => {
  const path = join(folder, 'cost_entries.csv');
  await writeFile(path, ROWS);
  const env = { DATABASE_URL: database.url('cf_reader'), OWNER_URL: url };
  const { printed, error } = await runCommand(addLoadCommand, env, 'load', path, '--account', '1', '--json');
  expect(error).toBeUndefined();
  expect(JSON.parse(printed.join('\n'))).toMatchObject({
    dry_run: false,
    tables: [{ table: 'cost_entries', inserted: 1, updated: 0, unchanged: 0, deleted: 0 }],
    files: [{ file: 'cost_entries.csv', sha256: sha256(ROWS), rows: 1, sums: { USD: 1_000 } }],
  });
});

it('a name of an earlier version with blanks at its ends is found again, also in a locked month', async () => {
  await loadFiles(
    url,
    { 'cost_entries.csv': ROWS + 'C-2,1,500,USD,2026-03-01\nC-3,1,300,USD,2026-03-01\n' },
    { account: 1n },
  );
  // As an earlier version stored them; the source has C-3 without its blank, too.
  await owner.query(`
    update ledger.cost_entries set load_ref = case load_ref when 'C-1' then ' C-1' || chr(160) when 'C-2' then E'C-2\\t ' else 'C-3 ' end;
    insert into ledger.cost_entries (account_id, id, initiative_id, amount_cents, currency, period_start, source_type, load_source, load_ref)
      select 1, 900, 1, 300, 'USD', '2026-03-01', 'csv', load_source, 'C-3' from ledger.cost_entries where load_ref = 'C-3 ';
    insert into ledger.accounting_months (account_id, id, month, status, locked_at) values (1, 1, '2026-03-01', 'locked', '2026-04-02')`);
  const before = await owner.query('select id, updated_at from ledger.cost_entries order by id');
  await owner.query(
    await readFile(
      new URL('../../../schema/ledger/0039-load-refs-without-blanks.sql', import.meta.url),
      'utf8',
    ),
  );
  const { rows } = await owner.query('select load_ref from ledger.cost_entries order by load_ref');
  expect(rows).toEqual([{ load_ref: 'C-1' }, { load_ref: 'C-2' }, { load_ref: 'C-3' }, { load_ref: 'C-3 ' }]);
  expect((await owner.query('select id, updated_at from ledger.cost_entries order by id')).rows).toEqual(
    before.rows,
  );
  const { cost_entries } = await loadFiles(
    url,
    { 'cost_entries.csv': ROWS + 'C-2,1,500,USD,2026-03-01\n' },
    { mode: 'upsert', account: 1n },
  );
  expect(cost_entries).toMatchObject({ inserted: 0, updated: 0, unchanged: 2 });
  await owner.query('delete from ledger.accounting_months');
});
