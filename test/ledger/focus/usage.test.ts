import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadFocus } from '../../../src/ledger/focus/load-focus.ts';
import { sumAiUsage } from '../../../src/ledger/lists/usage-sums.ts';
import { exact } from '../../../src/figures/usage.ts';
import { faultsOf } from '../load/folder.ts';
import { charges, tokens, writeParquet } from './bills.ts';
import { HEADER, INVOICES, openBills, REF } from './loaded-bills.ts';
import { itInSweeps } from '../../support/sweeps.ts';

const bills = openBills();
const { loadBill, loadUsage, query } = bills;

/** The use of the account, a line each: day, initiative, model, quantity and unit, and the cost. */
async function usage(): Promise<readonly unknown[]> {
  const rows = await query(`select concat_ws(' ', to_char(u.used_on, 'MM-DD'), coalesce(i.title, 'nobody'),
      coalesce(u.model, '?'), coalesce(trim_scale(u.quantity)::text, '?'), coalesce(u.unit, '?'),
      coalesce(trim_scale(u.billed_cost)::text, 'no cost')) as line
    from ledger.usage u left join ledger.initiatives i on i.account_id = u.account_id and i.id = u.initiative_id
    where u.account_id = $account order by 1`);
  return rows.map(({ line }) => line);
}

describe('the usage of a bill', () => {
  it('adds up by day, initiative, model and unit, with exact costs', async () => {
    const notes = await loadBill(
      tokens('Input', '1000', '0.003', INVOICES),
      tokens('Input', '500', '0.0015', INVOICES),
      tokens('Output', '200', '0.003', INVOICES),
      tokens('Input', '7', '0.000021', {
        ChargePeriodStart: '2026-10-02T23:59:59Z',
        ChargePeriodEnd: '2026-10-03T00:00:00Z',
      }),
      { BilledCost: '-0.001', ChargeCategory: 'Credit' },
    );
    expect(await usage()).toEqual([
      '10-01 Invoices m1 1500 input_tokens 0.0045',
      '10-01 Invoices m1 200 output_tokens 0.003',
      '10-01 nobody ? ? ? -0.001',
      '10-02 nobody m1 7 input_tokens 0.000021',
    ]);
    expect(notes).toEqual([]);
  });

  it('is not written again by the same file, and is replaced by a newer one: A, then B, then A', async () => {
    const a = [tokens('Input', '1000', '3', INVOICES), tokens('Output', '10', '1')];
    await loadBill(...a);
    const written = 'select id, xmin::text from ledger.usage where account_id = $account order by id';
    const [first, lines] = [await query(written), await usage()];
    await loadBill(...a);
    expect(await query(written)).toEqual(first);
    await loadBill(tokens('Input', '900', '2.5', INVOICES));
    expect(await usage()).toEqual(['10-01 Invoices m1 900 input_tokens 2.5']);
    await loadBill(...a);
    expect(await usage()).toEqual(lines);
  });

  it('is removed with a bill that the newer export has in another currency', async () => {
    await loadBill(tokens('Input', '1000', '70.00'));
    await loadBill(tokens('Input', '900', '60.00', { BillingCurrency: 'EUR' }));
    expect(await usage()).toEqual([expect.stringMatching(/ m1 900 input_tokens 60$/)]);
    const amounts = `select currency::text, amount_cents::int as cents from ledger.provider_bills
      where account_id = $account order by 1`;
    expect(await query(amounts)).toEqual([
      { currency: 'EUR', cents: 6000 },
      { currency: 'USD', cents: 0 },
    ]);
  });

  it('is replaced in a locked month, whose costs stay', async () => {
    await loadBill(tokens('Input', '1000', '3', INVOICES));
    await query(`insert into ledger.accounting_months (account_id, id, month, status, locked_at)
      values ($account, 1, '2026-10-01', 'locked', now())`);
    await loadBill(tokens('Input', '1200', '3.6', INVOICES));
    expect(await usage()).toEqual(['10-01 Invoices m1 1200 input_tokens 3.6']);
    const entries = `select to_char(booked_month, 'YYYY-MM') as month, amount_cents::int as cents
      from ledger.cost_entries where account_id = $account order by 1`;
    expect(await query(entries)).toEqual([
      { month: '2026-10', cents: 300 },
      { month: '2026-11', cents: 60 },
    ]);
  });

  it('belongs to no initiative after the initiative is deleted, and is added up once by the next load', async () => {
    const bill = [tokens('Input', '1000', '3', INVOICES), tokens('Input', '1000', '3')];
    await loadBill(...bill);
    await query('delete from ledger.cost_entries where account_id = $account');
    await query(`delete from ledger.initiatives where account_id = $account and title = 'Invoices'`);
    const both = '10-01 nobody m1 1000 input_tokens 3';
    expect(await usage()).toEqual([both, both]);
    await loadBill(...bill);
    expect(await usage()).toEqual(['10-01 nobody m1 2000 input_tokens 6']);
  });

  it('stays unknown where one charge of the sum does not say it', async () => {
    await loadBill(
      tokens('Input', '1', '3'),
      tokens('Input', '1', '3', { EffectiveCost: null, ListCost: 'none' }),
    );
    const costs =
      'select effective_cost, list_cost, priced_cost from ledger.usage where account_id = $account';
    expect(await query(costs)).toEqual([{ effective_cost: null, list_cost: null, priced_cost: null }]);
  });

  it('stays unknown where one charge of several tags without an initiative does not say it', async () => {
    await loadBill(
      tokens('Input', '5', '3', { Tags: '{"initiative":"A"}' }),
      tokens('Input', '7', '3', { Tags: '{"initiative":"B"}', EffectiveCost: null }),
    );
    const sums =
      'select trim_scale(quantity)::text as quantity, effective_cost from ledger.usage where account_id = $account';
    expect(await query(sums)).toEqual([{ quantity: '12', effective_cost: null }]);
  });

  it('is read from the objects of a Parquet file', async () => {
    const path = join(bills.folder(), 'bill.parquet');
    await writeParquet(path, charges(tokens('Output', '200', '0.003')), {
      SkuPriceDetails: 'MAP(varchar, varchar)',
      ConsumedQuantity: 'decimal(18, 6)',
    });
    await loadFocus({
      url: bills.database().url('cf_owner'),
      paths: [path],
      account: BigInt(bills.account()),
      isOwnSnapshot: async () => await Promise.resolve(false),
    });
    expect(await usage()).toEqual(['10-01 nobody m1 200 output_tokens 0.003']);
  });

  itInSweeps('has more keys than memory holds at once', async () => {
    const many = Array.from({ length: 20_050 }, (_, index) =>
      tokens('Input', '1', '0.01', { SkuPriceDetails: `{"ModelId":"m${index}"}` }),
    );
    await loadBill(...many, tokens('Input', '2', '0.02', { SkuPriceDetails: '{"ModelId":"m0"}' }));
    const sums = `select count(*)::int as rows, sum(billed_cost)::text as cost from ledger.usage where account_id = $account`;
    expect(await query(sums)).toEqual([{ rows: 20_050, cost: '200.52' }]);
    expect((await usage())[0]).toBe('10-01 nobody m0 3 input_tokens 0.03');
  });
});

