/** A command on a database that was never migrated ends in words, with the command that migrates it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { SEED } from '../../support/signing.ts';
import { itInSweeps } from '../../support/sweeps.ts';
import { runProgram } from '../program.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase('template0');
});
afterAll(() => database.drop());

async function saysToMigrate(command: readonly string[]): Promise<void> {
  const env = {
    LEDGER_URL: database.url('cf_reader'),
    DATABASE_URL: database.url('cf_service'),
    OWNER_URL: database.url('cf_owner'),
    SIGNING_KEYS: SEED,
  };
  const { code, stderr } = await runProgram(command, env);
  const said = stderr.join('\n');
  expect(code).not.toBe(0);
  expect(said).toMatch(/npx --no crossfoot migrate/);
  expect(said).not.toContain('its log line says where');
}

it('the command build on a database without a ledger says to migrate it', async () => {
  await expect(saysToMigrate(['build', '--account', '1'])).resolves.toBeUndefined();
});

itInSweeps.each([[['status']], [['account', 'list']]])(
  'the command %j on a database without a ledger says to migrate it, too',
  saysToMigrate,
);
