/** Budgets that were passed after their end: no row of the day tells of them, so both snapshots compare them. */
import { expect, it } from 'vitest';
import { passedAfterEnd } from '../../../src/run/worker/ended-budgets.ts';
import type { FieldValue, RowsOf } from '../../../src/snapshot/read/rows.ts';
import type { Table } from '../../../src/tables/table.ts';
import { tellOf } from '../../../src/webhooks/told.ts';
import { EARLIER, FakeSnapshots, LATEST } from '../../serve/fake-parts.ts';
import { rowsOf } from '../../serve/given-snapshots.ts';

type Tables = Readonly<Record<string, readonly Readonly<Record<string, FieldValue>>[]>>;

class Given extends FakeSnapshots {
  readonly #of: Readonly<Record<string, Tables>>;

  constructor(of: Readonly<Record<string, Tables>>) {
    super();
    this.#of = of;
  }

  override async openRows<Of extends Table>(_: bigint, id: string, table: Of): Promise<RowsOf<Of>> {
    return rowsOf(table, this.#of[id]?.[table.name] ?? []) as RowsOf<Of>; // the tests give values of the columns
  }
}

/** A budget of 100.00 dollars once through March, and what was spent of it, by initiative; the day is 2026-11-20. */
const tables = (spent: Readonly<Record<number, bigint>>, ends_on: string | null = '2026-03-15'): Tables => ({
  snapshot: [{ fiscal_year_start_month: 1 }],
  budgets: Object.keys(spent).map((id) => ({
    budget_id: BigInt(id),
    initiative_id: BigInt(id),
    status: 'approved',
    source: 'approval',
    capex_cents: 10_000n,
    opex_cents: 0n,
    opex_cadence: 'monthly',
    currency: 'EUR',
    effective_from: '2026-01-01',
    ends_on,
    decided_at: 1n,
  })),
  api_budget_spend: Object.entries(spent).map(([id, capex_cents]) => ({
    initiative_id: BigInt(id),
    month: '2026-05-01',
    capex_cents,
    opex_cents: 0n,
  })),
});

const passed = (before: Tables, after: Tables) =>
  passedAfterEnd(new Given({ [EARLIER]: before, [LATEST]: after }), 7n, [EARLIER, LATEST]);

it('a budget that was within after its end and is over now is named, with its last day', async () => {
  const after = tables({ 1: 10_001n, 2: 10_000n, 3: 12_000n });
  const budgets = await passed(tables({ 1: 10_000n, 2: 0n, 3: 11_000n }), after);
  expect(budgets).toEqual([
    {
      initiative_id: 1,
      part: 'CapEx',
      currency: 'EUR',
      budget_cents: 10_000,
      actual_cents: 10_001,
      ended_on: '2026-03-31',
    },
  ]);
  const data = {
    account_id: 7,
    snapshot_id: LATEST,
    compared_with: EARLIER,
    url: 'https://a.example/v1/reporting/x',
    budgets,
  };
  expect(
    tellOf(JSON.stringify({ type: 'budget.passed', timestamp: '2026-11-20T02:00:00.000000Z', data }))
      .sentence,
  ).toBe(
    'Initiative 1 of account 7 passed its CapEx budget, which ended on 2026-03-31, since 2026-11-19 02:00 UTC: EUR 100.01 spent of EUR 100.00.',
  );
});

it('a budget in effect is left to the comparison of the tables, and so is one unknown to the earlier snapshot', async () => {
  expect(await passed(tables({ 1: 0n }, null), tables({ 1: 20_000n }, null))).toEqual([]);
  expect(await passed(tables({}), tables({ 1: 20_000n }))).toEqual([]);
  const none = new Given({ [EARLIER]: tables({ 1: 0n }), [LATEST]: tables({ 1: 20_000n }) });
  expect(await passedAfterEnd(none, 7n, ['20200101T000000Z', LATEST])).toEqual([]);
});
