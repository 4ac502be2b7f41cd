/** What a bill leaves over is stored, so it must stay true whatever changes the bill or its usage. */
import { describe, expect, it } from 'vitest';
import { itInSweeps } from '../../support/sweeps.ts';
import { blockersOf, outcomeOf, processOf } from '../../support/waiting.ts';
import { faultsOf } from '../load/folder.ts';
import type { Charge } from './bills.ts';
import { HEADER, INVOICES, openBills, REF } from './loaded-bills.ts';

const bills = openBills();
const { loadBill, loadUsage, query } = bills;

/** The rows of the account that no usage has, a line each: what part of the bill, and its cents. */
async function rests(): Promise<readonly unknown[]> {
  const rows =
    await query(`select concat_ws(' ', case when is_ai then 'AI' else 'other' end, cost_cents) as line
    from reporting.ai_usage where account_id = $account and not recorded order by is_ai desc, cost_cents`);
  return rows.map(({ line }) => line);
}

/** Worked out from the base tables alone: bills that their served rows miss, and served rows that the bill counts itself. */
async function wrong(): Promise<readonly unknown[]> {
  return await query(`
    select 'bill ' || b.load_ref as wrong from ledger.provider_bills b
    left join reporting.ai_usage u on u.account_id = b.account_id and u.bill_id = b.id
    where b.account_id = $account
    group by b.account_id, b.id, b.amount_cents, b.load_ref
    having coalesce(sum(u.cost_cents), 0) <> b.amount_cents
      or (bool_or(not u.recorded) and count(u.billed_cost) > 0 and bool_or(not u.recorded and u.is_ai))
    union all
    select 'row ' || f.load_ref from ledger.usage f
    where f.account_id = $account and f.load_ref is not null
      and exists (select from ledger.usage o where o.account_id = f.account_id and o.bill_id = f.bill_id
        and o.used_on = f.used_on and o.unit = f.unit and o.load_ref is null)
      = exists (select from reporting.ai_usage s where s.account_id = f.account_id and s.id = f.id)`);
}

const tokens = (meter: string, ConsumedQuantity: string, BilledCost: string, more: Charge = {}): Charge => ({
  SkuMeter: `${meter} Tokens`,
  SkuPriceDetails: '{"ModelId":"m1"}',
  ConsumedUnit: 'Tokens',
  ConsumedQuantity,
  BilledCost,
  ...more,
});
const A = [tokens('Input', '10', '3', INVOICES), tokens('Output', '5', '2')];
const B = [tokens('Output', '7', '4.5')];
const ALL = 'where account_id = $account';

/** An insert, because an update is settled twice, and the second time sees what the other transaction committed. */
const cheaper = (unit: string): string =>
  `insert into ledger.usage (account_id, bill_id, used_on, unit, billed_cost, cost_cents)
   select account_id, id, '2026-10-03', '${unit}', -0.01, -1 from ledger.provider_bills where account_id = ${bills.account()}`;

/** The quantities of files that are served. */
const shown = async (): Promise<readonly unknown[]> =>
  (await query(`select quantity from reporting.ai_usage ${ALL} and billed_cost is null order by 1`)).map(
    ({ quantity }) => quantity,
  );

const CHANGES: readonly (readonly [
  what: string,
  change: () => Promise<unknown>,
  after: readonly string[],
])[] = [
  ['another bill instead', () => loadBill(...B), []],
  [
    'A, then B, then A',
    async () => {
      await loadBill(...B);
      await loadBill(...A);
    },
    [],
  ],
  [
    'another bill in a locked month',
    async () => {
      await query(`insert into ledger.accounting_months (account_id, id, month, status, locked_at)
          values ($account, 1, '2026-10-01', 'locked', now())`);
      await loadBill(...B);
    },
    [],
  ],
  [
    'a deleted initiative',
    async () => {
      await query(`delete from ledger.cost_entries ${ALL}`);
      await query(`delete from ledger.initiatives ${ALL} and title = 'Invoices'`);
    },
    [],
  ],
  ['a larger bill', () => query(`update ledger.provider_bills set amount_cents = 620 ${ALL}`), ['other 120']],
  [
    'a bill that was larger and is as before',
    async () => {
      await query(`update ledger.provider_bills set amount_cents = 620 ${ALL}`);
      await query(`update ledger.provider_bills set amount_cents = 500 ${ALL}`);
    },
    [],
  ],
  ['deleted usage', () => query(`delete from ledger.usage ${ALL} and unit = 'input_tokens'`), ['other 300']],
  ['all usage deleted', () => query(`delete from ledger.usage ${ALL}`), ['AI 500']],
  [
    'all usage deleted of a bill that is AI in part',
    async () => {
      await query(`update ledger.provider_bills set ai_amount_cents = 340 ${ALL}`);
      await query(`delete from ledger.usage ${ALL}`);
    },
    ['AI 340', 'other 160'],
  ],
  [
    'changed cents of usage',
    () => query(`update ledger.usage set cost_cents = 250 ${ALL} and unit = 'input_tokens'`),
    ['other 50'],
  ],
  [
    'usage moved to another bill, by one statement',
    async () => {
      await query(`insert into ledger.provider_bills (account_id, connection_id, month, amount_cents, currency, ai_amount_cents, load_source, load_ref)
          select account_id, connection_id, month, 80, currency, 80, 'x', 'second' from ledger.provider_bills ${ALL}`);
      await query(`update ledger.usage u set bill_id = b.id from ledger.provider_bills b
          where u.account_id = $account and b.account_id = $account and b.load_ref = 'second' and u.unit = 'input_tokens'`);
    },
    ['other -220', 'other 300'],
  ],
  [
    'a deleted bill',
    () =>
      query(`delete from ledger.bill_shares ${ALL};
      delete from ledger.cost_entries ${ALL}; delete from ledger.provider_bills ${ALL}`),
    [],
  ],
  ['emptied usage', () => query('truncate ledger.usage'), ['AI 500']],
  ['a quantity of a file', () => loadUsage(HEADER, `r1,"${REF}",2026-10-01,m1,seconds,9`), []],
];

