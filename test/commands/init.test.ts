/** A company publishes its own data with four commands: init, account add, load and build. */
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ownLedger } from '../support/own-ledger.ts';
import { itInSweeps } from '../support/sweeps.ts';
import { programHere } from './program-here.ts';

const ledger = ownLedger();
const { run } = ledger;

itInSweeps(
  'a company can load and publish the files of init unchanged, and the totals are those of the files',
  async () => {
    const own = join(ledger.folder(), 'own');
    const written = await run('init', own);
    expect(written.map((path) => path.replace(`${own}/`, '')).toSorted()).toEqual(
      (await readdir(own)).toSorted(),
    );
    const [token] = await run('account', 'add', 'Own Company', '--app-url', 'https://app.example/own');
    expect(token).toMatch(/^cf_pat_/);
    const id = await ledger.account();
    const readme = await readFile(join(own, 'README.md'), 'utf8');
    const load = /^npx --no crossfoot (load .*)$/m.exec(readme)?.[1] ?? '';
    const words = load
      .replace('THIS_FOLDER', own)
      .replace(/--account 1$/, `--account ${id}`)
      .split(' ');
    await run(...words);
    // The same again changes nothing.
    const again = await run(...words);
    expect(
      again.map((line) => line.replace(/\d unchanged/, 'n unchanged').replace(/^\w+:/, 'table:')),
    ).toEqual([
      ...Array.from({ length: 3 }, () => 'table: 0 inserted, 0 updated, n unchanged, 0 deleted'),
      // The files have 840.00, 915.00 and 200.00 of value, and 12,000.00, 184.50, 199.80 and 3,500.00 of costs.
      'value_entries.csv: 3 rows, 1955.00 USD in the file and in the ledger',
      'cost_entries.csv: 4 rows, 15884.30 USD in the file and in the ledger',
    ]);
    expect((await run('build', '--account', id)).at(-1)).toMatch(/^ {2}published \d{8}T\d{6}Z as number 1 /);
    const cell = await ledger.totals(id);
    // Costs: 12,000.00 + 184.50 + 199.80 + 3,500.00 = 15,884.30. Value: 840.00 + 915.00 = 1,755.00, because no
    // total holds the draft of 200.00. Net value: 1,755.00 - 15,884.30 = -14,129.30.
    expect([cell('cost_cents'), cell('net_value_cents')]).toEqual(['1588430', '-1412930']);
  },
);

it('init refuses a folder that holds a file, and a path that is a file', async () => {
  const full = join(ledger.folder(), 'full');
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

it.each([
  ['my own files', "'my own files'"],
  ["Ada's $HOME", String.raw`'Ada'\''s $HOME'`],
  ['own-2026.10', 'own-2026.10'],
])('init prints the next command, and quotes the folder %j for a shell', async (name, quoted) => {
  const path = join(ledger.folder(), name);
  const { program, said } = programHere();
  await program.parseAsync(['init', path], { from: 'user' });
  const word = quoted.startsWith("'")
    ? `'${ledger.folder()}/${quoted.slice(1)}`
    : `${ledger.folder()}/${quoted}`;
  expect(said.at(-1)).toBe(`then: npx --no crossfoot load ${word} --account <id>`);
});
