import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import type { Client } from 'pg';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { type Founded, type Row, addCost, addValue, foundAccount, insert } from '../support/ledger-rows.ts';

let database: TestDatabase;
let owner: Client;
let home: Founded;
let connection: bigint;

beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  await owner.query("insert into ledger.platforms (key, name, category) values ('cloud', 'Cloud', 'it')");
});
afterAll(() => database.drop());
beforeEach(async () => {
  home = await foundAccount(owner);
  connection = await insert(owner, 'ledger.connections', {
    account_id: home.account,
    platform_key: 'cloud',
    status: 'active',
  });
});

const RATE = { usd_rate: '1.1', usd_rate_from: '2026-03-02', usd_rate_through: '2026-03-31' };
const NO_RATE = { usd_rate: null, usd_rate_from: null, usd_rate_through: null };

/** Every table that stores dollars, with what it takes to write a row of it. */
const WAYS: Record<string, (row: Row) => Promise<bigint>> = {
  cost_entries: (row) => addCost(owner, home, row),
  value_entries: (row) => addValue(owner, home, row),
  provider_bills: (row) =>
    insert(owner, 'ledger.provider_bills', {
      ...bill(),
      connection_id: connection,
      month: '2026-03-01',
      ai_amount_cents: 0,
      ...row,
    }),
  vendor_bills: async (row) =>
    insert(owner, 'ledger.vendor_bills', {
      ...bill(),
      vendor_id: await vendor(),
      feed: 'books',
      month: '2026-03-01',
      ai_amount_cents: 0,
      ...row,
    }),
  card_charges: (row) =>
    insert(owner, 'ledger.card_charges', {
      ...bill(),
      connection_id: connection,
      charged_on: '2026-03-05',
      ...row,
    }),
};
const bill = (): Row => ({ account_id: home.account, amount_cents: 10_000, currency: 'USD' });
async function vendor(): Promise<bigint> {
  const { rows } = await owner.query<{ id: bigint }>(
    `insert into ledger.vendors (account_id, name) values ($1, 'Cloud')
     on conflict (account_id, name_key) do update set name = excluded.name returning id`,
    [home.account],
  );
  return rows[0]?.id ?? 0n;
}

async function dollars(table: string, id: bigint): Promise<Row | undefined> {
  const { rows } = await owner.query<Row>(
    `select usd_amount_cents, usd_rate, usd_rate_from, usd_rate_through from ledger.${table} where id = $1`,
    [id],
  );
  return rows[0];
}
const update = (table: string, id: bigint, assignments: string): Promise<unknown> =>
  owner.query(`update ledger.${table} set ${assignments} where id = $1`, [id]);

