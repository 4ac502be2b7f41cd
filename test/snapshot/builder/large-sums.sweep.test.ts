/** Sums that JSON could not state exactly are in no snapshot: the build is refused and names the window. */
import type { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { askDuckDb } from '../../parquet/read-back.ts';
import {
  addCost,
  addInitiative,
  foundAccount,
  type Founded,
  inAccount,
  insert,
} from '../../support/ledger-rows.ts';
import { outcomeOf } from '../../support/waiting.ts';
import { company } from '../audit/audited-company.ts';
import { AuditBench, readChecks, refusals } from '../audit/audited-files.ts';
import { type Asked, AT, type BuildHarness, fileOf, openBuildHarness } from './real-build.ts';

const MAX = 9_007_199_254_740_991n; // 2^53 - 1
const TWICE = '18014398509481982'; // 2 × 9,007,199,254,740,991
const RULE = 'a sum may be at most 9007199254740991 cents (2^53 - 1) above or below zero';

let harness: BuildHarness;
let owner: Client;
let home: Founded;
let at = AT;
beforeAll(async () => {
  harness = await openBuildHarness();
  owner = await harness.database.client('cf_owner');
  home = await foundAccount(owner, { reporting_enabled_at: '2026-01-01Z' });
});
afterEach(() => clear());
afterAll(() => harness.close());

async function clear(): Promise<void> {
  const { account } = home;
  await inAccount(owner, account, async () => {
    await owner.query(`delete from ledger.cost_entries where account_id = ${account};
      delete from ledger.budget_versions where account_id = ${account};
      delete from ledger.vendor_bills where account_id = ${account}`);
  });
}

function build(asked: Asked = {}) {
  at += 1_000_000n;
  return outcomeOf(harness.build({ account_id: home.account, at, ...asked }));
}

const refused = (where: string) => ({
  code: 'sum_too_large',
  exitCode: 3,
  message: `${where}; ${RULE}.`,
});

describe('a build', () => {
  it('publishes a sum of exactly 2^53 - 1 cents, and refuses one cent more by scope and window', async () => {
    await addCost(owner, home, { amount_cents: MAX - 1n });
    await addCost(owner, home, { amount_cents: 1n });
    expect(await build()).toMatchObject({ outcome: 'published' });
    const [all] = await askDuckDb(
      fileOf(await harness.served(home.account), 'reported_totals'),
      "select cost_cents::varchar as cost from file where scope = 'portfolio' and window_key = 'all'",
    );
    expect(all).toEqual({ cost: '9007199254740991' });
    await addCost(owner, home, { amount_cents: 1n });
    expect(await build()).toMatchObject(
      refused(`initiative ${home.initiative}, All time: cost is 9007199254740992 cents`),
    );
    expect((await harness.served(home.account))?.snapshot_id).toBe('20260715T020001Z');
  });

  it('refuses credits whose sum is beyond the limit below zero', async () => {
    for (const _ of [1, 2]) await addCost(owner, home, { amount_cents: -MAX });
    expect(await build()).toMatchObject(
      refused(`initiative ${home.initiative}, All time: cost is -${TWICE} cents`),
    );
  });

  it('refuses a sum of the portfolio to which every initiative adds less', async () => {
    const initiative = await addInitiative(owner, home.account);
    await addCost(owner, home, { amount_cents: MAX });
    await addCost(owner, { ...home, initiative }, { amount_cents: MAX });
    expect(await build()).toMatchObject(refused(`portfolio, All time: cost is ${TWICE} cents`));
  });

  it('refuses a window whose sum is beyond the limit while all time is within it', async () => {
    // FY2026 holds twice the limit; a credit of FY2025 brings all time back to the limit. Its quarters come after it.
    for (const _ of [1, 2]) await addCost(owner, home, { amount_cents: MAX });
    await addCost(owner, home, { amount_cents: -MAX, period_start: '2025-03-01', period_end: null });
    expect(await build()).toMatchObject(
      refused(`initiative ${home.initiative}, FY2026: cost is ${TWICE} cents`),
    );
  });

  it('refuses a sum beyond the limit of costs that are in no total', async () => {
    for (const _ of [1, 2]) await addCost(owner, home, { amount_cents: MAX, currency: 'XAU' });
    expect(await build()).toMatchObject(
      refused(`portfolio, All time, cost left out in XAU: amount is ${TWICE} cents`),
    );
  });

  it('refuses a budget to date beyond the limit by initiative and day', async () => {
    // Monthly from June: on the first day compared the fiscal year has 7 months, June to December: 7 × 9,007,199,254,740,991.
    await insert(owner, 'ledger.budget_versions', {
      account_id: home.account,
      initiative_id: home.initiative,
      status: 'approved',
      source: 'approval',
      capex_cents: 0n,
      opex_cents: MAX,
      opex_cadence: 'monthly',
      currency: 'USD',
      effective_from: '2026-06-01',
      decided_at: '2026-06-01T00:00:00Z',
    });
    expect(await build()).toMatchObject(
      refused(
        `initiative ${home.initiative}, budget on 2026-06-30: opex budget fiscal year is 63050394783186937 cents`,
      ),
    );
  });

  it('refuses AI spend of a month beyond the limit', async () => {
    const vendor_id = await insert(owner, 'ledger.vendors', {
      account_id: home.account,
      name: 'Models',
      is_ai: true,
    });
    for (const _ of [1, 2]) {
      await insert(owner, 'ledger.vendor_bills', {
        account_id: home.account,
        vendor_id,
        feed: 'books',
        month: '2026-05-01',
        amount_cents: MAX,
        currency: 'USD',
        ai_amount_cents: 0n,
      });
    }
    expect(await build({ checks: await readChecks() })).toMatchObject({
      code: 'audit_refused',
      exitCode: 3,
      message: `ai_spend 2026-05-01 ai_vendor Models: billed_cents is ${TWICE} cents, expected at most 9007199254740991 cents: a sum is exact as a JSON number up to 2^53 - 1 above or below zero; nothing was published.`,
    });
  });

  it('refuses a sum that the database cannot hold', async () => {
    // 1,025 × (2^53 - 1) is more than 2^63 = 1,024 × 2^53.
    await inAccount(owner, home.account, () =>
      owner.query(
        `insert into ledger.cost_entries (account_id, initiative_id, amount_cents, currency, source_type)
         select $1, $2, $3, 'USD', 'manual' from generate_series(1, 1025)`,
        [home.account, home.initiative, MAX],
      ),
    );
    expect(await build()).toMatchObject(refused('this account: a sum is beyond 2^63 cents'));
  });
});

it.each([
  ['reported_totals', 'cost_cents'],
  ['budget_vs_actual', 'opex_actual_cents'],
  ['ai_spend', 'billed_cents'],
])('the audit refuses %s whose %s is beyond the limit', async (table, column) => {
  await using bench = await AuditBench.open();
  for (const beyond of [MAX + 1n, -MAX - 1n]) {
    const rows = company();
    const [first] = rows[table] ?? [];
    if (first !== undefined) first[column] = beyond;
    expect(refusals(await bench.audit(rows, { only: ['50-check-limits'] }))).toContain('50-check-limits');
    if (first !== undefined) first[column] = beyond > 0n ? MAX : -MAX;
    expect(refusals(await bench.audit(rows, { only: ['50-check-limits'] }))).not.toContain('50-check-limits');
  }
});
