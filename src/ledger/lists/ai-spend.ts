/** Reads the monthly AI spend of an account: the rows that the reporting table `ai_spend` has, too. */
import { type NotNull, sql } from 'kysely';
import type { ClientBase } from 'pg';
import { db, readRows } from '../../database/query.ts';
import { nameBillers } from '../../figures/ai-spend.ts';
import type { Day } from '../../figures/calendar.ts';

const SPEND = db
  .selectFrom('reporting.ai_spend')
  .select(['month', 'source_kind', 'connection_id', 'platform', 'connection_name', 'vendor_name'])
  .select(['billed_cents', 'attribution', 'set_aside', 'booked_cents', 'ai_billed_cents', 'ai_booked_cents'])
  .$narrowType<{ billed_cents: NotNull }>();

const CONNECTIONS = db
  .selectFrom('reporting.connections')
  .innerJoin('ledger.platforms', 'ledger.platforms.key', 'reporting.connections.platform')
  .select(['reporting.connections.id', 'ledger.platforms.name as platform_name'])
  .select(['external_account_id', 'external_account_name']);

/**
 * The rows of the months whose first day is in `days`, or of all months if `days` is null; ordered by month. Rows of all months
 * are read in either case: the spelling of a name must not depend on the window.
 */
export async function listAiSpend(
  client: ClientBase,
  account_id: bigint,
  days: { readonly from: Day; readonly through: Day } | null,
) {
  const own = SPEND.where('account_id', '=', account_id);
  const rows = await readRows(client, own.orderBy(sql`month, source_kind, connection_id, vendor_name`));
  const connections = await readRows(client, CONNECTIONS.where('account_id', '=', account_id));
  const named = nameBillers(rows, new Map(connections.map(({ id, ...known }) => [id, known])));
  return days === null ? named : named.filter(({ month }) => month >= days.from && month <= days.through);
}
