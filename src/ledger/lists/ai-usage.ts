import { type InferResult, sql } from 'kysely';
import type { ClientBase } from 'pg';
import { AI_USAGE } from '../../tables/records/ai_usage.ts';
import { type PageQuestion, readPage, when } from './keyset.ts';
import { selectRecord } from './select-record.ts';

const USAGE = selectRecord(AI_USAGE);

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
