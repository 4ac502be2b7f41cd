import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isCrossfootError } from '../../src/errors.ts';
import { openClient } from '../../src/ledger/connect.ts';
import { checkRoles } from '../../src/ledger/roles-check.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** The faults found on a connection with this URL and role; none when it is accepted. */
async function faultsAs(url: string, role: string): Promise<unknown> {
  const client = await openClient({ url, role, applicationName: 'roles', onError: () => undefined });
  try {
    await checkRoles(client);
    return [];
  } catch (error) {
    if (isCrossfootError(error, 'roles_unsafe')) return error.data['faults'];
    throw error;
  } finally {
    await client.end();
  }
}

describe('A-4, A-35: checkRoles', () => {
  it.each(['cf_reader', 'cf_service'] as const)(
    'accepts %s on the ledger as it is migrated',
    async (role) => {
      expect(await faultsAs(database.url(role), role)).toEqual([]);
    },
  );

  it('refuses a superuser’s login, also when the session took the reader’s role', async () => {
    expect(await faultsAs(database.adminUrl, 'cf_reader')).toEqual([
      'the login postgres bypasses row security',
      'the login postgres is a superuser',
      'the login postgres owns ledger tables, or is a member of their owner cf_owner',
    ]);
  });

  it('refuses the owner of the ledger', async () => {
    expect(await faultsAs(database.url('cf_owner'), 'cf_owner')).toEqual([
      'the login cf_owner owns ledger tables, or is a member of their owner cf_owner',
      'the role cf_owner owns ledger tables, or is a member of their owner cf_owner',
    ]);
  });

  it('names every table without row security and every view with its owner’s rights, at once', async () => {
    const other = await createDatabase();
    const admin = await other.admin();
    await admin.query(`
      create table ledger.open_door (account_id bigint);
      create table vault.open_door (account_id bigint);
      create table ledger.nobodys (code text);
      alter table ledger.accounts disable row level security;
      create schema if not exists reporting;
      create view reporting.leaking as select 1 as one;
      create view reporting.off with (security_invoker = false) as select 1 as one;
      create view reporting.sound with (security_invoker = on) as select 1 as one;
      create materialized view reporting.frozen as select 1 as one`);
    expect(await faultsAs(other.url('cf_reader'), 'cf_reader')).toEqual(
      [
        'table ledger.accounts has no row security',
        'table ledger.open_door has no row security',
        'table vault.open_door has no row security',
        'view reporting.frozen reads with its owner’s rights',
        'view reporting.leaking reads with its owner’s rights',
        'view reporting.off reads with its owner’s rights',
      ].map((fault) => fault.replace('’', `'`)),
    );
    await other.drop();
  });
});
