/**
 * The vendors of new cost entries, found for all rows of a file by one statement. Without it the ledger's trigger finds
 * them row by row; `confirm_vendors` holds both ways to the same rule.
 */
import type { Client } from 'pg';
import type { LoadTable } from '../staging/load-table.ts';

/** A column that the ledger takes from another row: its value, and the join that gives it for the rows `r`. */
export interface LookedUp {
  readonly column: string;
  readonly value: string;
  readonly join: string;
}

const VENDOR: LookedUp = {
  column: 'vendor_id',
  value: 'coalesce(named.merged_into_id, named.id)',
  join: `left join ledger.vendors named
    on named.account_id = r.account_id and named.name_key = service.name_key(r.vendor_name)`,
};

/** The looked-up column of the table; null if it has none. */
export function lookedUp({ name }: LoadTable): LookedUp | null {
  return name === 'cost_entries' ? VENDOR : null;
}

/** Adds the vendors that the new rows name and the ledger does not have, in the order of the lines. */
export async function addVendors(client: Client, rows: string, only: string): Promise<void> {
  await client.query(
    `insert into ledger.vendors (account_id, name)
     select account_id, btrim(vendor_name) from (
       select distinct on (r.account_id, r.key) r.account_id, r.vendor_name, r.line
       from (
         select account_id, vendor_name, service.name_key(vendor_name) as key, min(_line) as line
         from ${rows} r
         where not r._known and r.vendor_name is not null and ${only}
         group by account_id, vendor_name
       ) as r
       left join ledger.vendors named on named.account_id = r.account_id and named.name_key = r.key
       where named.id is null and r.key <> ''
       order by r.account_id, r.key, r.line
     ) as first
     order by line
     on conflict (account_id, name_key) do nothing`,
  );
}
