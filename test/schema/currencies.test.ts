/** Which currencies the ledger takes, from `load` and from anyone who writes SQL. */
import { readFileSync } from 'node:fs';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { addCost, foundAccount } from '../support/ledger-rows.ts';

const FILE = readFileSync(new URL('../../schema/ledger/0002-foundation.sql', import.meta.url), 'utf8');
const [LIST = ''] = /create type ledger\.currency_code [^;]*/.exec(FILE) ?? [];

let database: TestDatabase;
let owner: Client;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
});
afterAll(() => database.drop());

async function known(codes: readonly string[]): Promise<readonly string[]> {
  const { rows } = await owner.query<{ code: string }>(
    "select code from unnest($1::text[]) with ordinality as c (code, place) where pg_input_is_valid(code, 'ledger.currency') order by place",
    [codes],
  );
  return rows.map(({ code }) => code);
}

describe('the currencies of ISO 4217', () => {
  it.each([
    ['in use', ['USD', 'EUR', 'GBP', 'KES', 'ZWG', 'XOF', 'XCG']],
    ['withdrawn', ['BGN', 'DEM', 'FRF', 'HRK', 'ITL', 'XEU', 'ZWR', 'ADP']],
    ['a fund, a unit of account or a metal', ['CLF', 'CHE', 'XDR', 'XUA', 'XAU']],
  ])('include a code that is %s', async (_, codes) => {
    expect(await known(codes)).toEqual(codes);
  });

  it('leave out XTS, XXX, unknown codes and texts that are no code', async () => {
    const none = ['XTS', 'XXX', 'XYZ', 'ABC', 'usd', 'US', 'USDX', '', ' ', 'D A', 'USD EUR', 'DEMDJF'];
    expect(await known(none)).toEqual([]);
  });

  it('include every currency in which the European Central Bank ever published a rate', async () => {
    // The header of its history of rates.
    const published =
      'USD JPY BGN CYP CZK DKK EEK GBP HUF LTL LVL MTL PLN ROL RON SEK SIT SKK CHF ISK NOK HRK RUB TRL TRY AUD BRL CAD CNY HKD IDR ILS INR KRW MXN MYR NZD PHP SGD THB ZAR';
    expect(await known(published.split(' '))).toEqual(published.split(' '));
  });

  it('include every currency in circulation that this runtime knows', async () => {
    // Not of ISO 4217: CNH is a name of the market for CNY outside China.
    const codes = Intl.supportedValuesOf('currency').filter((code) => code !== 'CNH');
    expect(await known(codes)).toEqual(codes);
  });

  it('stand once each in the list, in order', () => {
    const codes = [...LIST.matchAll(/'([A-Z]{3})'/g)].map(([, code = '']) => code);
    expect(codes).toEqual([...new Set(codes)].toSorted((a, b) => (a < b ? -1 : 1)));
    // 307 codes stand in lists one and three; XTS and XXX are not taken.
    expect(codes).toHaveLength(305);
  });
});

describe('a row written in SQL', () => {
  it('is refused with a currency that does not exist', async () => {
    const home = await foundAccount(owner);
    await expect(addCost(owner, home, { currency: 'XYZ' })).rejects.toThrow('currency_of_iso_4217');
  });

  it('is refused in the rates of a day if its currency is unknown', async () => {
    const writing = owner.query(
      "insert into ledger.euro_reference_rates (day, currency, units_per_euro) values ('2026-01-02', 'XXX', 1)",
    );
    await expect(writing).rejects.toThrow('currency_of_iso_4217');
  });

  it('stays writable when it bore an unknown code before there was a list', async () => {
    const home = await foundAccount(owner);
    await owner.query('alter domain ledger.currency drop constraint currency_of_iso_4217');
    await addCost(owner, home, { currency: 'XYZ' });
    const [again = ''] = /^alter domain [^;]*;$/m.exec(FILE) ?? [];
    await owner.query(again);
    const changed = await owner.query("update ledger.cost_entries set notes = 'seen' where currency = 'XYZ'");
    expect(changed.rowCount).toBe(1);
    await expect(addCost(owner, home, { currency: 'XYZ' })).rejects.toThrow('currency_of_iso_4217');
  });
});
