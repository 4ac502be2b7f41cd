/** Rows counted on the bare ledger, past every view: the second opinion on a table that lost most of its rows. */
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

/** A deleted initiative's decisions stay; those of a sample, then or now, are left out. */
function countDecisions(table: string): string {
  return `
    select count(*) as rows from ledger.${table} d
    where d.account_id = $1 and not d.is_sample and not exists (
      select from ledger.initiatives i where i.account_id = $1 and i.is_sample and i.id = d.initiative_id)`;
}

/**
 * The rows that the table should have, or null for one that is computed and has no rows of its own in the ledger.
 * Asked inside the account's own transaction.
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
