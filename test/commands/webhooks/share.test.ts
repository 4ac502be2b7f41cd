/** The share that a person asks for is the share that the list shows. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addWebhooksCommand } from '../../../src/commands/webhooks/webhooks.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { foundAccount } from '../../support/ledger-rows.ts';
import { SEED } from '../../support/signing.ts';
import { runCommand } from '../in-process.ts';

let database: TestDatabase;
let account: bigint;
beforeAll(async () => {
  database = await createDatabase();
  ({ account } = await foundAccount(await database.client('cf_owner')));
});
afterAll(() => database.drop());

const run = (...args: readonly string[]) =>
  runCommand(
    addWebhooksCommand,
    { LEDGER_URL: database.url('cf_reader'), OWNER_URL: database.url('cf_owner'), SIGNING_KEYS: SEED },
    'webhooks',
    ...args,
    '--account',
    String(account),
  );

it('webhooks list shows the share of --moved as it was given', async () => {
  const shares = ['7%', '14%', '0.07%', '28.5%', '5%', '1000%'];
  for (const share of shares) {
    const added = await run('add', 'https://8.8.8.8/hook', '--moved', share);
    expect(added.error).toBeUndefined();
  }
  const { printed } = await run('list');
  const shown = printed.slice(1).map((line) => /moved \(([^)]*)\)/.exec(line)?.[1]);
  expect(shown).toEqual(shares);
});
