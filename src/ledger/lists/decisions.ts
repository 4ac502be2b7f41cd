import type { InferResult } from 'kysely';
import type { ClientBase } from 'pg';
import { DECISION } from '../../tables/records/decision.ts';
import { equalTo, type PageQuestion, readPage } from './keyset.ts';
import { selectRecord } from './select-record.ts';

const DECISIONS = selectRecord(DECISION).where((eb) => eb.not('is_sample'));

/** A portfolio decision as the read API serves it; amounts are those shown when it was made. */
export type DecisionRow = InferResult<typeof DECISIONS>[number];

/**
 * A page of decisions, oldest change first. Decisions about an initiative that is a sample, or was one then, are left out.
 */
export async function listDecisions(
  client: ClientBase,
  page: PageQuestion,
  {
    initiative_id,
    outcome,
  }: { readonly initiative_id?: bigint | undefined; readonly outcome?: DecisionRow['outcome'] | undefined },
): Promise<readonly DecisionRow[]> {
  return await readPage(client, DECISIONS, page, equalTo({ initiative_id, outcome }));
}
