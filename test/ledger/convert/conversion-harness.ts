/** A ledger to convert in: rates published line by line, entries in an account of their own, and how they stand. */
import type { Client } from 'pg';
import { convert, type ConversionRequest } from '../../../src/ledger/convert/convert.ts';
import type { ConvertedAccount } from '../../../src/ledger/convert/convert-account.ts';
import type { Outcome } from '../../../src/ledger/convert/tally.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { type Founded, foundAccount, insert } from '../../support/ledger-rows.ts';

export interface ConvertingLedger {
  readonly database: TestDatabase;
  readonly owner: Client;
  /** Publishes lines of `<day> <currency> <units per euro>`, replacing what was published of that day and currency. */
  publish(...lines: readonly string[]): Promise<void>;
  /** Takes the rates of a day back. */
  withdraw(day: string): Promise<void>;
  /** Converts one account on a day; gives what became of it. */
  run(account: bigint, today: string, request?: Partial<ConversionRequest>): Promise<ConvertedAccount>;
}

/** A clone of the empty ledger; `database.drop` ends it. */
export async function openConversion(): Promise<ConvertingLedger> {
  const database = await createDatabase();
  const owner = await database.client('cf_owner');
  await owner.query("insert into ledger.platforms (key, name, category) values ('cloud', 'Cloud', 'it')");
  return {
    database,
    owner,
    publish: async (...lines) => {
      for (const line of lines) {
        await owner.query(
          `insert into ledger.euro_reference_rates (day, currency, units_per_euro) values ($1, $2, $3)
           on conflict (currency, day) do update set units_per_euro = excluded.units_per_euro`,
          line.split(' '),
        );
      }
    },
    withdraw: async (day) => {
      await owner.query('delete from ledger.euro_reference_rates where day = $1', [day]);
    },
    run: async (account, today, request = {}) => {
      const signal = new AbortController().signal;
      const { accounts } = await convert(owner, { account_id: account, today, signal, ...request });
      return accounts[0] ?? { account_id: account, currencies: [], held: 0 };
    },
  };
}

/** An account with a platform connected and a vendor, so that it may have bills. */
export async function foundBilled(owner: Client): Promise<Founded & { connection: bigint; vendor: bigint }> {
  const home = await foundAccount(owner);
  const connection = await insert(owner, 'ledger.connections', {
    account_id: home.account,
    platform_key: 'cloud',
    status: 'active',
  });
  const vendor = await insert(owner, 'ledger.vendors', { account_id: home.account, name: 'Cloud' });
  return { ...home, connection, vendor };
}

/** The one outcome of an account that has one entry to convert, or none. */
export function onlyOutcome({ currencies }: ConvertedAccount): Outcome | 'none' {
  const outcomes = currencies.flatMap(({ entries }) => Object.keys(entries) as Outcome[]); // its own keys
  if (outcomes.length > 1) throw new Error(`more than one outcome: ${outcomes.join(', ')}`);
  return outcomes[0] ?? 'none';
}

/** How many rows a run changed. */
export function writtenBy({ currencies }: ConvertedAccount): number {
  return currencies.reduce((sum, { written }) => sum + written, 0);
}

/** A row as a case states it: `11500 at 1.15, 2026-03-02..2026-03-06, provisional`, or `nothing`. */
export async function standing(owner: Client, table: string, id: bigint): Promise<string> {
  const { rows } = await owner.query<{ standing: string }>(
    `select case when num_nonnulls(row ->> 'usd_amount_cents', row ->> 'usd_rate') = 0 then 'nothing'
       else format('%s at %s, %s..%s%s', coalesce(row ->> 'usd_amount_cents', 'null'),
         coalesce(trim_scale((row ->> 'usd_rate')::numeric)::text, 'no rate'), row ->> 'usd_rate_from',
         row ->> 'usd_rate_through', case when row ->> 'usd_rate_provisional' = 'true' then ', provisional' end) end as standing
     from (select to_jsonb(t) as row from ledger.${table} t where id = $1) as found`,
    [id],
  );
  return rows[0]?.standing ?? 'gone';
}

/** The versions of an account's rows with their change times, as one text: a row that was written changes it. */
export async function versions(owner: Client, account: bigint, table: string): Promise<string> {
  const { rows } = await owner.query<{ versions: string }>(
    `select string_agg(concat_ws(' ', id, xmin, ctid, updated_at), ', ' order by id) as versions
     from ledger.${table} where account_id = $1`,
    [account],
  );
  return rows[0]?.versions ?? '';
}
