/** A sum that JSON could not state exactly: the routes and tools that show it answer 503 with the sentence of the build. */
import type { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  addCost,
  addInitiative,
  addValue,
  type Founded,
  inAccount,
  insert,
} from '../../support/ledger-rows.ts';
import { openAsking, type Asking } from '../assistant/questions.ts';

const MAX = 9_007_199_254_740_991n; // 2^53 - 1
const TWICE = '18014398509481982'; // 2 × 9,007,199,254,740,991
const RULE = 'a sum may be at most 9007199254740991 cents (2^53 - 1) above or below zero.';
const ACCOUNT = 3;

let asking: Asking;
let owner: Client;
let home: Founded;
beforeAll(async () => {
  asking = await openAsking({ readToday: async () => '2026-07-15' });
  owner = await asking.company.database.client('cf_owner');
  const account = BigInt(ACCOUNT);
  home = { account, person: 1n, initiative: await addInitiative(owner, account) };
});
afterEach(() =>
  inAccount(owner, home.account, () =>
    owner.query(`delete from ledger.cost_entries where account_id = ${home.account};
      delete from ledger.value_entries where account_id = ${home.account};
      delete from ledger.budget_versions where account_id = ${home.account}`),
  ),
);
afterAll(() => asking.company.close());

const roi = (filters = ''): string => `/roi?initiative_id=${home.initiative}${filters}`;

async function refusal(path: string): Promise<string> {
  const { status, body } = await asking.company.ask(path, ACCOUNT);
  const { error } = body as { error: { status: number; message: string } }; // the shape of every refusal
  expect({ status, told: error.status }).toEqual({ status: 503, told: 503 });
  return error.message;
}

/** A cost twice as large as the limit, in two entries. */
async function spendTwice(): Promise<void> {
  for (const _ of [1, 2]) await addCost(owner, home, { amount_cents: MAX });
}

describe('/roi', () => {
  it('shows a sum of exactly 2^53 - 1 cents', async () => {
    await addCost(owner, home, { amount_cents: MAX });
    const { status, body } = await asking.company.ask(roi(), ACCOUNT);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { total_cost_cents: 9_007_199_254_740_991 },
    });
  });

  it('answers 503 naming scope, window and sum where one is beyond the limit', async () => {
    await spendTwice();
    expect(await refusal(roi())).toBe(
      `initiative ${home.initiative}, All time: cost is ${TWICE} cents; ${RULE}`,
    );
    expect(await refusal(roi('&window=1yr'))).toContain(
      `initiative ${home.initiative}, Last 12 months: cost is`,
    );
    expect(await refusal('/roi')).toMatch(/^portfolio, All time: cost is \d+ cents; /);
  });

  it('answers 503 where only the net value is beyond the limit', async () => {
    // 2^53 - 1 of value, less a credit of as much: each is within the limit.
    await addValue(owner, home, { amount_cents: MAX });
    await addCost(owner, home, { amount_cents: -MAX });
    expect(await refusal(roi())).toBe(
      `initiative ${home.initiative}, All time: net value is ${TWICE} cents; ${RULE}`,
    );
  });

  it.each([
    ['cost', addCost, { currency: 'XAU' }, 'cost left out in XAU: amount'],
    ['cash value', addValue, { currency: 'XAU' }, 'value left out in XAU: amount'],
    [
      'capacity',
      addValue,
      { currency: 'XAU', entry_type: 'capacity' },
      'value left out in XAU: capacity amount',
    ],
  ] as const)('answers 503 where the %s left out is beyond the limit', async (what, add, row, named) => {
    expect(named).toContain(what === 'capacity' ? what : 'amount');
    for (const _ of [1, 2]) await add(owner, home, { amount_cents: MAX, ...row });
    expect(await refusal(roi())).toBe(
      `initiative ${home.initiative}, All time, ${named} is ${TWICE} cents; ${RULE}`,
    );
  });

  it('answers 503 where the provisional cost is beyond the limit', async () => {
    const usd_amount_cents = MAX;
    const provisional = {
      currency: 'XAU',
      usd_rate: 1,
      usd_rate_from: '2026-03-02',
      usd_rate_through: '2026-03-02',
      usd_rate_provisional: true,
    };
    for (const _ of [1, 2])
      await addCost(owner, home, { amount_cents: MAX, usd_amount_cents, ...provisional });
    // A credit in dollars brings the cost itself back to the limit.
    await addCost(owner, home, { amount_cents: -MAX });
    expect(await refusal(roi())).toBe(
      `initiative ${home.initiative}, All time: provisional cost is ${TWICE} cents; ${RULE}`,
    );
  });

  it('answers 503 for a sum that the database cannot hold', async () => {
    // 1,025 × (2^53 - 1) is more than 2^63 = 1,024 × 2^53.
    await inAccount(owner, home.account, () =>
      owner.query(
        `insert into ledger.cost_entries (account_id, initiative_id, amount_cents, currency, source_type)
         select $1, $2, $3, 'USD', 'manual' from generate_series(1, 1025)`,
        [home.account, home.initiative, MAX],
      ),
    );
    expect(await refusal(roi())).toBe(`this account: a sum is beyond 2^63 cents; ${RULE}`);
  });
});

describe('the assistant', () => {
  it('refuses a summary and an initiative with the sentence of the route', async () => {
    await spendTwice();
    await budgetFromJune();
    const asked = { initiative_id: Number(home.initiative) };
    expect(await asking.call('get_roi_summary', asked, ACCOUNT)).toMatchObject({
      isError: true,
      text: await refusal(roi()),
    });
    expect(await asking.call('get_initiative', asked, ACCOUNT)).toMatchObject({
      isError: true,
      text: await refusal(`/budgets?initiative_id=${home.initiative}`),
    });
  });
});

async function budgetFromJune(): Promise<void> {
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
}

it('/budgets answers 503 naming the initiative and the day where a sum is beyond the limit', async () => {
  // Monthly from June: by 15 July two months are budgeted.
  await budgetFromJune();
  expect(await refusal('/budgets')).toBe(
    `initiative ${home.initiative}, budget on 2026-07-15: opex budget to date is ${TWICE} cents; ${RULE}`,
  );
});

it('/decisions answers 503 where the net of two amounts within the limit is beyond it', async () => {
  const decision = await insert(owner, 'ledger.portfolio_decisions', {
    account_id: home.account,
    initiative_id: home.initiative,
    subject_title: 'Invoices',
    outcome: 'continue',
    stage_before: 'live',
    stage_after: 'live',
    rationale: 'It pays.',
    cash_value_cents: MAX,
    freed_capacity_cents: 0n,
    cost_to_date_cents: -MAX,
    currency: 'USD',
    decided_at: '2026-07-01T00:00:00Z',
  });
  expect(await refusal('/decisions')).toBe(`decision ${decision}: net is ${TWICE} cents; ${RULE}`);
});
