/** Two commands at once give two accounts no common place. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDeliverCommand } from '../../../src/commands/deliver/deliver.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { foundAccount } from '../../support/ledger-rows.ts';
import { SEED } from '../../support/signing.ts';
import { runCommand } from '../in-process.ts';

const ROUNDS = 12;

let database: TestDatabase;
let root: string;
let accounts: readonly [bigint, bigint];
beforeAll(async () => {
  database = await createDatabase();
  const owner = await database.client('cf_owner');
  accounts = [(await foundAccount(owner)).account, (await foundAccount(owner)).account];
  root = await mkdtemp(join(tmpdir(), 'crossfoot-at-once-'));
});
afterAll(async () => {
  await rm(root, { recursive: true });
  await database.drop();
});

async function isAdded(place: string, account: bigint): Promise<boolean> {
  const env = {
    DATA_DIR: root,
    LEDGER_URL: database.url('cf_reader'),
    DATABASE_URL: database.url('cf_service'),
    OWNER_URL: database.url('cf_owner'),
    SIGNING_KEYS: SEED,
  };
  const ran = await runCommand(addDeliverCommand, env, 'deliver', 'add', place, '--account', String(account));
  return ran.error === undefined;
}

it('a target is refused if another command adds the folder around it at the same time', async () => {
  const both: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const place = join(root, `to-${round}`);
    const added = await Promise.all([isAdded(place, accounts[0]), isAdded(join(place, 'sub'), accounts[1])]);
    if (added.every(Boolean)) both.push(round);
  }
  expect(both).toEqual([]);
});
