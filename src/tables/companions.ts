/**
 * The companion tables: the rows of the read API at the moment of a snapshot, with fields and statuses that the 14 reporting
 * tables do not have. The API reads them, for requests with `snapshot_id`; what was used of bills is a table of the sharing
 * protocol, too. Rows have the order of the API's lists.
 */
import { define, list, listWith } from './companion-table.ts';
import type { FileSet } from './file-set.ts';
import type { Table } from './table.ts';

/**
 * Columns for pages and assistants. They were added after the first release, and older snapshots lack them. No answer of the
 * API has them, so that answers as of older snapshots have the same fields.
 */
const PLAN_FACTS = { plan_confirmed: 'boolean' } as const;
const PLATFORM_FACTS = {
  platform_name: ['string?', '(select p.name from ledger.platforms p where p.key = platform)'],
} as const;
export const LATER_COLUMNS: readonly string[] = [PLAN_FACTS, PLATFORM_FACTS].flatMap((facts) =>
  Object.keys(facts),
);

const OWN = 'account_id = :account_id';

/** The amount of an entry with its conversion. */
const AMOUNTS = {
  currency: 'string?',
  usd_amount_cents: 'cents?',
  usd_rate: ['number?', 'usd_rate::float8'],
  usd_rate_from: 'date?',
  usd_rate_through: 'date?',
} as const;

const PERIOD = { period_start: 'date?', period_end: 'date?' } as const;
const SOURCE = { source_ref: 'string?', connection_id: 'id?' } as const;

/** The key of sums of usage, and its columns of text. */
const USAGE_KEY = [
  'month',
  'currency',
  'is_ai',
  'model',
  'unit',
  'recorded',
  'cost_class',
  'has_list_cost',
  'has_priced_cost',
];
const USAGE_TEXTS = ['currency', 'model', 'unit', 'cost_class'];