describe('usage.csv', () => {
  it('adds tokens to a bill whose export has none, which the load says, and the bill keeps them', async () => {
    const gateway = {
      BilledCost: '3',
      BillingAccountType: 'API Key',
      ConsumedQuantity: '2',
      ConsumedUnit: 'Requests',
      Tags: '{"model":"gpt-5"}',
    };
    expect(await loadBill(gateway)).toEqual([
      'bill.csv: its AI charges name no tokens; load usage.csv to add tokens to its bills',
    ]);
    await loadUsage(HEADER, `r1,"${REF}",2026-10-01,gpt-5,input_tokens,1000`);
    const both = ['10-01 nobody gpt-5 1000 input_tokens no cost', '10-01 nobody gpt-5 2 requests 3'];
    expect(await usage()).toEqual(both);
    await loadBill(gateway);
    expect(await usage()).toEqual(both);
    await loadBill({ ...gateway, ConsumedQuantity: '3' });
    expect(await usage()).toEqual([both[0], both[1]?.replace('2 requests', '3 requests')]);
    await loadUsage(HEADER, `r1,"${REF}",2026-10-01,gpt-5,input_tokens,1100`);
    expect(await usage()).toContain('10-01 nobody gpt-5 1100 input_tokens no cost');
  });

  it.each([
    [
      'a second cost',
      `${HEADER},billed_cost`,
      `r1,"${REF}",2026-10-01,m,input_tokens,1,5`,
      'no cost: the bill has it; leave the columns of costs out',
    ],
    ['a quantity without a unit', HEADER, `r1,"${REF}",2026-10-01,m,,1`, 'a unit beside each quantity'],
    ['a row without a quantity', HEADER, `r1,"${REF}",2026-10-01,m,input_tokens,`, 'a quantity and its unit'],
    [
      'a bill that the ledger does not have',
      HEADER,
      'r1,other,2026-10-01,m,input_tokens,1',
      'the source_ref of a row of provider_bills from the same source',
    ],
  ])('refuses %s', async (_what, heads, line, expected) => {
    await loadBill({ BilledCost: '3' });
    const faults = await faultsOf(loadUsage(heads, line));
    expect(faults.map((fault) => fault.expected).join()).toContain(expected);
  });
});