describe.each(Object.entries(WAYS))('dollars of %s', (table, add) => {
  it('are the amount itself in dollars, and follow it', async () => {
    const id = await add({ amount_cents: 12_345, ...RATE, usd_amount_cents: 1 });
    expect(await dollars(table, id)).toEqual({ usd_amount_cents: 12_345n, ...NO_RATE });
    await update(table, id, 'amount_cents = -7');
    expect(await dollars(table, id)).toEqual({ usd_amount_cents: -7n, ...NO_RATE });
  });

  it('are amount times rate, and nothing without a rate', async () => {
    const id = await add({ amount_cents: 12_345, currency: 'EUR', usd_amount_cents: 1 });
    expect(await dollars(table, id)).toEqual({ usd_amount_cents: null, ...NO_RATE });
    await update(table, id, "usd_rate = 1.1, usd_rate_from = '2026-03-02', usd_rate_through = '2026-03-31'");
    // 123.45 × 1.1 = 135.795, half away from zero: 135.80
    expect(await dollars(table, id)).toEqual({
      usd_amount_cents: 13_580n,
      ...RATE,
      usd_rate: '1.1000000000',
    });
  });

  it('keep their rate when the amount changes, and lose it with the currency', async () => {
    const id = await add({ amount_cents: 10_000, currency: 'EUR', ...RATE });
    await update(table, id, 'amount_cents = -5');
    // −0.05 × 1.1 = −0.055, half away from zero: −0.06
    expect(await dollars(table, id)).toEqual({ usd_amount_cents: -6n, ...RATE, usd_rate: '1.1000000000' });
    await update(table, id, "currency = 'GBP'");
    expect(await dollars(table, id)).toEqual({ usd_amount_cents: null, ...NO_RATE });
  });

  it('lose their rate when the dates change, unless a new one comes with them', async () => {
    const date =
      { cost_entries: 'period_end', value_entries: 'period_end', card_charges: 'charged_on' }[table] ??
      'month';
    const id = await add({ amount_cents: 10_000, currency: 'EUR', ...RATE });
    await update(table, id, `${date} = '2026-05-01', usd_rate = 1.2`);
    // 100.00 × 1.2 = 120.00
    expect(await dollars(table, id)).toMatchObject({ usd_amount_cents: 12_000n, usd_rate: '1.2000000000' });
    await update(table, id, `${date} = '2026-06-01'`);
    expect(await dollars(table, id)).toEqual({ usd_amount_cents: null, ...NO_RATE });
  });

  it('have a rate above zero with two days in order, or neither rate nor days', async () => {
    const refused = { code: '23514' };
    await expect(add({ currency: 'EUR', usd_rate: '1.1' })).rejects.toMatchObject(refused);
    await expect(add({ currency: 'EUR', ...RATE, usd_rate: null })).rejects.toMatchObject(refused);
    await expect(add({ currency: 'EUR', ...RATE, usd_rate_through: '2026-03-01' })).rejects.toMatchObject(
      refused,
    );
    for (const usd_rate of ['0', '-1', 'NaN', '0.00000000001']) {
      await expect(add({ currency: 'EUR', ...RATE, usd_rate })).rejects.toMatchObject(refused);
    }
    await expect(add({ currency: 'EUR', ...RATE, usd_rate: 'Infinity' })).rejects.toMatchObject({
      code: '22003',
    });
  });

  it('and amounts stay below 2^53 cents, on both sides of zero', async () => {
    const most = 2n ** 53n - 1n;
    const id = await add({ amount_cents: -most });
    expect(await dollars(table, id)).toMatchObject({ usd_amount_cents: -most });
    await expect(add({ amount_cents: most + 1n })).rejects.toMatchObject({ code: '23514' });
    await expect(add({ amount_cents: -most - 1n })).rejects.toMatchObject({ code: '23514' });
    // An amount in range whose dollars are not: 2^52 × 2 = 2^53.
    await expect(
      add({ amount_cents: 2n ** 52n, currency: 'EUR', ...RATE, usd_rate: '2' }),
    ).rejects.toMatchObject({ code: '23514' });
    for (const amount_cents of ['NaN', '1.5', 'Infinity']) {
      await expect(add({ amount_cents })).rejects.toMatchObject({ code: '22P02' });
    }
  });

  it('stay reproducible even if the trigger that sets them is switched off', async () => {
    const id = await add({ currency: 'EUR', ...RATE });
    await owner.query('begin');
    await owner.query(`alter table ledger.${table} disable trigger user`);
    await expect(update(table, id, 'usd_amount_cents = usd_amount_cents + 1')).rejects.toMatchObject({
      code: '23514',
      constraint: expect.stringContaining('dollars_reproducible'),
    });
    await owner.query('rollback');
  });
});

describe('the provisional mark', () => {
  it('stands only beside a rate', async () => {
    const cost = await addCost(owner, home, { currency: 'EUR', ...RATE, usd_rate_provisional: true });
    const marks = async (): Promise<boolean | undefined> => {
      const { rows } = await owner.query<{ usd_rate_provisional: boolean }>(
        'select usd_rate_provisional from ledger.cost_entries where id = $1',
        [cost],
      );
      return rows[0]?.usd_rate_provisional;
    };
    expect(await marks()).toBe(true);
    await update('cost_entries', cost, "currency = 'GBP'");
    expect(await marks()).toBe(false);
    await update('cost_entries', cost, 'usd_rate_provisional = true');
    expect(await marks()).toBe(false);
  });
});

