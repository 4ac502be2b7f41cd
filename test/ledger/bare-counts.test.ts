import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from 'pg';
import { countBareRows } from '../../src/ledger/bare-counts.ts';
import { TABLES } from '../../src/tables/all.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import {
  type Founded,
  addCost,
  addInitiative,
  addValue,
  foundAccount,
  inAccount,
} from '../support/ledger-rows.ts';

let database: TestDatabase;
let reader: Client;
let home: Founded;

// One initiative with two costs and three values, one of them not approved; a sample with one of each; and the
// same again for another account.
beforeAll(async () => {
  database = await createDatabase();
  const owner = await database.client('cf_owner');
  reader = await database.client('cf_reader');
  for (const account of [await foundAccount(owner), await foundAccount(owner)]) {
    home = account;
    await inAccount(owner, home.account, async () => {
      const sample = { ...home, initiative: await addInitiative(owner, home.account, { is_sample: true }) };
      for (const owned of [home, home, sample]) await addCost(owner, owned);
      for (const owned of [home, home, sample]) await addValue(owner, owned);
      await addValue(owner, home, { status: 'reviewed' });
    });
  }
});
afterAll(() => database.drop());

/** Worked from the comment above; a computed table has no rows of its own in the ledger. */
const ROWS: Readonly<Record<string, number | null>> = {
  snapshot: 1,
  initiatives: 1,
  reported_value: 2,
  costs: 2,
  reported_totals: null,
};

it.each(TABLES)(
  'counts $name on the bare ledger, without samples and what is not approved',
  async ({ name }) => {
    const counted = await inAccount(reader, home.account, () => countBareRows(reader, name, home.account));
    expect(counted).toBe(ROWS[name]);
  },
);
