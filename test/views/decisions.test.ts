/** Approval and portfolio decisions as the tables give them: as written, without samples, after a deletion too. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countBaseRows } from '../../src/ledger/moment/recount-base-tables.ts';
import { type Row, addInitiative, inAccount } from '../support/ledger-rows.ts';
import { type ViewLedger, openLedger } from './ledger-harness.ts';
import { tableRow, tableRows } from './table-rows.ts';

let ledger: ViewLedger;
beforeAll(async () => {
  ledger = await openLedger();
});
afterAll(() => ledger.database.drop());

/** 2026-03-01T00:00:00.000001Z: 20,513 days after 1970, and one microsecond. */
const DECIDED_AT = '2026-03-01T00:00:00.000001Z';
const DECIDED = 20_513n * 86_400_000_000n + 1n;

const approve = (row: Row = {}): Promise<bigint> =>
  ledger.add('ledger.approval_decisions', {
    subject_kind: 'value_entry',
    subject_id: 77,
    initiative_id: ledger.home.initiative,
    subject_title: 'Invoices',
    decision: 'approved',
    source: 'direct',
    decided_at: DECIDED_AT,
    ...row,
  });
const approval = (id: bigint) => tableRow(ledger, 'approval_decisions', 'approval_decision_id', id);

/** Cash 50.00, freed capacity 70.00, cost 40.00 dollars, and no plan. */
const decide = (row: Row = {}): Promise<bigint> =>
  ledger.add('ledger.portfolio_decisions', {
    initiative_id: ledger.home.initiative,
    subject_title: 'Invoices',
    outcome: 'continue',
    stage_before: 'live',
    stage_after: 'live',
    rationale: 'It pays',
    cash_value_cents: 5_000,
    freed_capacity_cents: 7_000,
    cost_to_date_cents: 4_000,
    currency: 'USD',
    decided_at: DECIDED_AT,
    ...row,
  });
const decision = (id: bigint) => tableRow(ledger, 'portfolio_decisions', 'portfolio_decision_id', id);

const addOther = (row: Row = {}): Promise<bigint> =>
  ledger.write(() => addInitiative(ledger.owner, ledger.home.account, row));
const change = (sql: string, id: bigint) => ledger.write(() => ledger.owner.query(sql, [id]));

describe('approval_decisions', () => {
  it('has each decision as written, with the name of the decider', async () => {
    const written = {
      subject_kind: 'budget',
      item_label: 'Revision',
      decision: 'step_approved',
      resulting_state: 'approved',
      step: 1,
      total_steps: 2,
      source: 'bulk',
      currency: 'EUR',
      reason: 'Agreed, "with seats"',
      decided_by_id: ledger.home.person,
    };
    const id = await approve({ ...written, amount_cents: 150_000 });
    expect(await approval(id)).toEqual({
      ...written,
      approval_decision_id: id,
      subject_id: 77n,
      initiative_id: ledger.home.initiative,
      subject_title: 'Invoices',
      amount_cents: 150_000n,
      decided_by_name: 'Ada',
      decided_at: DECIDED,
    });
  });

  it('leaves empty what a decision does not have', async () => {
    expect(await approval(await approve({ source: 'auto' }))).toMatchObject({
      item_label: null,
      resulting_state: null,
      step: null,
      total_steps: null,
      amount_cents: null,
      currency: null,
      reason: null,
      decided_by_id: null,
      decided_by_name: null,
    });
  });
});

describe('portfolio_decisions', () => {
  it('has each decision as written, with its page and the ratio of its amounts', async () => {
    const written = {
      outcome: 'pause',
      stage_before: 'live',
      stage_after: 'paused',
      rationale: 'No owner,\nsince January',
      next_review_on: '2026-07-12',
      currency: 'USD',
      decided_by_id: ledger.home.person,
    };
    const id = await decide({ ...written, planned_value_cents: 9_000, planned_value_to_date_cents: 3_000 });
    expect(await decision(id)).toEqual({
      ...written,
      portfolio_decision_id: id,
      initiative_id: ledger.home.initiative,
      subject_title: 'Invoices',
      cash_value_cents: 5_000n,
      freed_capacity_cents: 7_000n,
      cost_to_date_cents: 4_000n,
      planned_value_cents: 9_000n,
      planned_value_to_date_cents: 3_000n,
      // (5,000 - 4,000) / 4,000: freed capacity is not cash.
      roi: 0.25,
      decided_by_name: 'Ada',
      decided_at: DECIDED,
      app_url: `https://app.example/initiatives/${ledger.home.initiative}/decisions/${id}`,
    });
  });

  it.each([
    ['without cash', 0, 4_000, null],
    ['below zero cash', -1, 4_000, null],
    ['without cost', 5_000, 0, null],
    ['below zero cost', 5_000, -4_000, null],
    // (1 - 3) / 3 as doubles.
    ['with a cent and a loss', 1, 3, -2 / 3],
  ])('%s has roi as the contract has it', async (_, cash_value_cents, cost_to_date_cents, roi) => {
    expect(await decision(await decide({ cash_value_cents, cost_to_date_cents }))).toMatchObject({ roi });
  });

  it('leaves empty what a decision does not have', async () => {
    expect(await decision(await decide())).toMatchObject({
      next_review_on: null,
      planned_value_cents: null,
      planned_value_to_date_cents: null,
      decided_by_id: null,
      decided_by_name: null,
    });
  });
});

describe.each([
  ['approval_decisions', approve, approval],
  ['portfolio_decisions', decide, decision],
])('the table %s', (table, write, find) => {
  it('keeps the decisions of a deleted initiative, with no initiative and no page', async () => {
    const initiative_id = await addOther();
    const id = await write({ initiative_id });
    await change('delete from ledger.initiatives where id = $1', initiative_id);
    const found = await find(id);
    expect(found).toMatchObject({ initiative_id: null, subject_title: 'Invoices' });
    expect(found?.['app_url'] ?? null).toBeNull();
  });

  it('leaves out the decisions about a sample, also once that is deleted or no sample any more', async () => {
    const [kept, deleted, turned] = [
      await addOther({ is_sample: true }),
      await addOther({ is_sample: true }),
      await addOther({ is_sample: true }),
    ];
    const ids = [
      await write({ initiative_id: kept }),
      await write({ initiative_id: deleted }),
      await write({ initiative_id: turned }),
    ];
    await change('delete from ledger.initiatives where id = $1', deleted);
    await change('update ledger.initiatives set is_sample = false where id = $1', turned);
    for (const id of ids) expect(await find(id)).toBeUndefined();
  });

  it('leaves out decisions of an initiative that has become a sample', async () => {
    const initiative_id = await addOther();
    const id = await write({ initiative_id });
    expect(await find(id)).toBeDefined();
    await change('update ledger.initiatives set is_sample = true where id = $1', initiative_id);
    expect(await find(id)).toBeUndefined();
  });

  it('is counted on the bare ledger as often as it has rows', async () => {
    const reader = await ledger.database.client('cf_reader');
    const counted = await inAccount(reader, ledger.home.account, () =>
      countBaseRows(reader, table, ledger.home.account),
    );
    expect(counted).toBe((await tableRows(ledger, table)).length);
    expect(counted).toBeGreaterThan(2);
  });
});
