/** The ratio of a decision: of the amounts that were frozen with it, by the rule of /roi. */
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Founded, foundAccount, insert } from '../../support/ledger-rows.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { type Ask, figuresApp, walk } from './figures-app.ts';

let database: TestDatabase;
let owner: Client;
let home: Founded;
let ask: Ask;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  home = await foundAccount(owner);
  ask = figuresApp(database, home.account, '2026-07-15');
});
afterAll(() => database.drop());

it.each([
  // Value less cost, over cost.
  [0n, 50_000n, -1],
  [20_000n, 50_000n, -0.6],
  [75_000n, 50_000n, 0.5],
  [-50_000n, 50_000n, -2],
  [20_000n, 0n, null],
  [20_000n, -50_000n, null],
])('a decision with value %d and cost %d has the ratio %s at /decisions', async (value, cost, roi) => {
  const id = await insert(owner, 'ledger.portfolio_decisions', {
    account_id: home.account,
    initiative_id: home.initiative,
    subject_title: 'Invoices',
    outcome: 'continue',
    stage_before: 'live',
    stage_after: 'live',
    rationale: 'As shown.',
    cash_value_cents: value,
    freed_capacity_cents: 0n,
    cost_to_date_cents: cost,
    currency: 'USD',
    decided_at: '2026-07-01T00:00:00Z',
  });
  const rows = await walk(ask, '/decisions', 500);
  expect(rows.find((row) => row['id'] === Number(id))).toMatchObject({
    roi,
    net_cents: Number(value - cost),
  });
});
