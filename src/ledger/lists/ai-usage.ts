import { type InferResult, sql } from 'kysely';
import type { ClientBase } from 'pg';
import { db } from '../../database/query.ts';
import { type PageQuestion, readPage, when } from './keyset.ts';

const USAGE = db
  .selectFrom('reporting.ai_usage')
  .select(['id', 'bill_id', 'connection_id', 'month', 'used_on', 'initiative_id', 'recorded', 'is_ai'])
  .select(['service', 'model', 'unit', 'quantity', 'cost_class', 'currency', 'cost_cents'])
  .select(['billed_cost', 'effective_cost', 'list_cost', 'priced_cost', 'unit_cost'])
  .select(['created_at', 'updated_at']);

/** What was used of a bill, as the read API serves it. */
export type AiUsageRow = InferResult<typeof USAGE>[number];

/** A page of usage, oldest change first. */
export async function listAiUsage(
  client: ClientBase,
  page: PageQuestion,
  { initiative_id }: { readonly initiative_id?: bigint | undefined },
): Promise<readonly AiUsageRow[]> {
  return await readPage(
    client,
    USAGE,
    page,
    when(initiative_id, (id) => sql<boolean>`named_initiative_id = ${id} and initiative_id = ${id}`),
  );
}
