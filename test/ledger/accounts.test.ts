import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdsAccounts, readFiscalYearStart, readReportingAccounts } from '../../src/ledger/accounts.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { foundAccount, inAccount } from '../support/ledger-rows.ts';

const ON = { reporting_enabled_at: '2026-01-01Z' };

let database: TestDatabase;
let owner: Client;
let reader: Client;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  reader = await database.client('cf_reader');
});
afterAll(() => database.drop());

describe('the accounts of a ledger', () => {
  it('are there as soon as there is one', async () => {
    const other = await createDatabase();
    const founder = await other.client('cf_owner');
    expect(await holdsAccounts(founder)).toBe(false);
    await foundAccount(founder);
    expect(await holdsAccounts(founder)).toBe(true);
    await other.drop();
  });

  it('report when it is switched on and their plan includes API access, by ascending id', async () => {
    const { account: second } = await foundAccount(owner, { ...ON, id: 20 });
    const { account: first } = await foundAccount(owner, { ...ON, id: 10 });
    await foundAccount(owner, { ...ON, plan_includes_api: false });
    await foundAccount(owner);
    expect(await readReportingAccounts(reader)).toEqual([first, second]);
  });

  it('have a fiscal year; an account that cannot be seen is refused', async () => {
    const { account } = await foundAccount(owner, { fiscal_year_start_month: 4 });
    const ask = (id: bigint): Promise<number> =>
      inAccount(reader, account, () => readFiscalYearStart(reader, id));
    expect(await ask(account)).toBe(4);
    await expect(ask(10n)).rejects.toMatchObject({ code: 'not_found' });
  });
});
