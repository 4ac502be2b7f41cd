/** The first command in a data folder: which commands create the embedded database, and what the shell's settings change. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addAccountCommand } from '../../src/commands/account.ts';
import { addLoadCommand } from '../../src/commands/load.ts';
import { addMigrateCommand } from '../../src/commands/migrate.ts';
import { addStatusCommand } from '../../src/commands/status.ts';
import { readSettings } from '../../src/config.ts';
import { openDatabases, requireOwner } from '../../src/run/databases.ts';
import { runCommand } from '../commands/in-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-first-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a data folder without a database', () => {
  it.each([
    ['load', addLoadCommand, ['load', '.', '--account', '1']],
    ['status', addStatusCommand, ['status']],
    ['account list', addAccountCommand, ['account', 'list']],
  ])('is refused by %s, which creates nothing in it', async (_, add, args) => {
    const { error } = await runCommand(add, { DATA_DIR: folder, LOG_LEVEL: 'error' }, ...args);
    expect(error).toMatchObject({
      code: 'embedded_missing',
      message: `There is no database in the data folder ${folder}.`,
      hint: 'Type the command in the folder of the clone, or set DATA_DIR. `npx --no crossfoot start`, `account add` and `migrate` create a database.',
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('is refused where it is a file, in words', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const args = ['account', 'add', 'Acme'];
    const { error } = await runCommand(addAccountCommand, { DATA_DIR: file, LOG_LEVEL: 'error' }, ...args);
    expect(error).toMatchObject({
      code: 'settings_invalid',
      message: `DATA_DIR ${file} is a file, or lies below one.`,
      hint: 'Set DATA_DIR to a folder that you may write to.',
    });
    await rm(file);
  });
});

it('the embedded database is created by migrate, which a second run finds unchanged', async () => {
  const env = { DATA_DIR: join(folder, 'migrated'), LOG_LEVEL: 'error' };
  const first = await runCommand(addMigrateCommand, env, 'migrate');
  expect(first.printed.at(-1)).toMatch(/^catalogue loaded: \d+ rows$/);
  const second = await runCommand(addMigrateCommand, env, 'migrate');
  expect(second.printed).toEqual(['nothing to migrate', 'catalogue unchanged']);
});

describe('a database that account add creates', () => {
  it('knows the platforms of the catalogue, and takes no PG* variable of the shell', async () => {
    vi.stubEnv('PGSSLMODE', 'require');
    vi.stubEnv('PGOPTIONS', '-c default_transaction_read_only=on');
    const env = { DATA_DIR: folder, LOG_LEVEL: 'error' };
    try {
      expect((await runCommand(addAccountCommand, env, 'account', 'add', 'Acme')).error).toBeUndefined();
      const signal = new AbortController().signal;
      await using owned = await openDatabases(readSettings(env), signal);
      // A command that joins the running database does so at once.
      await using joined = await openDatabases(readSettings(env), signal);
      expect(joined.ownerUrl).toBe(owned.ownerUrl);
      await using client = Object.assign(new Client({ connectionString: requireOwner(owned) }), {
        [Symbol.asyncDispose]: () => client.end(),
      });
      await client.connect();
      const { rows } = await client.query<{ key: string }>(
        `select key from ledger.platforms where key in ('anthropic', 'openai') order by key`,
      );
      expect(rows.map(({ key }) => key)).toEqual(['anthropic', 'openai']);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