describe('the AI part of a bill', () => {
  it('is converted with it', async () => {
    const id = await insert(owner, 'ledger.provider_bills', {
      ...bill(),
      ...RATE,
      currency: 'EUR',
      connection_id: connection,
      month: '2026-03-01',
      ai_amount_cents: 2505,
    });
    const part = async (): Promise<unknown> =>
      (
        await owner.query('select ai_usd_amount_cents as cents from ledger.provider_bills where id = $1', [
          id,
        ])
      ).rows[0];
    // 25.05 × 1.1 = 27.555, half away from zero: 27.56
    expect(await part()).toEqual({ cents: 2756n });
    await update('provider_bills', id, "currency = 'USD'");
    expect(await part()).toEqual({ cents: 2505n });
  });
});

describe('the category of a cost', () => {
  it('follows its type unless someone gave one', async () => {
    const categories = new Map<string, string>();
    for (const cost_type of ['implementation', 'hardware', 'development', 'software', 'adjustment']) {
      const id = await addCost(owner, home, { cost_type });
      const { rows } = await owner.query<{ cost_category: string }>(
        'select cost_category from ledger.cost_entries where id = $1',
        [id],
      );
      categories.set(cost_type, rows[0]?.cost_category ?? '');
    }
    expect(Object.fromEntries(categories)).toEqual({
      implementation: 'capex',
      hardware: 'capex',
      development: 'capex',
      software: 'opex',
      adjustment: 'opex',
    });
    const given = await addCost(owner, home, { cost_type: 'hardware', cost_category: 'opex' });
    const { rows } = await owner.query('select cost_category from ledger.cost_entries where id = $1', [
      given,
    ]);
    expect(rows).toEqual([{ cost_category: 'opex' }]);
  });
});

describe('rounding', () => {
  it('is exact and half away from zero, for any amount and rate', async () => {
    const id = await addCost(owner, home, { currency: 'EUR' });
    const scale = 10n ** 10n;
    await fc.assert(
      fc.asyncProperty(
        fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n }),
        // Rates with few digits too, so that halves occur.
        fc.oneof(
          fc.bigInt({ min: 1n, max: 200n * scale }),
          fc.bigInt({ min: 1n, max: 400n }).map((n) => (n * scale) / 200n),
        ),
        async (amount, rate) => {
          const text = `${rate / scale}.${String(rate % scale).padStart(10, '0')}`;
          await owner.query(
            `update ledger.cost_entries set amount_cents = $2, usd_rate = $3,
               usd_rate_from = '2026-03-02', usd_rate_through = '2026-03-31' where id = $1`,
            [id, amount, text],
          );
          const product = (amount < 0n ? -amount : amount) * rate;
          const rounded = (2n * product + scale) / (2n * scale);
          expect(await dollars('cost_entries', id)).toMatchObject({
            usd_amount_cents: amount < 0n ? -rounded : rounded,
          });
        },
      ),
      { numRuns: 150 },
    );
  });
});

const month = (day: string): Promise<bigint> =>
  insert(owner, 'ledger.accounting_months', { account_id: home.account, month: day, status: 'open' });

describe('days', () => {
  it.each(['1989-12-31', '2200-01-01', 'infinity', '-infinity'])(
    'outside the years that anyone means are refused: %s',
    async (day) => {
      await expect(addCost(owner, home, { period_start: day, period_end: null })).rejects.toMatchObject({
        code: '23514',
      });
      await expect(
        addCost(owner, home, { created_at: day === '1989-12-31' ? '1969-12-31' : day }),
      ).rejects.toMatchObject({ code: '23514' });
    },
  );

  it.each(['1990-01-01', '2199-12-31'])('inside them are taken: %s', async (day) => {
    await expect(addCost(owner, home, { period_start: day, period_end: null })).resolves.toBeTypeOf('bigint');
  });

  it('of a month are its first', async () => {
    await expect(month('2026-03-02')).rejects.toMatchObject({ code: '23514' });
    await expect(month('2200-01-01')).rejects.toMatchObject({ code: '23514' });
    await expect(month('2026-03-01')).resolves.toBeTypeOf('bigint');
  });
});
