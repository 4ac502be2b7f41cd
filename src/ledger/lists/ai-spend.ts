/** Reads the monthly AI spend of an account: the rows that the reporting table `ai_spend` has, too. */
import { type InferResult, type NotNull, sql } from 'kysely';
import type { ClientBase } from 'pg';
import { db, readRows } from '../../database/query.ts';
import type { Day } from '../../figures/calendar.ts';

const SPEND = db
  .selectFrom('reporting.ai_spend')
  .select(['month', 'source_kind', 'connection_id', 'platform', 'connection_name', 'vendor_name'])
  .select(['billed_cents', 'attribution', 'set_aside', 'booked_cents', 'ai_billed_cents', 'ai_booked_cents'])
  .$narrowType<{ billed_cents: NotNull }>();

export type AiSpendRow = InferResult<typeof SPEND>[number];

/** The rows of the months whose first day is in `days`, or of all months if `days` is null; ordered by month. */
export async function listAiSpend(
  client: ClientBase,
  account_id: bigint,
  days: { readonly from: Day; readonly through: Day } | null,
): Promise<readonly AiSpendRow[]> {
  const own = SPEND.where('account_id', '=', account_id);
  const wanted = days === null ? own : own.where('month', '>=', days.from).where('month', '<=', days.through);
  return await readRows(client, wanted.orderBy(sql`month, source_kind, connection_id, vendor_name`));
}
