/**
 * The companion tables: the rows of the read API at the moment of a snapshot, with fields and statuses that the 14 reporting
 * tables do not have. The API reads them, for requests with `snapshot_id`; what was used of bills is a table of the sharing
 * protocol, too. Rows have the order of the API's lists.
 */
import { listOf, define } from './companion-table.ts';
import type { FileSet } from './file-set.ts';
import { AI_USAGE } from './records/ai_usage.ts';
import { COST_ENTRY } from './records/cost_entry.ts';
import { DECISION } from './records/decision.ts';
import { INITIATIVE } from './records/initiative.ts';
import { INTEGRATION } from './records/integration.ts';
import { METRIC } from './records/metric.ts';
import { OBSERVATION } from './records/observation.ts';
import { VALUE_ENTRY } from './records/value_entry.ts';
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
  initiatives: listOf(INITIATIVE, PLAN_FACTS),
  cost_entries: listOf(COST_ENTRY, {}),
  value_entries: listOf(VALUE_ENTRY, {}),
  metrics: listOf(METRIC, {}),
  observations: listOf(OBSERVATION, {}),
  decisions: listOf(DECISION, {}),
  integrations: listOf(INTEGRATION, PLATFORM_FACTS),
  ai_usage: listOf(AI_USAGE, {}),
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
