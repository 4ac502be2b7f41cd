/** Rows that leave a list with the sample mark of their initiative and come back with it. */
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addCost,
  addInitiative,
  addValue,
  type Founded,
  inAccount,
  insert,
} from '../../support/ledger-rows.ts';
import { type LiveCompany, openLive } from './live-company.ts';
import { walkedIds } from './listed-rows.ts';

/** A month of the fixture company that is not locked. */
const OPEN = { period_start: '2026-07-01', period_end: '2026-07-31' };

let company: LiveCompany;
let owner: Client;
let home: Founded;
let ids: Record<string, bigint>;
beforeAll(async () => {
  company = await openLive();
  owner = await company.database.client('cf_owner');
  home = { account: 1n, person: 1n, initiative: await addInitiative(owner, 1n) };
  const own = { account_id: home.account, initiative_id: home.initiative };
  ids = {
    cost_entries: await addCost(owner, home, OPEN),
    value_entries: await addValue(owner, home, OPEN),
    observations: await insert(owner, 'ledger.observations', {
      ...own,
      metric_id: 51n, // of fixtures/company
      value: 1,
      role: 'reading',
      source_type: 'manual',
    }),
    decisions: await insert(owner, 'ledger.portfolio_decisions', {
      ...own,
      subject_title: 'Invoices',
      outcome: 'continue',
      stage_before: 'live',
      stage_after: 'live',
      rationale: 'It pays.',
      cash_value_cents: 1n,
      freed_capacity_cents: 0n,
      cost_to_date_cents: 1n,
      currency: 'USD',
      decided_at: '2026-07-01T00:00:00Z',
    }),
  };
});
afterAll(() => company.close());

async function mark(is_sample: boolean): Promise<void> {
  await inAccount(owner, home.account, () =>
    owner.query('update ledger.initiatives set is_sample = $2 where id = $1', [home.initiative, is_sample]),
  );
}

it.each(['cost_entries', 'value_entries', 'observations', 'decisions'])(
  'a client that lists %s while the initiative is a sample sees its rows once it is not',
  async (name) => {
    const id = Number(ids[name]);
    await mark(true);
    expect(await walkedIds(company, `/${name}`)).not.toContain(id);
    const { rows } = await owner.query<{ began: string }>(
      `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as began`,
    );
    await mark(false);
    expect(await walkedIds(company, `/${name}?updated_since=${rows[0]?.began}`)).toContain(id);
  },
);
