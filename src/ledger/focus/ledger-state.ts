/** Reads the rows that the ledger has from earlier loads of one source of bills, within the transaction of the load. */
import type { Client } from 'pg';
import { readStatement } from '../../database/columns.ts';

/** A cost entry that an earlier load of the source booked. */
export interface BookedEntry {
  readonly id: bigint;
  readonly ref: string;
  readonly bill_ref: string;
  readonly initiative_id: bigint;
  readonly cost_type: string | null;
  /** The month that holds the entry, as `YYYY-MM`. */
  readonly booked: string;
  readonly amount_cents: bigint;
  readonly ai_amount_cents: bigint;
}

/** A bill that a load of any source booked. */
export interface OtherBill {
  readonly name: string;
  readonly source: string;
  /** True if it is of the source of this load; then `ref` is its `billRef`. */
  readonly is_own: boolean;
  readonly ref: string;
  readonly billing_account: string;
  /** As `YYYY-MM`. */
  readonly month: string;
  readonly currency: string;
  readonly amount_cents: bigint;
}

export interface FocusLedger {
  /** The ids of the initiatives that have each title; a title is missing if there is none. */
  readonly initiatives: ReadonlyMap<string, readonly bigint[]>;
  readonly titles: ReadonlyMap<bigint, string>;
  /** The locked months, as `YYYY-MM`. */
  readonly locked: ReadonlySet<string>;
  readonly entries: readonly BookedEntry[];
  /** The amounts in cents of the bills of the source, by `billRef`. */
  readonly bills: ReadonlyMap<string, bigint>;
  /** The bills of all sources, also of the source of this load. */
  readonly others: readonly OtherBill[];
  /** The ids of the links between a connection and an initiative, by `linkKey`. */
  readonly links: ReadonlyMap<string, bigint>;
}

/** The key of a link in `links`; `connection` is a `connectionRef`. */
export function linkKey(connection: string, initiative: bigint): string {
  return `${connection} ${initiative}`;
}

/** Reads the rows; `titles` are those that charges name. */
export async function readFocusLedger(
  client: Client,
  account: bigint,
  source: string,
  titles: readonly string[],
): Promise<FocusLedger> {
  const values = [account, source];
  const found = await readStatement(client, {
    name: 'initiatives',
    text: `select c.title, i.id
       from jsonb_array_elements_text($2::jsonb) as c (title)
       join ledger.initiatives i on i.account_id = $1 and service.name_key(i.title) = service.name_key(c.title)
       order by i.id`,
    values: [account, JSON.stringify(titles)],
    columns: { title: 'text', id: 'int8' },
  });
  const months = await readStatement(client, {
    name: 'accounting_months',
    text: `select to_char(month, 'YYYY-MM') as month from ledger.accounting_months
       where account_id = $1 and status = 'locked'`,
    values: [account],
    columns: { month: 'text' },
  });
  const entries = await readStatement(client, {
    name: 'cost_entries',
    text: `select c.id, c.load_ref as ref, b.load_ref as bill_ref, c.initiative_id, c.cost_type,
         to_char(c.booked_month, 'YYYY-MM') as booked, c.amount_cents::bigint as amount_cents,
         coalesce(c.ai_amount_cents, 0)::bigint as ai_amount_cents
       from ledger.cost_entries c
       join ledger.provider_bills b on b.account_id = c.account_id and b.id = c.provider_bill_id
       where c.account_id = $1 and c.load_source = $2 and b.load_source = $2 order by c.id`,
    values,
    columns: {
      id: 'int8',
      ref: 'text',
      bill_ref: 'text',
      initiative_id: 'int8',
      cost_type: 'text?',
      booked: 'text',
      amount_cents: 'int8',
      ai_amount_cents: 'int8',
    },
  });
  const bills = await readStatement(client, {
    name: 'provider_bills',
    text: `select load_ref as ref, amount_cents::bigint as amount_cents from ledger.provider_bills
       where account_id = $1 and load_source = $2`,
    values,
    columns: { ref: 'text', amount_cents: 'int8' },
  });
  const links = await readStatement(client, {
    name: 'ai_spend_links',
    text: `select l.id, n.load_ref as connection, l.initiative_id from ledger.ai_spend_links l
       join ledger.connections n on n.account_id = l.account_id and n.id = l.connection_id
       where l.account_id = $1 and n.load_source = $2`,
    values,
    columns: { id: 'int8', connection: 'text', initiative_id: 'int8' },
  });
  const others = await readStatement(client, {
    name: 'provider_bills',
    text: `select coalesce(n.name, n.external_account_id) as name, b.load_source as source, b.load_source = $2 as is_own, b.load_ref as ref,
         n.external_account_id as billing_account, to_char(b.month, 'YYYY-MM') as month, b.currency::text as currency,
         b.amount_cents::bigint as amount_cents
       from ledger.provider_bills b
       join ledger.connections n on n.account_id = b.account_id and n.id = b.connection_id
       where b.account_id = $1 and b.load_ref is not null and b.amount_cents <> 0
         and n.platform_key = 'focus' and n.external_account_id is not null
       order by b.id`,
    values,
    columns: {
      name: 'text',
      source: 'text',
      is_own: 'bool',
      ref: 'text',
      billing_account: 'text',
      month: 'text',
      currency: 'text',
      amount_cents: 'int8',
    },
  });
  return {
    others,
    initiatives: new Map(
      [...Map.groupBy(found, ({ title }) => title)].map(([title, rows]) => [title, rows.map(({ id }) => id)]),
    ),
    titles: new Map(found.map(({ id, title }) => [id, title])),
    locked: new Set(months.map(({ month }) => month)),
    entries,
    bills: new Map(bills.map(({ ref, amount_cents }) => [ref, amount_cents])),
    links: new Map(
      links.map(({ id, connection, initiative_id }) => [linkKey(connection, initiative_id), id]),
    ),
  };
}

/** As many new ids of `ai_spend_links` as `count`, from the sequence of the table. */
export async function newLinkIds(client: Client, count: number): Promise<readonly bigint[]> {
  const rows = await readStatement(client, {
    name: 'ai_spend_links',
    text: `select nextval(pg_get_serial_sequence('ledger.ai_spend_links', 'id')::regclass) as id
       from generate_series(1, $1::int)`,
    values: [count],
    columns: { id: 'int8' },
  });
  return rows.map(({ id }) => id);
}

/** Adds the platform `focus` if the ledger does not have it: usually it is loaded with the guides. */
export async function addPlatform(client: Client): Promise<void> {
  await client.query(
    `insert into ledger.platforms (key, name, category, auth_type)
     values ('focus', 'FOCUS file', 'cloud', 'file_upload') on conflict (key) do nothing`,
  );
}

/**
 * Deletes these entries, all in open months, and the shares of these bills that are not among `shares`. Returns the
 * entries' number.
 */
export async function deleteReplaced(
  client: Client,
  account: bigint,
  source: string,
  { entries, bills }: { readonly entries: readonly bigint[]; readonly bills: readonly string[] },
  shares: readonly string[],
): Promise<number> {
  const { rowCount } = await client.query(
    `delete from ledger.cost_entries where account_id = $1 and id = any ($2)`,
    [account, entries],
  );
  await client.query(
    `delete from ledger.bill_shares s using ledger.provider_bills b
     where s.account_id = $1 and s.load_source = $2 and b.account_id = s.account_id and b.id = s.provider_bill_id
       and b.load_ref = any ($3) and s.load_ref <> all ($4)`,
    [account, source, bills, shares],
  );
  return rowCount ?? 0;
}
