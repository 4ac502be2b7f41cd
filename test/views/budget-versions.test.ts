/** Budget versions as the table gives them: every status, with the people and the approval behind them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Row, addInitiative } from '../support/ledger-rows.ts';
import { type ViewLedger, openLedger } from './ledger-harness.ts';
import { tableRow } from './table-rows.ts';

let ledger: ViewLedger;
beforeAll(async () => {
  ledger = await openLedger();
});
afterAll(() => ledger.database.drop());

/** 2026-03-01T00:00:00Z, 20,513 days after 1970. */
const MARCH = 20_513n * 86_400_000_000n;

const addVersion = (row: Row = {}): Promise<bigint> =>
  ledger.add('ledger.budget_versions', {
    initiative_id: ledger.home.initiative,
    status: 'approved',
    source: 'manual',
    capex_cents: 3_000_000,
    opex_cents: 40_001,
    opex_cadence: 'annually',
    currency: 'EUR',
    effective_from: '2026-02-15',
    decided_at: '2026-03-01T00:00:00Z',
    created_at: '2026-03-01T00:00:00.000001Z',
    ...row,
  });
const version = (id: bigint) => tableRow(ledger, 'budgets', 'budget_id', id);

it('a version stands as it was recorded, with the names of its people and a link to its page', async () => {
  const { initiative, person } = ledger.home;
  const approval_decision_id = await ledger.add('ledger.approval_decisions', {
    subject_kind: 'budget',
    subject_id: 1,
    initiative_id: initiative,
    subject_title: 'Invoices',
    decision: 'approved',
    source: 'direct',
    decided_at: '2026-03-01T00:00:00Z',
  });
  const recorded = {
    source: 'revision',
    effective_from: '2026-02-15',
    ends_on: '2026-12-15',
    reason: 'Second site',
    set_by_id: person,
    decided_by_id: person,
    decision_reason: 'Agreed, "with seats"',
    approval_decision_id,
  };
  const id = await addVersion(recorded);
  expect(await version(id)).toEqual({
    ...recorded,
    budget_id: id,
    initiative_id: initiative,
    status: 'approved',
    capex_cents: 3_000_000n,
    opex_cents: 40_001n,
    opex_cadence: 'annually',
    currency: 'EUR',
    set_by_name: 'Ada',
    decided_at: MARCH,
    decided_by_name: 'Ada',
    created_at: MARCH + 1n,
    app_url: `https://app.example/initiatives/${initiative}/budget/${id}`,
  });
});

it.each([
  ['pending', null],
  ['approved', MARCH],
  ['rejected', MARCH],
  ['withdrawn', null],
])('a %s version is there, with nothing it does not have', async (status, decided_at) => {
  const id = await addVersion({ status, ...(decided_at === null && { decided_at }) });
  expect(await version(id)).toMatchObject({
    status,
    decided_at,
    ends_on: null,
    reason: null,
    set_by_id: null,
    set_by_name: null,
    decided_by_id: null,
    decided_by_name: null,
    decision_reason: null,
    approval_decision_id: null,
  });
});

it('a sample’s version is not there, and a deleted initiative takes its own along', async () => {
  const { owner, home, write } = ledger;
  const [sample, gone] = await write(async () => [
    await addInitiative(owner, home.account, { is_sample: true }),
    await addInitiative(owner, home.account),
  ]);
  const ids = [await addVersion({ initiative_id: sample }), await addVersion({ initiative_id: gone })];
  await write(() => owner.query('delete from ledger.initiatives where id = $1', [gone]));
  for (const id of ids) expect(await version(id)).toBeUndefined();
});
