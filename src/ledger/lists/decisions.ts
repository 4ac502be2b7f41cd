import type { InferResult } from 'kysely';
import type { ClientBase } from 'pg';
import { db } from '../../database/query.ts';
import { type PageQuestion, readPage, when } from './keyset.ts';

/** The possible decisions about an initiative. */
export const OUTCOMES = ['continue', 'scale', 'fix', 'pause', 'retire'] as const;

const DECISIONS = db
  .selectFrom('reporting.portfolio_decisions')
  .select(['id', 'initiative_id', 'subject_title', 'outcome', 'rationale', 'stage_before', 'stage_after'])
  .select([
    'decided_at',
    'decided_by_id',
    'decided_by_name',
    'next_review_on',
    'currency',
    'cash_value_cents',
  ])
  .select([
    'freed_capacity_cents',
    'cost_to_date_cents',
    'planned_value_cents',
    'planned_value_to_date_cents',
  ])
  .select(['created_at', 'updated_at'])
  .where((eb) => eb.not('is_sample'));

/** A portfolio decision as the read API serves it; amounts are those shown when it was made. */
export type DecisionRow = InferResult<typeof DECISIONS>[number];

export interface DecisionFilters {
  readonly initiative_id?: bigint | undefined;
  readonly outcome?: DecisionRow['outcome'] | undefined;
}

/**
 * A page of decisions, oldest change first. Decisions about an initiative that is a sample, or was one then, are left out.
 */
export async function listDecisions(
  client: ClientBase,
  page: PageQuestion,
  { initiative_id, outcome }: DecisionFilters,
): Promise<readonly DecisionRow[]> {
  const wanted = DECISIONS.where((eb) =>
    eb.and([
      ...when(initiative_id, (id) => eb('initiative_id', '=', id)),
      ...when(outcome, (one) => eb('outcome', '=', one)),
    ]),
  );
  return await readPage(client, wanted, page);
}
