import type { ClientBase } from 'pg';
import { type PageQuestion, type Place, readPage, when } from './keyset.ts';

/** An initiative as the read API serves it. */
export interface InitiativeRow extends Place {
  readonly title: string;
  readonly description: string | null;
  readonly hypothesis: string | null;
  readonly stage: Stage;
  readonly is_sample: boolean;
  readonly category: string | null;
  readonly priority: number | null;
  readonly source: string | null;
  readonly business_unit: string | null;
  readonly department: string | null;
  readonly gl_dimension_value: string | null;
  readonly owner_id: bigint | null;
  readonly owner_name: string | null;
  readonly confidence_score: number | null;
  readonly roi_horizon_years: number | null;
  readonly currency: string;
  /** What the recurring planned amounts are for; null: a year. */
  readonly planned_value_period: 'monthly' | 'quarterly' | 'annually' | null;
  readonly planned_capex_cents: bigint | null;
  readonly planned_opex_cents: bigint | null;
  readonly planned_cost_savings_cents: bigint | null;
  readonly planned_capacity_cents: bigint | null;
  readonly planned_revenue_uplift_cents: bigint | null;
  readonly started_at: bigint | null;
  readonly went_live_at: bigint | null;
  readonly approved_at: bigint | null;
  readonly closed_at: bigint | null;
  readonly submitted_for_review_at: bigint | null;
  readonly created_at: bigint;
  /** Its page in the application; null when no application is named. */
  readonly app_url: string | null;
}

/** Where an initiative stands. */
export const STAGES = [
  'identified',
  'reviewing',
  'implementing',
  'live',
  'paused',
  'completed',
  'rejected',
  'dismissed',
] as const;

export type Stage = (typeof STAGES)[number];

const INITIATIVES = {
  view: 'reporting.initiatives',
  columns: `id, title, description, hypothesis, stage, is_sample, category, priority, source, business_unit, department,
    gl_dimension_value, owner_id, owner_name, confidence_score, roi_horizon_years, currency, planned_value_period,
    planned_capex_cents, planned_opex_cents, planned_cost_savings_cents, planned_capacity_cents, planned_revenue_uplift_cents, started_at,
    went_live_at, approved_at, closed_at, submitted_for_review_at, created_at, updated_at, app_url`,
};

export interface InitiativeFilters {
  readonly include_sample: boolean;
  /** Only initiatives that stand at one of these. */
  readonly stages?: readonly Stage[] | undefined;
}

/** A page of initiatives, in the order of their last change. */
export async function listInitiatives(
  client: ClientBase,
  page: PageQuestion,
  { include_sample, stages }: InitiativeFilters,
): Promise<readonly InitiativeRow[]> {
  return await readPage<InitiativeRow>(client, INITIATIVES, page, [
    ...when(stages, 'stage = any (?)'),
    ...(include_sample ? [] : [{ sql: 'not is_sample' }]),
  ]);
}

/** One initiative, as it is now; null for one that the account does not have, or has as a sample only. */
export async function findInitiative(
  client: ClientBase,
  account_id: bigint,
  id: bigint,
): Promise<InitiativeRow | null> {
  const { rows } = await client.query<InitiativeRow>(
    `select ${INITIATIVES.columns} from ${INITIATIVES.view} where account_id = $1 and id = $2 and not is_sample`,
    [account_id, id],
  );
  return rows[0] ?? null;
}
