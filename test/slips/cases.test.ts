/**
 * What people met who load such files, each through a whole load: the exit code, and the figure or the refusal. W went in
 * wrong before, B was refused in the wrong words, and the others were right.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadFiles } from '../ledger/load/folder.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { foundAccount } from '../support/ledger-rows.ts';
import { itInSweeps } from '../support/sweeps.ts';
import { type Case, type Ledger, outcomeOf } from './case.ts';
import { CASES_OF_AMOUNTS } from './cases-of-amounts.ts';
import { CASES_OF_BILLS } from './cases-of-bills.ts';
import { CASES_OF_COSTS } from './cases-of-costs.ts';

let database: TestDatabase;
let ledger: Ledger;
beforeAll(async () => {
  database = await createDatabase();
  const { account } = await foundAccount(await database.client('cf_owner'));
  ledger = { url: database.url('cf_owner'), account };
  await loadFiles(
    ledger.url,
    { 'initiatives.csv': 'source_ref,title,stage\nJ,Mail,live\n' },
    { mode: 'upsert', account },
  );
});
afterAll(() => database.drop());

const CASES = [...CASES_OF_AMOUNTS, ...CASES_OF_COSTS, ...CASES_OF_BILLS];

async function judge(given: Case): Promise<void> {
  const { exit, said } = await outcomeOf(ledger, given);
  expect({ exit, said }).toMatchObject({ exit: given.exit });
  for (const part of given.says) expect(said).toContain(part);
}

it.each(CASES.filter(({ isOfAnotherForm }) => isOfAnotherForm !== true))(
  'the case $id ends with $exit',
  judge,
);

itInSweeps.each(CASES.filter(({ isOfAnotherForm }) => isOfAnotherForm === true))(
  'the case $id ends with $exit in this form, too',
  judge,
);
