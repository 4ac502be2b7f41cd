/** `npm run seed`: its options, its accounts, and how it ends. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSeedProgram } from '../../tools/seed/command.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';

const PROGRAM = fileURLToPath(new URL('../../tools/seed.ts', import.meta.url));

let database: TestDatabase;
const said: string[] = [];
beforeAll(async () => {
  database = await createDatabase('template_ledger');
});
afterAll(() => database.drop());

/** Runs it in this process on the database, and gives what went to stdout. */
async function seed(...args: readonly string[]): Promise<readonly string[]> {
  const printed: string[] = [];
  const program = createSeedProgram({
    env: { LEDGER_URL: database.url('cf_reader'), OWNER_URL: database.url('cf_owner'), LOG_LEVEL: 'silent' },
    signal: new AbortController().signal,
    print: (line) => printed.push(line),
    say: (line) => said.push(line),
  }).configureOutput({ writeOut: (text) => printed.push(text), writeErr: () => undefined });
  await program.parseAsync(args, { from: 'user' });
  return printed;
}

it('the seeder loads rates and platforms into an empty ledger, fills its accounts and names each, with every index', async () => {
  const owner = await database.client('cf_owner');
  const indexes = async (): Promise<readonly string[]> => {
    const { rows } = await owner.query<{ indexdef: string }>(
      "select indexdef from pg_indexes where schemaname = 'ledger' order by 1",
    );
    return rows.map(({ indexdef }) => indexdef);
  };
  const before = await indexes();
  expect(await seed('--rows', '100', '--accounts', '2', '--years', '1', '--seed', '7')).toEqual([
    'account 1',
    'account 2',
  ]);
  expect(await indexes()).toEqual(before);
  const { rows } = await owner.query(
    `select account_id, count(*) as costs, (select count(*) from ledger.initiatives i where i.account_id = c.account_id) as initiatives
     from ledger.cost_entries c group by 1 order by 1`,
  );
  expect(rows).toEqual([
    { account_id: 1n, costs: 100n, initiatives: 20n },
    { account_id: 2n, costs: 100n, initiatives: 20n },
  ]);
});

it('the seeder draws as many rows as --drawn says, copies the others, and reports the copied rows', async () => {
  const owner = await database.client('cf_owner');
  const [printed] = await seed('--rows', '400', '--initiatives', '80', '--years', '1', '--drawn', '100');
  const { rows } = await owner.query(
    `select count(*) filter (where title like '%(3)') as last_copies, count(*) as initiatives
     from ledger.initiatives where account_id = $1`,
    [printed?.replace('account ', '')],
  );
  expect(rows).toEqual([{ last_copies: 20n, initiatives: 80n }]);
  expect(said).toContain('value_entries: 300 rows');
});

it.each([
  ['no --rows', [], "required option '--rows <n>' not specified"],
  ['rows that are no number', ['--rows', 'many'], 'It must be a whole number from 1 to 100000000.'],
  ['an unknown option', ['--rows', '100', '--size', '1'], "unknown option '--size'"],
])('the seeder refuses %s', async (_, args, complaint) => {
  await expect(seed(...args)).rejects.toThrow(complaint);
});

it('the seeder shows an example of its call, and exits with 2 over wrong usage', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, '--help']);
  expect(stdout).toMatch(/^Usage: npm run seed -- \[options\]$/m);
  expect(stdout).toMatch(/^ {2}npm run seed -- --rows 1000$/m);
  await expect(promisify(execFile)(process.execPath, [PROGRAM])).rejects.toMatchObject({
    code: 2,
    stdout: '',
  });
});
