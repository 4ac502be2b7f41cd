/**
 * Reads what was used of the AI bills of an account, added up by month, currency, model, unit and class of cost. A sum has only
 * rows that say their list cost or only rows that do not, and the same of their priced cost.
 */
import { sql } from 'kysely';
import type { ClientBase } from 'pg';
import { db, readRows } from '../../database/query.ts';
import type { Day } from '../../figures/calendar.ts';
import { addUsage, type UsageSum } from '../../figures/usage.ts';

const SUMS = db
  .selectFrom('reporting.usage_sums')
  .select(['month', 'currency', 'model', 'unit', 'recorded', 'cost_class'])
  .select(['quantity', 'billed_cost', 'list_cost', 'priced_cost', 'partial'])
  .select(sql<string>`cost_cents::text`.as('cents'))
  .where('is_ai', '=', true)
  .orderBy(sql`month, currency, model, unit`);

/** The sums of the months whose first day is in `days`, or of all months if `days` is null. */
export async function sumAiUsage(
  client: ClientBase,
  account_id: bigint,
  days: { readonly from: Day; readonly through: Day } | null,
): Promise<readonly UsageSum[]> {
  const own = SUMS.where('account_id', '=', account_id);
  const wanted = days === null ? own : own.where('month', '>=', days.from).where('month', '<=', days.through);
  const sums = new Map<string, UsageSum>();
  for (const { cents, ...row } of await readRows(client, wanted))
    addUsage(sums, { ...row, cost_cents: BigInt(cents) });
  return [...sums.values()];
}
