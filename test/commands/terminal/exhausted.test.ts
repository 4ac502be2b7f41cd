/** A command on a full disk, or without memory, ends in words and without a stack. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openClient } from '../../../src/ledger/connect.ts';
import { exhaustedResource } from '../../../src/postgres-errors.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { runProgram } from '../program.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-full-'));
  await writeFile(join(folder, 'platforms.csv'), 'key,name,category\na,Alpha,crm\n');
});
afterAll(async () => {
  await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
  await database.drop();
});

it.each([
  ['53100', 'The disk of PostgreSQL is full.', 'Free space on it. '],
  ['53200', 'PostgreSQL has no memory left.', 'End other programs on its machine,'],
])('load says in words that PostgreSQL reports %s', async (code, message, hint) => {
  await using owner = await openClient({
    url: database.url('cf_owner'),
    role: 'cf_owner',
    applicationName: 'crossfoot test',
  });
  await owner.query(`create or replace function ledger.full_disk() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file "base/5/16400"' using errcode = '${code}'; end $$`);
  await owner.query(`create or replace trigger full_disk before insert on ledger.platforms
    for each row execute function ledger.full_disk()`);
  const env = { DATABASE_URL: database.url('cf_reader'), OWNER_URL: database.url('cf_owner') };
  const { code: exit, stderr } = await runProgram(['load', folder], env);
  expect(exit).toBe(1);
  expect(stderr.slice(-2)).toEqual([`crossfoot: ${message}`, expect.stringContaining(`  ${hint}`)]);
  expect(stderr.join('\n')).not.toMatch(/base\/5|^ +at /m);
});

it('a full disk of a file of our own is named with the file', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  expect(exhaustedResource(full)).toMatchObject({ code: 'resources_exhausted', message: 'A disk is full.' });
  expect(exhaustedResource(Object.assign(full, { path: '/data/rejects.csv' }))).toMatchObject({
    message: 'A disk is full: /data/rejects.csv could not be written.',
    exitCode: 1,
  });
  const quota = Object.assign(new Error('EDQUOT'), { code: 'EDQUOT', path: '/data/x' });
  expect(exhaustedResource(quota)).toMatchObject({ code: 'resources_exhausted' });
  expect(exhaustedResource(Object.assign(new Error('EIO'), { code: 'EIO' }))).toBeNull();
});
