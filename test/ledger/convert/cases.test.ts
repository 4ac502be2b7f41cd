/** The rules of conversion, case by case, each with its working beside it; and after every step: twice is once. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  addCost,
  addValue,
  inAccount,
  insert,
  lockMonth,
  reopenMonth,
  type Row,
} from '../../support/ledger-rows.ts';
import {
  type ConvertingLedger,
  foundBilled,
  onlyOutcome,
  openConversion,
  standing,
  versions,
  writtenBy,
} from './conversion-harness.ts';
import type { ConversionCase } from './conversion-case.ts';
import { CURRENCY_CASES } from './cases-currencies.ts';
import { LOCK_CASES } from './cases-locks.ts';
import { PERIOD_CASES } from './cases-periods.ts';

let ledger: ConvertingLedger;
let home: Awaited<ReturnType<typeof foundBilled>>;
beforeAll(async () => {
  ledger = await openConversion();
});
afterAll(() => ledger.database.drop());
beforeEach(async () => {
  await ledger.owner.query('truncate ledger.euro_reference_rates');
  home = await foundBilled(ledger.owner);
});

/** Adds the entry of a case. */
function add({ table = 'cost_entries', row }: ConversionCase): Promise<bigint> {
  const { owner } = ledger;
  const entry: Row = { amount_cents: 10_000, currency: 'EUR', ...row };
  const bill: Row = { account_id: home.account, ai_amount_cents: 0, month: '2026-03-01', ...entry };
  switch (table) {
    case 'cost_entries':
      return addCost(owner, home, entry);
    case 'value_entries':
      return addValue(owner, home, entry);
    case 'provider_bills':
      return insert(owner, 'ledger.provider_bills', { ...bill, connection_id: home.connection });
    case 'vendor_bills':
      return insert(owner, 'ledger.vendor_bills', { ...bill, vendor_id: home.vendor, feed: 'books' });
    case 'card_charges': {
      const { account, connection: connection_id } = home;
      return insert(owner, 'ledger.card_charges', {
        account_id: account,
        connection_id,
        charged_on: '2026-03-05',
        ...entry,
      });
    }
  }
}

async function change(table: string, id: bigint, columns: Row): Promise<void> {
  for (const [column, value] of Object.entries(columns)) {
    await ledger.owner.query(`update ledger.${table} set ${column} = $2 where id = $1`, [id, value]);
  }
}

describe.each([
  ['periods', PERIOD_CASES],
  ['locks', LOCK_CASES],
  ['currencies and amounts', CURRENCY_CASES],
])('conversion of %s', (_, cases) => {
  it.each(cases.map((each) => [each.name, each] as const))('%s', async (__, each) => {
    const { owner } = ledger;
    const table = each.table ?? 'cost_entries';
    const id = await inAccount(owner, home.account, () => add(each));
    for (const step of each.steps) {
      await ledger.publish(...(step.publish ?? []));
      if (step.withdraw !== undefined) await ledger.withdraw(step.withdraw);
      if (step.lock !== undefined) await lockMonth(owner, home.account, step.lock);
      if (step.reopen !== undefined) await reopenMonth(owner, home.account, step.reopen);
      if (step.change !== undefined) await change(table, id, step.change);
      const before = await versions(owner, home.account, table);
      const stood = await standing(owner, table, id);
      const converted = await ledger.run(home.account, step.today);
      expect(await standing(owner, table, id)).toBe(step.is);
      expect(onlyOutcome(converted)).toBe(step.outcome ?? 'converted');
      const after = await versions(owner, home.account, table);
      // It was written exactly if it stands otherwise.
      const moved = stood !== step.is;
      expect([writtenBy(converted), after !== before]).toEqual([moved ? 1 : 0, moved]);
      const again = await ledger.run(home.account, step.today);
      expect([writtenBy(again), onlyOutcome(again)]).toEqual([0, step.outcome ?? 'converted']);
      expect(await versions(owner, home.account, table)).toEqual(after);
    }
  });
});