describe('the stored rest of a bill', () => {
  itInSweeps.each(CHANGES)('is right after %s', async (_what, change, after) => {
    await loadBill(...A);
    expect([await rests(), await wrong()]).toEqual([[], []]);
    await change();
    expect([await rests(), await wrong()]).toEqual([after, []]);
  });

  it('has a newer time of change wherever the rest is another, and nowhere else', async () => {
    const stamps = `select cost_cents::int as cents, updated_at::text as at from reporting.ai_usage ${ALL} and not recorded`;
    await loadBill(...A);
    await query(`update ledger.provider_bills set amount_cents = 620 ${ALL}`);
    const [first] = await query(stamps);
    await query(`update ledger.provider_bills set external_ref = 'x' ${ALL}`);
    expect(await query(stamps)).toEqual([first]);
    await query(`update ledger.usage set cost_cents = 290 ${ALL} and unit = 'input_tokens'`);
    const [second] = await query(stamps);
    expect(second).toMatchObject({ cents: 130 });
    expect(String(second?.['at']) > String(first?.['at'])).toBe(true);
  });

  it('counts what two transactions write at once', async () => {
    await loadBill(...A);
    const [one, other] = [await bills.pool().connect(), await bills.pool().connect()];
    try {
      const process = await processOf(other);
      await one.query('begin');
      await one.query(cheaper('input_tokens'));
      const waiting = outcomeOf(other.query(cheaper('output_tokens')));
      await blockersOf(one, process);
      await one.query('commit');
      expect(await waiting).toMatchObject({ rowCount: 1 });
    } finally {
      one.release();
      other.release();
    }
    expect([await rests(), await wrong()]).toEqual([['other 2'], []]);
  });

  it('is deleted with its account', async () => {
    await loadBill(...A);
    await query(`update ledger.provider_bills set amount_cents = 620 ${ALL}`);
    await query(`set constraints all deferred; delete from ledger.accounts where id = $account`);
    expect(await query(`select id from ledger.usage_rests ${ALL}`)).toEqual([]);
  });
});

describe('a quantity of a file that the bill counts itself', () => {
  const GATEWAY = { BilledCost: '3', ConsumedQuantity: '2', ConsumedUnit: 'Requests' };
  const lines = [
    `r1,"${REF}",2026-10-01,m1,input_tokens,1000`,
    `r2,"${REF}",2026-10-02,m1,input_tokens,2000`,
  ];

  it('is served again, as a change, after the bill counts it no more', async () => {
    await loadBill(GATEWAY);
    await loadUsage(HEADER, ...lines);
    const stamp = `select updated_at::text as at from ledger.usage ${ALL} and load_ref = 'r1'`;
    const [before] = await query(stamp);
    expect([await shown(), await wrong()]).toEqual([['1000', '2000'], []]);
    await loadBill(tokens('Input', '10', '3'));
    expect([await shown(), await wrong()]).toEqual([['2000'], []]);
    await loadBill(GATEWAY);
    expect([await shown(), await wrong()]).toEqual([['1000', '2000'], []]);
    const [after] = await query(stamp);
    expect(String(after?.['at']) > String(before?.['at'])).toBe(true);
  });

  it('is found in less than a read for each row, however many rows its day has', async () => {
    await loadBill(GATEWAY);
    const client = await bills.pool().connect();
    try {
      await client.query('begin');
      await client.query(`insert into ledger.usage (account_id, bill_id, used_on, unit, quantity, load_source, load_ref)
        select b.account_id, b.id, '2026-10-01', 'input_tokens', n, 'focus', 'many ' || n
        from ledger.provider_bills b, generate_series(1, 800) n where b.account_id = ${bills.account()}`);
      const { rows } = await client.query<Record<string, readonly { Plan: Record<string, number> }[]>>(
        `explain (analyze, buffers, timing off, format json) select service.settle_usage_of(array[account_id], array[id])
         from ledger.provider_bills where account_id = ${bills.account()}`,
      );
      const blocks = rows[0]?.['QUERY PLAN']?.[0]?.Plan['Shared Hit Blocks'];
      expect(blocks).toBeGreaterThan(0);
      expect(blocks).toBeLessThan(800);
    } finally {
      await client.query('rollback');
      client.release();
    }
    expect(await shown()).toEqual([]);
  });

  it('is not written by a second load of the same file', async () => {
    await loadBill(tokens('Input', '10', '3'));
    await loadUsage(HEADER, ...lines);
    const written = `select id, xmin::text from ledger.usage ${ALL} order by id`;
    const first = await query(written);
    await loadUsage(HEADER, ...lines);
    expect([await shown(), await query(written)]).toEqual([['2000'], first]);
  });

  it('cannot be called superseded by the file', async () => {
    await loadBill(GATEWAY);
    const faults = await faultsOf(loadUsage(`${HEADER},superseded`, `${lines[0] ?? ''},true`));
    expect(faults.map(({ expected }) => expected)).toEqual([
      'to be left out: it follows the use that the bill itself says',
    ]);
  });
});
