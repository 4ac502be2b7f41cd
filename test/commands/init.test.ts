/** The way of a company’s own data: init, account add, load, build, and the snapshot is there. */
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { programHere } from './program-here.ts';
import { SEED } from '../support/signing.ts';
import { itInSweeps } from '../support/sweeps.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  [database, folder] = await Promise.all([createDatabase(), mkdtemp(join(tmpdir(), 'crossfoot-init-'))]);
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function run(...args: readonly string[]): Promise<readonly string[]> {
  const { program, printed } = programHere({
    PATH: process.env['PATH'] ?? '',
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.url('cf_service'),
    LEDGER_URL: database.url('cf_reader'),
    SIGNING_KEYS: SEED,
    OWNER_URL: database.url('cf_owner'),
  });
  await program.parseAsync(args, { from: 'user' });
  return printed;
}

itInSweeps('writes files that load and publish untouched, with the figures that they hold', async () => {
  const own = join(folder, 'own');
  const written = await run('init', own);
  expect(written.map((path) => path.replace(`${own}/`, '')).toSorted()).toEqual(
    (await readdir(own)).toSorted(),
  );
  const [token] = await run('account', 'add', 'Own Company', '--app-url', 'https://app.example/own');
  expect(token).toMatch(/^cf_pat_/);
  const [{ id = 0 } = {}] = JSON.parse((await run('account', 'list', '--json')).join('\n')) as {
    id?: number;
  }[];
  const readme = await readFile(join(own, 'README.md'), 'utf8');
  const load = /^npx --no crossfoot (load .*)$/m.exec(readme)?.[1] ?? '';
  const words = load
    .replace('THIS_FOLDER', own)
    .replace(/--account 1$/, `--account ${id}`)
    .split(' ');
  await run(...words);
  // The same again changes nothing.
  const again = await run(...words);
  expect(again.map((line) => line.replace(/\d unchanged/, 'n unchanged').replace(/^\w+:/, 'table:'))).toEqual(
    [
      ...Array.from({ length: 3 }, () => 'table: 0 inserted, 0 updated, n unchanged, 0 deleted'),
      // 840.00, 915.00 and 200.00; 12,000.00, 184.50, 199.80 and 3,500.00.
      'value_entries.csv: 3 rows, 1955.00 USD in the file and in the ledger',
      'cost_entries.csv: 4 rows, 15884.30 USD in the file and in the ledger',
    ],
  );
  expect((await run('build', '--account', String(id))).at(-1)).toMatch(
    /^ {2}published \d{8}T\d{6}Z as number 1 /,
  );
  await run('csv', 'reported_totals', '--account', String(id), '--to', join(folder, 'totals.csv'));
  const [head = '', ...rows] = (await readFile(join(folder, 'totals.csv'), 'utf8')).trim().split(/\r?\n/);
  const all = rows
    .map((row) => row.split(','))
    .find((row) => row.includes('portfolio') && row.includes('all'));
  const cell = (name: string) => all?.[head.split(',').indexOf(name)];
  // Costs: 12,000.00 + 184.50 + 199.80 + 3,500.00 = 15,884.30. Value: 840.00 + 915.00 = 1,755.00, of which 15,884.30 are
  // taken away; the draft of 200.00 is in no total.
  expect([cell('cost_cents'), cell('net_value_cents')]).toEqual(['1588430', '-1412930']);
});

it('refuses a folder that holds a file, and a path that is a file', async () => {
  const full = join(folder, 'full');
  await mkdir(full);
  await writeFile(join(full, 'costs.csv'), 'mine');
  await expect(run('init', full)).rejects.toMatchObject({
    code: 'usage_invalid',
    exitCode: 2,
    message: `${full} is not empty: it holds costs.csv. Nothing was written.`,
  });
  expect(await readdir(full)).toEqual(['costs.csv']);
  await expect(run('init', join(full, 'costs.csv'))).rejects.toMatchObject({ code: 'usage_invalid' });
});
