import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addLoadCommand } from '../../../src/commands/load.ts';
import { runCommand } from '../../commands/in-process.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-columns-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

it('own headings load by a file of columns, which may lie beside the files', async () => {
  const env = { DATABASE_URL: database.url('cf_reader'), OWNER_URL: database.url('cf_owner') };
  const columns = join(folder, 'columns.yml');
  const run = (...more: string[]) =>
    runCommand(addLoadCommand, env, 'load', folder, '--columns', columns, ...more);
  await writeFile(columns, 'platforms:\n  Short: key\n  Long name: name\n  Owner: leave out\n');
  await writeFile(join(folder, 'platforms.csv'), 'Short,Long name,Owner,category\nown,Own,Kim,crm\n');
  expect((await run()).printed).toEqual(['platforms: 1 inserted, 0 updated, 0 unchanged, 0 deleted']);
  await writeFile(join(folder, 'platforms.csv'), 'Short,Name,Owner,category\nown,Own,Kim,crm\n');
  const refused = await run();
  expect(refused.error).toMatchObject({ code: 'load_rejected' });
  expect(refused.said.at(-1)).toContain('platforms.csv, line 1, Long name: ');
  expect((await run('--focus')).error).toMatchObject({ message: '--focus does not go with --columns.' });
});
