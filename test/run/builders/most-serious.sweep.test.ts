/** `build` of several accounts that fail differently ends as the most serious failure does. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { addBuildCommand } from '../../../src/commands/build.ts';
import { runCommand } from '../../commands/in-process.ts';
import { spoilAccount } from '../../fleet/spoil-account.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { SEED } from '../../support/signing.ts';
import { itInSweeps } from '../../support/sweeps.ts';

let database: TestDatabase;
let root: string;
beforeAll(async () => {
  database = await createDatabase('template_company');
  root = await mkdtemp(join(tmpdir(), 'crossfoot-serious-'));
});
afterAll(async () => {
  await database.drop();
  await rm(root, { recursive: true, maxRetries: 20, retryDelay: 100 });
});

itInSweeps('a refusal of the audit decides the exit code, not the later failure of the store', async () => {
  await spoilAccount(await database.client('cf_owner'), 1n);
  // The store cannot make a folder for account 2.
  await mkdir(join(root, 'objects/v1/a'), { recursive: true });
  await writeFile(join(root, 'objects/v1/a/2'), '');
  const env = {
    PATH: process.env['PATH'],
    DATA_DIR: root,
    OBJECT_STORE: `file:${join(root, 'objects')}`,
    LEDGER_URL: database.url('cf_reader'),
    DATABASE_URL: database.url('cf_service'),
    SIGNING_KEYS: SEED,
    RATES_URL: 'off',
    LOG_LEVEL: 'silent',
  };
  const { said, error } = await runCommand(addBuildCommand, env, 'build');
  expect(error).toMatchObject({
    code: 'audit_refused',
    exitCode: 3,
    message: '2 of 2 accounts got no new snapshot: 1, 2.',
  });
  expect(said.join('\n')).toMatch(/nothing was published[^]*the folder refused/);
});
