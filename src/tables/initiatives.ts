import { columnsOf, defineTable, field, repeating } from './table.ts';

/** The stages of an initiative. */
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

/** Every initiative that is not a sample, with its plan figures at the moment of the snapshot. */
export const initiatives = defineTable({
  name: 'initiatives',
  grain: 'one row per initiative',
  description:
    'Initiatives without samples. The plan figures are the business case, which can change; they are not the approved budget.',
  key: ['initiative_id'],
  from: 'reporting.initiatives where account_id = :account_id and not is_sample order by id',
  from_base: 'ledger.initiatives where account_id = $1 and not is_sample',
  copied: {
    base: 'initiatives',
    check: '32-check-control-initiatives',
    by: ['currency'],
    only: { is_sample: 'false' },
    except: ['owner_name', 'planned_value_cents', 'app_url'],
    counts: {
      with_previous_stage: 'previous_stage',
      with_owner: 'owner_id',
      with_module_kind: 'module_kind',
      with_department: 'department',
      with_business_unit: 'business_unit',
      with_priority: 'priority',
      with_start: 'started_at',
      with_go_live: 'went_live_at',
      with_close: 'closed_at',
      with_archiving: 'archived_at',
      with_value_period: 'planned_value_period',
      with_horizon: 'roi_horizon_years',
      with_time_to_value: 'time_to_value_months',
      with_description: 'description',
      with_hypothesis: 'hypothesis',
    },
    sums: [
      'planned_capex_cents',
      'planned_opex_cents',
      'planned_cost_savings_cents',
      'planned_revenue_uplift_cents',
      'planned_capacity_cents',
    ],
    figures: { owner_ids: 'coalesce(sum(owner_id), 0)' },
    texts: { category: ['category', "coalesce(category, 'uncategorized')"] },
  },
  columns: columnsOf({
    initiative_id: field('id', 'The initiative; every other table joins on it.', { from: 'id' }),
    title: field('string', 'The name of the initiative as people know it.'),
    stage: field('string', 'The stage of the initiative, from identified to completed.', { values: STAGES }),
    previous_stage: field('string?', 'The stage before the pause; empty unless the initiative is paused.', {
      values: STAGES,
    }),
    category: repeating(
      'string',
      'The kind of work the initiative belongs to; `uncategorized` when none was chosen.',
      { from: "coalesce(category, 'uncategorized')" },
    ),
    module_kind: repeating(
      'string?',
      'The module the initiative was made with; empty when made without one.',
    ),
    department: repeating('string?', 'The department it serves; empty when none was named.'),
    business_unit: repeating('string?', 'The business unit it serves; empty when none was named.'),
    priority: repeating('integer?', 'Rank given by the account, 1 being highest; empty when unranked.'),
    owner_id: repeating('id?', 'The person responsible for it; empty when it has no owner.'),
    owner_name: repeating('string?', 'The name of that person; empty when it has no owner.'),
    started_at: field('timestamp?', 'When work began; empty before that.'),
    went_live_at: field('timestamp?', 'When it went into use; empty before that.'),
    closed_at: field('timestamp?', 'When it was completed or retired; empty if it is neither.'),
    archived_at: field('timestamp?', 'When it was dismissed; empty if it is not.'),
    planned_capex_cents: field(
      'cents?',
      'Planned one-time cost in cents of `currency`; empty when not planned.',
    ),
    planned_opex_cents: field(
      'cents?',
      'Planned running cost per value period in cents of `currency`; empty when not planned.',
    ),
    planned_cost_savings_cents: field(
      'cents?',
      'Planned cash savings per value period in cents of `currency`; empty when not planned.',
    ),
    planned_revenue_uplift_cents: field(
      'cents?',
      'Planned extra revenue per value period in cents of `currency`, before margin; empty when not planned.',
    ),
    planned_capacity_cents: field(
      'cents?',
      'Planned freed capacity per value period in cents of `currency`; not cash, so not in planned value; empty when not planned.',
    ),
    planned_value_period: field('string?', 'The value period of the plan figures; empty means annually.', {
      values: ['monthly', 'quarterly', 'annually'],
    }),
    planned_value_cents: field(
      'cents',
      "Planned cash value over the whole horizon in cents of `currency`: savings plus revenue uplift at the account's contribution margin, annualised, times the horizon; 0 without a plan or horizon.",
    ),
    roi_horizon_years: repeating(
      'integer?',
      'How many years the business case looks ahead; empty when no horizon is set.',
    ),
    time_to_value_months: repeating(
      'integer?',
      'Months planned from start to first value; empty counts as 0.',
    ),
    description: field('text?', 'What the initiative is, as a person wrote it; empty when not written.'),
    hypothesis: field('text?', 'What it is expected to achieve and why; empty when not written.'),
    created_at: field('timestamp', 'When the initiative was first recorded.'),
    app_url: field('string', "A link to the initiative's page in the application.", { encoding: 'delta' }),
    currency: repeating('string?', 'The ISO 4217 currency of the plan figures; never empty.', {
      never_empty: true,
    }),
  }),
});
