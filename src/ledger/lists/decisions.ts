import type { ClientBase } from 'pg';
import { type PageQuestion, type Place, readPage, when } from './keyset.ts';
import type { Stage } from './initiatives.ts';

/** What may be decided of an initiative. */
export const OUTCOMES = ['continue', 'scale', 'fix', 'pause', 'retire'] as const;

/** A portfolio decision as the read API serves it; amounts are those shown when it was made. */
export interface DecisionRow extends Place {
  readonly initiative_id: bigint | null;
  readonly subject_title: string;
  readonly outcome: (typeof OUTCOMES)[number];
  readonly rationale: string;
  readonly stage_before: Stage;
  readonly stage_after: Stage;
  readonly decided_at: bigint;
  readonly decided_by_id: bigint | null;
  readonly decided_by_name: string | null;
  readonly next_review_on: string | null;
  readonly currency: string;
  readonly cash_value_cents: bigint;
  readonly freed_capacity_cents: bigint;
  readonly cost_to_date_cents: bigint;
  readonly planned_value_cents: bigint | null;
  readonly planned_value_to_date_cents: bigint | null;
  readonly created_at: bigint;
}

export interface DecisionFilters {
  readonly initiative_id?: bigint | undefined;
  readonly outcome?: DecisionRow['outcome'] | undefined;
}

const DECISIONS = {
  view: 'reporting.portfolio_decisions',
  columns: `id, initiative_id, subject_title, outcome, rationale, stage_before, stage_after, decided_at, decided_by_id,
    decided_by_name, next_review_on, currency, cash_value_cents, freed_capacity_cents, cost_to_date_cents,
    planned_value_cents, planned_value_to_date_cents, created_at, updated_at`,
};

/** A page of decisions about initiatives that are and were no samples, oldest change first. */
export async function listDecisions(
  client: ClientBase,
  page: PageQuestion,
  { initiative_id, outcome }: DecisionFilters,
): Promise<readonly DecisionRow[]> {
  return await readPage<DecisionRow>(client, DECISIONS, page, [
    { sql: 'not is_sample' },
    ...when(initiative_id, 'initiative_id = ?'),
    ...when(outcome, 'outcome = ?'),
  ]);
}