const served = async (): Promise<readonly unknown[]> => {
  const rows =
    await query(`select concat_ws(' ', coalesce(model, '?'), coalesce(quantity, '?'), coalesce(unit, '?'),
      case when recorded then 'recorded' else 'not recorded' end, case when is_ai then 'AI' else 'other' end, cost_cents) as line
    from reporting.ai_usage where account_id = $account order by cost_cents desc, 1`);
  return rows.map(({ line }) => line);
};

describe('the served rows of usage', () => {
  it('add up to the bill by largest remainder', async () => {
    await loadBill(
      tokens('Input', '1', '0.014'),
      tokens('Output', '1', '0.014'),
      { ...tokens('Input', '1', '0.018'), ConsumedUnit: 'Seconds' },
      { BilledCost: '-0.006', ChargeCategory: 'Credit' },
    );
    // 0.04 in all: 1.4, 1.4, 1.8 and -0.6 cents are 1, 1, 1 and -1, and the two cents that are left go to .8 and .4.
    expect(await served()).toEqual([
      'm1 1 input_tokens recorded AI 2',
      'm1 1 seconds recorded AI 2',
      'm1 1 output_tokens recorded AI 1',
      '? ? ? recorded AI -1',
    ]);
  });

  it('say that nothing is recorded of a bill that was loaded before usage was kept', async () => {
    await loadBill({ BilledCost: '3' }, { BilledCost: '2', ServiceCategory: 'Compute' });
    await query('delete from ledger.usage where account_id = $account');
    expect(await served()).toEqual(['? ? ? not recorded AI 300', '? ? ? not recorded other 200']);
    await loadUsage(HEADER, `r1,"${REF}",2026-10-01,gpt-5,input_tokens,1000`);
    expect(await served()).toEqual([
      '? ? ? not recorded AI 300',
      '? ? ? not recorded other 200',
      'gpt-5 1000 input_tokens recorded AI 0',
    ]);
  });

  it('have a row for a change of the bill that its use does not have', async () => {
    await loadBill(tokens('Input', '1', '3'));
    await query('update ledger.provider_bills set amount_cents = 350 where account_id = $account');
    expect(await served()).toEqual(['m1 1 input_tokens recorded AI 300', '? ? ? not recorded other 50']);
  });

  it('count a unit of a file only where the bill does not count it that day', async () => {
    await loadBill(tokens('Input', '1', '3'));
    await loadUsage(
      HEADER,
      `r1,"${REF}",2026-10-01,other name,input_tokens,999`,
      `r2,"${REF}",2026-10-01,m1,output_tokens,7`,
      `r3,"${REF}",2026-10-02,m1,input_tokens,8`,
    );
    expect(await served()).toEqual([
      'm1 1 input_tokens recorded AI 300',
      'm1 7 output_tokens recorded AI 0',
      'm1 8 input_tokens recorded AI 0',
    ]);
  });

  it('are added up to a partial sum where one of them has a quantity and no cost', async () => {
    await loadBill(tokens('Input', '4', '0.01'), tokens('Output', '2', '0.01'));
    await loadUsage(HEADER, `r1,"${REF}",2026-10-02,m1,input_tokens,6`);
    const client = await bills.pool().connect();
    const sums = await sumAiUsage(client, BigInt(bills.account()), null);
    client.release();
    expect(sums.map(({ unit, quantity, partial }) => [unit, quantity, partial])).toEqual([
      ['input_tokens', exact('10'), true],
      ['output_tokens', exact('2'), false],
    ]);
  });

  it('have the cost of one unit, and none for a quantity of zero', async () => {
    await loadBill(tokens('Input', '4', '0.01'), tokens('Output', '0', '0.02'));
    const costs = 'select unit, unit_cost from reporting.ai_usage where account_id = $account order by unit';
    expect(await query(costs)).toEqual([
      { unit: 'input_tokens', unit_cost: 0.0025 },
      { unit: 'output_tokens', unit_cost: null },
    ]);
  });
});
