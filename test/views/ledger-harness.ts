/** A small ledger for the tests of views: one account, written by its owner and read as the product reads it. */
import type { Client } from 'pg';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { type Founded, type Row, foundAccount, inAccount, insert } from '../support/ledger-rows.ts';

export interface ViewLedger {
  readonly database: TestDatabase;
  readonly owner: Client;
  readonly home: Founded;
  /** Adds a row of the account as the owner. */
  readonly add: (table: string, row: Row) => Promise<bigint>;
  /** Changes the ledger as the owner, in a transaction that names the account. */
  readonly write: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Rows of a query as the reader, inside the account. */
  readonly read: (sql: string, values?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>;
}

/** Founds the account in a clone of the empty ledger; `database.drop` ends it. */
export async function openLedger(account: Row = {}): Promise<ViewLedger> {
  const database = await createDatabase();
  const owner = await database.client('cf_owner');
  const reader = await database.client('cf_reader');
  const home = await foundAccount(owner, account);
  const write: ViewLedger['write'] = (work) => inAccount(owner, home.account, work);
  return {
    database,
    owner,
    home,
    write,
    add: (table, row) => write(() => insert(owner, table, { account_id: home.account, ...row })),
    read: (sql, values = []) =>
      inAccount(reader, home.account, async () => {
        const { rows } = await reader.query<Record<string, unknown>>(sql, [...values]);
        return rows;
      }),
  };
}