/** Every companion table, by the part of the read API that it answers. */
export const COMPANIONS = {
  initiatives: listWith(
    'initiatives',
    `reporting.initiatives where ${OWN} and not is_sample`,
    {
      title: 'text',
      description: 'text?',
      hypothesis: 'text?',
      stage: 'string',
      is_sample: 'boolean',
      category: 'string?',
      priority: 'integer?',
      source: 'string?',
      business_unit: 'string?',
      department: 'string?',
      gl_dimension_value: 'string?',
      owner_id: 'id?',
      owner_name: 'string?',
      confidence_score: 'number?',
      roi_horizon_years: 'integer?',
      currency: 'string?',
      planned_capex_cents: 'cents?',
      planned_opex_cents: 'cents?',
      planned_cost_savings_cents: 'cents?',
      planned_capacity_cents: 'cents?',
      planned_revenue_uplift_cents: 'cents?',
      started_at: 'timestamp?',
      went_live_at: 'timestamp?',
      approved_at: 'timestamp?',
      closed_at: 'timestamp?',
      submitted_for_review_at: 'timestamp?',
    },
    PLAN_FACTS,
  ),
  cost_entries: list('cost_entries', `reporting.cost_entries where ${OWN} and not is_sample`, {
    initiative_id: 'id',
    amount_cents: 'cents?',
    ...AMOUNTS,
    usd_rate_provisional: 'boolean',
    cost_type: 'string?',
    cost_category: 'string',
    ...PERIOD,
    vendor_id: 'id?',
    vendor_name: 'string?',
    description: 'text?',
    notes: 'text?',
    is_estimated: 'boolean',
    locked: 'boolean',
    source_type: 'string',
    ...SOURCE,
  }),
  value_entries: list('value_entries', `reporting.value_entries where ${OWN} and not is_sample`, {
    initiative_id: 'id',
    amount_cents: 'cents?',
    ...AMOUNTS,
    status: 'string',
    counts_toward_roi: 'boolean',
    entry_type: 'string?',
    ...PERIOD,
    is_estimated: 'boolean',
    locked: 'boolean',
    basis: 'string',
    confidence_score: 'number?',
    quality_score: 'number?',
    notes: 'text?',
    provenance: 'string?',
    formula_id: 'id?',
    formula_key: 'string?',
    formula_version: 'integer?',
    source_type: 'string?',
    ...SOURCE,
    approved_at: 'timestamp?',
  }),
  metrics: list('metrics', `ledger.metrics where ${OWN}`, {
    metric_key: 'string',
    name: 'string',
    description: 'text?',
    metric_type: 'string?',
    unit: 'string?',
    currency_metric: 'boolean',
    active: 'boolean',
  }),
  observations: list('observations', `reporting.observations where ${OWN} and kept and not is_sample`, {
    metric_id: 'id?',
    metric_key: 'string?',
    initiative_id: 'id?',
    value: 'number?',
    currency: 'string?',
    role: 'string?',
    baseline_method: 'string?',
    observed_at: 'timestamp?',
    ...PERIOD,
    is_estimated: 'boolean',
    sample_size: 'integer?',
    quality_score: 'number?',
    source_type: ['string', "case when source_type = 'time_study' then 'calculated' else source_type end"],
    ...SOURCE,
  }),
  decisions: list('decisions', `reporting.portfolio_decisions where ${OWN} and not is_sample`, {
    initiative_id: 'id?',
    subject_title: 'string',
    outcome: 'string',
    rationale: 'text',
    stage_before: 'string',
    stage_after: 'string',
    decided_at: 'timestamp',
    decided_by_id: 'id?',
    decided_by_name: 'string?',
    next_review_on: 'date?',
    currency: 'string',
    cash_value_cents: 'cents',
    freed_capacity_cents: 'cents',
    cost_to_date_cents: 'cents',
    planned_value_cents: 'cents?',
    planned_value_to_date_cents: 'cents?',
  }),
  integrations: listWith(
    'integrations',
    `reporting.connections where ${OWN}`,
    {
      platform: 'string',
      name: 'string?',
      description: 'text?',
      status: 'string',
      auth_type: 'string?',
      last_sync_status: 'string?',
      last_synced_at: 'timestamp?',
      reauth_required_at: 'timestamp?',
      external_account_id: 'string?',
      external_account_name: 'string?',
      primary_source_categories: ['json', 'to_json(primary_source_categories)::text'],
      metric_categories: ['json', 'to_json(metric_categories)::text'],
      simulated: 'boolean',
      connected_by_id: 'id?',
      connected_by_name: 'string?',
    },
    PLATFORM_FACTS,
  ),
  ai_usage: list('ai_usage', `reporting.ai_usage where ${OWN}`, {
    bill_id: 'id',
    connection_id: 'id',
    month: 'date',
    used_on: 'date',
    initiative_id: 'id?',
    recorded: 'boolean',
    is_ai: 'boolean',
    service: 'string?',
    model: 'string?',
    unit: 'string?',
    quantity: 'string?',
    cost_class: 'string',
    currency: 'string',
    cost_cents: 'cents',
    billed_cost: 'string?',
    effective_cost: 'string?',
    list_cost: 'string?',
    priced_cost: 'string?',
    unit_cost: 'number?',
  }),
  // The page of AI spend would read all rows of usage for these.
  usage_sums: define(
    'api_usage_sums',
    USAGE_KEY,
    `reporting.usage_sums where ${OWN} order by ${USAGE_KEY.map((name) => (USAGE_TEXTS.includes(name) ? `${name} collate "C" nulls first` : name)).join(', ')}`,
    {
      month: 'date',
      currency: 'string',
      is_ai: 'boolean',
      model: 'string?',
      unit: 'string?',
      recorded: 'boolean',
      cost_class: 'string',
      has_list_cost: 'boolean',
      has_priced_cost: 'boolean',
      quantity: 'string?',
      billed_cost: 'string?',
      list_cost: 'string?',
      priced_cost: 'string?',
      cost_cents: ['cents', 'cost_cents::bigint'],
      partial: 'boolean',
    },
  ),
  // What was spent in the budget's currency: some costs were converted by daily rates, which no file has.
  budgets: define('api_budget_spend', ['initiative_id', 'month'], null, {
    initiative_id: 'id',
    month: 'date',
    capex_cents: 'cents',
    opex_cents: 'cents',
  }),
  // The cash value of initiatives whose plan is not in dollars, in the currency of the plan; the month is empty without a period.
  plan_value: define('api_plan_value', ['initiative_id', 'month'], null, {
    initiative_id: 'id',
    month: 'date?',
    cash_cents: 'cents',
  }),
  // Costs keep the name that was recorded: after a merge, one vendor has several.
  vendors: define(
    'api_vendor_names',
    ['vendor_id'],
    `ledger.vendors where ${OWN} and merged_into_id is null order by id`,
    {
      vendor_id: ['id', 'id'],
      name: 'string',
    },
  ),
} as const satisfies Record<string, Table>;

/** The name of a list whose rows a companion holds. */
export type ListedCompanion = Exclude<
  keyof typeof COMPANIONS,
  'budgets' | 'plan_value' | 'usage_sums' | 'vendors'
>;

/**
 * The companion tables as a set of files. Their rows are counted in the report and not in the manifest, because they include
 * drafts: a reporting token must not learn about these, and cannot read the report. Usage has no drafts.
 */
export const COMPANION_SET = {
  name: 'companions',
  tables: Object.values(COMPANIONS),
  later: [
    COMPANIONS.ai_usage.name,
    COMPANIONS.usage_sums.name,
    COMPANIONS.plan_value.name,
    COMPANIONS.vendors.name,
  ],
  called: 'companion table',
  folder: 'companions/',
  checks: 'companions/audit',
  control: 'companions/control',
  report: 'companions.json',
  served: false,
  shared: {
    names: { [COMPANIONS.ai_usage.name]: 'ai_usage' },
    lacking: 'it was built before there was one, or the account had switched companion tables off',
  },
  queued: true,
  switch: 'companion_tables',
} as const satisfies FileSet;
