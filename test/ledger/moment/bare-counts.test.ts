import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from 'pg';
import { countBaseRows } from '../../../src/ledger/moment/recount-base-tables.ts';
import { TABLES } from '../../../src/tables/all.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import {
  type Founded,
  addCost,
  addInitiative,
  addValue,
  foundAccount,
  inAccount,
  insert,
  lockMonth,
} from '../../support/ledger-rows.ts';

let database: TestDatabase;
let reader: Client;
let home: Founded;

// One initiative with two costs and three values, one of them not approved, and one decision of each kind and one
// budget; a sample with one of each; one month; and the same again for another account.
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
      for (const { account: account_id, initiative: initiative_id } of [home, sample]) {
        const decided = { account_id, initiative_id, subject_title: 'It', decided_at: '2026-03-01' };
        await insert(owner, 'ledger.approval_decisions', {
          ...decided,
          subject_kind: 'initiative',
          subject_id: initiative_id,
          decision: 'approved',
          source: 'direct',
        });
        await insert(owner, 'ledger.portfolio_decisions', {
          ...decided,
          outcome: 'continue',
          stage_before: 'live',
          stage_after: 'live',
          rationale: 'It works.',
          cash_value_cents: 1,
          freed_capacity_cents: 0,
          cost_to_date_cents: 1,
          currency: 'USD',
        });
        await insert(owner, 'ledger.budget_versions', {
          account_id,
          initiative_id,
          status: 'pending',
          source: 'approval',
          capex_cents: 1,
          opex_cents: 1,
          opex_cadence: 'monthly',
          currency: 'USD',
          effective_from: '2026-03-01',
        });
      }
      await lockMonth(owner, home.account, '2025-01-01');
    });
  }
});
afterAll(() => database.drop());

/** Worked from the comment above; a table that is computed or unfolded has no rows of its own in the ledger. */
const ROWS: Readonly<Record<string, number | null>> = {
  snapshot: 1,
  initiatives: 1,
  reported_value: 2,
  costs: 2,
  approval_decisions: 1,
  budgets: 1,
  portfolio_decisions: 1,
  accounting_periods: 1,
  value_inputs: null,
  value_supporting_documents: null,
  metric_readings: null,
  budget_vs_actual: null,
  ai_spend: null,
  reported_totals: null,
};

it.each(TABLES)(
  'the rows of $name are counted on the bare ledger, without samples and unapproved rows',
  async ({ name }) => {
    const counted = await inAccount(reader, home.account, () => countBaseRows(reader, name, home.account));
    expect(counted).toBe(ROWS[name]);
  },
);
