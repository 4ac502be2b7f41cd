/** Which bills are compared and left alone when they are loaded again, and which are written anew. */
import { describe, expect, it } from 'vitest';
import { openUsage, writeUsage } from '../../../src/ledger/focus/usage-rows.ts';
import { sumUsage, type UsageSum } from '../../../src/ledger/focus/usage-sums.ts';
import { tokens } from './bills.ts';
import { INVOICES, openBills } from './loaded-bills.ts';

const bills = openBills();
const { loadBill, query } = bills;

/** Its bill has the reference that the bill of `tokens` gets. */
const SUM: UsageSum = {
  bill: '["Acme AI","acc-1","2026-10","USD"]',
  used_on: '2026-10-01',
  initiative: null,
  is_ai: true,
  service: 'Models',
  model: 'm1',
  unit: 'input_tokens',
  cost_class: 'usage',
  quantity: 1000n * 10n ** 30n,
  billed: 0n,
  effective: null,
  list: null,
  priced: null,
};

async function rows(): Promise<readonly unknown[]> {
  const found =
    await query(`select concat_ws(' ', model, trim_scale(quantity), unit, trim_scale(billed_cost), 'of', trim_scale(list_cost),
      coalesce(cost_cents, 0), 'cents') as line
    from ledger.usage where account_id = $account order by 1`);
  return found.map(({ line }) => line);
}

const own = 'account_id = $account';

