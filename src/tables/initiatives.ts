import { column, defineTable, repeating } from './table.ts';

const STAGES = [
  'identified',
  'reviewing',
  'implementing',
  'live',
  'paused',
  'completed',
  'rejected',
  'dismissed',
] as const;

/** Every initiative that is not a sample, with its plan figures as they stand. */
export const initiatives = defineTable({
  name: 'initiatives',
  grain: 'one row per initiative',
  description:
    'Initiatives, sample ones left out; plan figures are the business case, which can change, and not the signed-off budget.',
  key: ['initiative_id'],
  from: 'reporting.initiatives where account_id = :account_id and not is_sample order by id',
  bare: 'ledger.initiatives where account_id = $1 and not is_sample',
  columns: [
    column('initiative_id', 'id', 'The initiative; every other table joins on it.', { from: 'id' }),
    column('title', 'string', 'The name of the initiative as people know it.'),
    column('stage', 'string', 'Where the initiative stands in its life.', { values: STAGES }),
    column(
      'previous_stage',
      'string?',
      'The stage before the pause; empty unless the initiative is paused.',
      {
        values: STAGES,
      },
    ),
    repeating(
      'category',
      'string',
      'The kind of work the initiative belongs to; `uncategorized` when none was chosen.',
      { from: "coalesce(category, 'uncategorized')" },
    ),
    repeating(
      'module_kind',
      'string?',
      'The module the initiative was made with; empty when made without one.',
    ),
    repeating('department', 'string?', 'The department it serves; empty when none was named.'),
    repeating('business_unit', 'string?', 'The business unit it serves; empty when none was named.'),
    repeating('priority', 'integer?', 'Rank given by the account, 1 being highest; empty when unranked.'),
    repeating('owner_id', 'id?', 'The person who answers for it; empty when it has no owner.'),
    repeating('owner_name', 'string?', 'The name of that person; empty when it has no owner.'),
    column('started_at', 'timestamp?', 'When work began; empty before that.'),
    column('went_live_at', 'timestamp?', 'When it went into use; empty before that.'),
    column('closed_at', 'timestamp?', 'When it was completed or retired; empty while it is neither.'),
    column('archived_at', 'timestamp?', 'When it was dismissed; empty while it is not.'),
    column(
      'planned_capex_cents',
      'cents?',
      'Planned one-time cost in cents of `currency`; empty when not planned.',
    ),
    column(
      'planned_opex_cents',
      'cents?',
      'Planned running cost per value period in cents of `currency`; empty when not planned.',
    ),
    column(
      'planned_cost_savings_cents',
      'cents?',
      'Planned cash savings per value period in cents of `currency`; empty when not planned.',
    ),
    column(
      'planned_revenue_uplift_cents',
      'cents?',
      'Planned extra revenue per value period in cents of `currency`, before margin; empty when not planned.',
    ),
    column(
      'planned_capacity_cents',
      'cents?',
      'Planned freed capacity per value period in cents of `currency`; not cash, so not in planned value; empty when not planned.',
    ),
    column('planned_value_period', 'string?', 'The value period of the plan figures; empty means annually.', {
      values: ['monthly', 'quarterly', 'annually'],
    }),
    column(
      'planned_value_cents',
      'cents',
      "Planned cash value over the whole horizon in cents of `currency`: savings plus revenue uplift at the account's contribution margin, annualised, times the horizon; 0 without a plan or horizon.",
    ),
    repeating(
      'roi_horizon_years',
      'integer?',
      'How many years the business case looks ahead; empty when no horizon is set.',
    ),
    repeating(
      'time_to_value_months',
      'integer?',
      'Months planned from start to first value; empty counts as 0.',
    ),
    column('description', 'text?', 'What the initiative is, in its own words; empty when not written.'),
    column('hypothesis', 'text?', 'What it is expected to achieve and why; empty when not written.'),
    column('created_at', 'timestamp', 'When the initiative was first recorded.'),
    column('app_url', 'string', "A link to the initiative's page in the application.", { near: true }),
    repeating('currency', 'string?', 'The ISO 4217 currency of the plan figures; never empty.', {
      never_empty: true,
    }),
  ],
});
