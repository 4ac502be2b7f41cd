/** Counts rows in the base tables, without views, as a second check of a table that lost most of its rows. */
import type { ClientBase } from 'pg';
import { readStatement } from '../../database/columns.ts';

const COUNTS: Readonly<Record<string, string>> = {
  accounting_periods: 'select count(*) as rows from ledger.accounting_months where account_id = $1',
  approval_decisions: countDecisions('approval_decisions'),
  budgets: `
    select count(*) as rows from ledger.budget_versions b
    where b.account_id = $1 and b.initiative_id not in (
      select i.id from ledger.initiatives i where i.account_id = $1 and i.is_sample)`,
  portfolio_decisions: countDecisions('portfolio_decisions'),
  snapshot: 'select count(*) as rows from ledger.accounts where id = $1',
  initiatives: 'select count(*) as rows from ledger.initiatives where account_id = $1 and not is_sample',
  reported_value: `
    select count(*) as rows from ledger.value_entries v
    where v.account_id = $1 and v.status = 'approved' and v.initiative_id not in (
      select i.id from ledger.initiatives i where i.account_id = $1 and i.is_sample)`,
  costs: `
    select count(*) as rows from ledger.cost_entries c
    where c.account_id = $1 and c.initiative_id not in (
      select i.id from ledger.initiatives i where i.account_id = $1 and i.is_sample)`,
};

/** Decisions of deleted initiatives count; those of an initiative that is, or was at the decision, a sample do not. */
function countDecisions(table: string): string {
  return `
    select count(*) as rows from ledger.${table} d
    where d.account_id = $1 and not d.is_sample and not exists (
      select from ledger.initiatives i where i.account_id = $1 and i.is_sample and i.id = d.initiative_id)`;
}

/**
 * The number of rows that the table should have; null for a computed table, which has no rows in the ledger. Call it
 * inside the account's own transaction.
 */
export async function countBareRows(
  client: ClientBase,
  table: string,
  account_id: bigint,
): Promise<number | null> {
  const count = COUNTS[table];
  if (count === undefined) return null;
  const counted = { name: table, text: count, values: [account_id], columns: { rows: 'int8' } } as const;
  const [row] = await readStatement(client, counted);
  return Number(row?.rows ?? 0n);
}