describe('a bill that is loaded again', () => {
  // 0.01 in all: 0.6 and 0.4 cents are 1 and 0.
  const bill = [tokens('Input', '6', '0.006'), tokens('Output', '4', '0.004')];
  const lines = ['m1 4 output_tokens 0.004 of 1 0 cents', 'm1 6 input_tokens 0.006 of 1 1 cents'];

  it.each([
    ['another quantity', `update ledger.usage set quantity = 7 where ${own} and unit = 'input_tokens'`],
    ['a list cost', `update ledger.usage set list_cost = 7 where ${own} and unit = 'input_tokens'`],
    ['another model', `update ledger.usage set model = 'm2' where ${own} and unit = 'input_tokens'`],
    ['a row less', `delete from ledger.usage where ${own} and unit = 'output_tokens'`],
    [
      'a row of its own',
      `insert into ledger.usage (account_id, bill_id, used_on, model, billed_cost, cost_cents)
       select account_id, bill_id, used_on, 'm2', 0, 0 from ledger.usage where ${own} limit 1`,
    ],
    [
      'a row twice',
      `insert into ledger.usage (account_id, bill_id, used_on, service, model, unit, quantity, billed_cost, effective_cost,
         list_cost, priced_cost, cost_cents)
       select account_id, bill_id, used_on, service, model, unit, quantity, billed_cost, effective_cost, list_cost, priced_cost,
         cost_cents from ledger.usage where ${own} and unit = 'output_tokens'`,
    ],
    ['no cents', `update ledger.usage set cost_cents = null where ${own}`],
    ['more cents', `update ledger.usage set cost_cents = 1 where ${own}`],
    ['the cent at the smaller remainder', `update ledger.usage set cost_cents = 1 - cost_cents where ${own}`],
    ['two cents for less than one', `update ledger.usage set cost_cents = 3 * cost_cents - 1 where ${own}`],
  ])('is written anew where the ledger has %s', async (_what, change) => {
    await loadBill(...bill);
    expect(await rows()).toEqual(lines);
    await query(change);
    expect(await rows()).not.toEqual(lines);
    await loadBill(...bill);
    expect(await rows()).toEqual(lines);
  });

  it('keeps a cent where it is among equal remainders', async () => {
    const halves = [tokens('Input', '1', '0.005'), tokens('Output', '1', '0.005')];
    await loadBill(...halves);
    expect(await rows()).toEqual([
      'm1 1 input_tokens 0.005 of 1 1 cents',
      'm1 1 output_tokens 0.005 of 1 0 cents',
    ]);
    await query(`update ledger.usage set cost_cents = 1 - cost_cents where ${own}`);
    await loadBill(...halves);
    expect(await rows()).toEqual([
      'm1 1 input_tokens 0.005 of 1 0 cents',
      'm1 1 output_tokens 0.005 of 1 1 cents',
    ]);
  });

  it('is left alone beside a bill of the same file that has changed', async () => {
    const november = {
      BillingPeriodStart: '2026-11-01T00:00:00Z',
      BillingPeriodEnd: '2026-12-01T00:00:00Z',
      ChargePeriodStart: '2026-11-01T00:00:00Z',
      ChargePeriodEnd: '2026-11-02T00:00:00Z',
    };
    const october = [tokens('Input', '1', '0.005'), tokens('Output', '1', '0.005')];
    await loadBill(...october, tokens('Input', '3', '0.01', november));
    // The cent stands at the other of two equal halves, so rows that are written anew can be told.
    await query(
      `update ledger.usage set cost_cents = 1 - cost_cents where ${own} and used_on < '2026-11-01'`,
    );
    const ofOctober = (): Promise<readonly unknown[]> =>
      query(`select id, xmin::text as version, unit, cost_cents from ledger.usage
        where ${own} and used_on < '2026-11-01' order by id`);
    const before = await ofOctober();
    expect(before).toHaveLength(2);
    await loadBill(...october, tokens('Input', '5', '0.01', november));
    expect(await ofOctober()).toEqual(before);
    expect((await rows()).filter((line) => String(line).startsWith('m1 5 '))).toEqual([
      'm1 5 input_tokens 0.01 of 1 1 cents',
    ]);
    expect(await rows()).toHaveLength(3);
  });

  it('has one row for two equal rows that a deleted initiative has left', async () => {
    const free = tokens('Input', '1000', '0');
    await loadBill({ ...free, ...INVOICES }, free);
    await query('delete from ledger.cost_entries where account_id = $account');
    await query(`delete from ledger.initiatives where ${own} and title = 'Invoices'`);
    expect(await rows()).toHaveLength(2);
    await loadBill(free);
    expect(await rows()).toEqual(['m1 1000 input_tokens 0 of 1 0 cents']);
  });

  it('adds up a key that was written twice, though each part is equal to the row of the ledger', async () => {
    await loadBill(
      tokens('Input', '1000', '0', { EffectiveCost: null, ListCost: null, PricingQuantity: null }),
    );
    expect(await rows()).toEqual(['m1 1000 input_tokens 0 of 0 cents']);
    const client = await bills.database().client('cf_owner');
    await client.query('begin');
    const write = await openUsage(client);
    await write([SUM]);
    await write([SUM]);
    await writeUsage(client, {
      account: BigInt(bills.account()),
      source: 'focus',
      bills: new Map([[SUM.bill, 0n]]),
      ledger: { initiatives: new Map() },
    });
    await client.query('commit');
    expect(await rows()).toEqual(['m1 2000 input_tokens 0 of 0 cents']);
  });
});

const full = async (): Promise<never> => await Promise.reject(new Error('the disk is full'));

describe('sums of usage', () => {
  const used = {
    bill: SUM.bill,
    file: 'bill.csv',
    at: Date.parse('2026-10-01'),
    initiative: null,
    is_ai: true,
  };

  it('are written in turn, while more charges are added', async () => {
    const writes: { readonly models: readonly (string | null)[]; readonly end: () => void }[] = [];
    const sums = sumUsage((some) => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      writes.push({ models: Array.from(some, ({ model }) => model), end: () => resolve(undefined) });
      return promise;
    });
    sums.add({ ...used, parts: [SUM] });
    await sums.flush();
    sums.add({ ...used, parts: [{ ...SUM, model: 'm2' }] });
    const second = sums.end();
    await Promise.resolve();
    expect(writes.map(({ models }) => models)).toEqual([['m1']]);
    writes[0]?.end();
    await expect.poll(() => writes.map(({ models }) => models)).toEqual([['m1'], ['m2']]);
    writes[1]?.end();
    await second;
  });

  it('fail at the next writing or at the end, if a writing fails', async () => {
    const [one, other] = [sumUsage(full), sumUsage(full)];
    await one.flush();
    await expect(one.flush()).rejects.toThrow('the disk is full');
    await expect(other.end()).rejects.toThrow('the disk is full');
  });
});
