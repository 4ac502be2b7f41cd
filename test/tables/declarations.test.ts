import { describe, expect, it } from 'vitest';
import { TABLES, tableNamed } from '../../src/tables/all.ts';

/**
 * The contract's lists, transcribed by hand from its "Resources and their fields": name and kind in published
 * order, `?` for nullable. `initiatives` and `budget_vs_actual` have one column more than the contract: `currency`,
 * added last.
 */
const CONTRACT: Readonly<Record<string, string>> = {
  snapshot: `snapshot_id string
    schema_version string; generated_at timestamp; as_of date; account_id id; account_name string;
    fiscal_year_start_month integer; sample_initiatives_excluded integer`,
  initiatives: `snapshot_id string
    initiative_id id; title string; stage string; previous_stage string?; category string; module_kind string?;
    department string?; business_unit string?; priority integer?; owner_id id?; owner_name string?;
    started_at timestamp?; went_live_at timestamp?; closed_at timestamp?; archived_at timestamp?;
    planned_capex_cents cents?; planned_opex_cents cents?; planned_cost_savings_cents cents?;
    planned_revenue_uplift_cents cents?; planned_capacity_cents cents?; planned_value_period string?;
    planned_value_cents cents; roi_horizon_years integer?; time_to_value_months integer?; description text?;
    hypothesis text?; created_at timestamp; app_url string; currency string?`,
  reported_value: `snapshot_id string
    value_entry_id id; initiative_id id; amount_cents cents; currency string; usd_amount_cents cents?;
    usd_rate number?; usd_rate_from date?; usd_rate_through date?; entry_type string; period_start timestamp?;
    period_end timestamp?; period_month date?; is_estimated boolean; confidence_score number?;
    source_type string; provenance string; connection_id id?; platform string?; source_ref string?;
    formula_id id?; formula_key string?; formula_name string?; formula_version integer?;
    formula_expression string?; input_snapshot json; input_snapshot_sha256 string;
    vendor_price_effect_cents cents?; own_changes_effect_cents cents?; notes text?; recorded_by_id id?;
    recorded_by_name string?; approved_at timestamp?; approved_by_id id?; approved_by_name string?;
    approval_source string; created_at timestamp; updated_at timestamp; app_url string; basis string?`,
  value_inputs: `snapshot_id string
    value_entry_id id; initiative_id id; variable string; label string?; value number?; source_type string?;
    metric_key string?; observation_id id?; assumption_id id?; assumption_key string?; assumption_scope string?;
    requires_confirmation boolean?; assumption_effective_from string?; observed_at string?;
    input_period_start string?; input_period_end string?; expression string?`,
  value_supporting_documents: `snapshot_id string
    value_entry_id id; document_id id; initiative_id id; kind string; restricted boolean; title string?;
    format string; cited_at timestamp; app_url string`,
  metric_readings: `snapshot_id string
    observation_id id; metric_key string; metric_name string?; initiative_id id?; role string; value number;
    currency string?; period_start timestamp?; period_end timestamp?; observed_at timestamp?;
    sample_size integer?; is_estimated boolean; source_type string; connection_id id?; dimensions json;
    notes text?; recorded_by_id id?; recorded_by_name string?; baseline_method string?; time_study_id id?;
    valid_until date?`,
  costs: `snapshot_id string
    cost_entry_id id; initiative_id id; amount_cents cents; currency string; usd_amount_cents cents?;
    usd_rate number?; usd_rate_from date?; usd_rate_through date?; usd_rate_provisional boolean?;
    cost_category string; cost_type string; period_start timestamp?; period_end timestamp?;
    period_month date?; is_estimated boolean; locked boolean; vendor_id id?; vendor_name string?;
    description text?; notes text?; books_account_name string?; source_type string; connection_id id?;
    platform string?; source_ref string?; implementation_id id?; recurring_cost_id id?;
    allocation_line_id id?; recorded_by_id id?; recorded_by_name string?; created_at timestamp;
    updated_at timestamp; app_url string`,
  approval_decisions: `snapshot_id string
    approval_decision_id id; subject_kind string; subject_id id; initiative_id id?; subject_title string;
    item_label string?; decision string; resulting_state string?; step integer?; total_steps integer?;
    source string; amount_cents cents?; currency string?; reason text?; decided_by_id id?;
    decided_by_name string?; decided_at timestamp`,
  budgets: `snapshot_id string
    budget_id id; initiative_id id; status string; source string; capex_cents cents; opex_cents cents;
    opex_cadence string; currency string; effective_from date; ends_on date?; reason text?; set_by_id id?;
    set_by_name string?; decided_at timestamp?; decided_by_id id?; decided_by_name string?;
    decision_reason text?; approval_decision_id id?; created_at timestamp; app_url string`,
  budget_vs_actual: `snapshot_id string
    as_of date; initiative_id id; status string; budget_id id; revised boolean; capex_budget_cents cents;
    capex_actual_cents cents; opex_budget_to_date_cents cents; opex_actual_cents cents;
    budget_to_date_cents cents; actual_to_date_cents cents; variance_cents cents;
    opex_budget_fiscal_year_cents cents; opex_budget_fiscal_ytd_cents cents;
    opex_actual_fiscal_ytd_cents cents; spent_before_budget_cents cents;
    budget_monthly_run_rate_cents cents; actual_monthly_run_rate_cents cents?; currency string?`,
  portfolio_decisions: `snapshot_id string
    portfolio_decision_id id; initiative_id id?; subject_title string; outcome string; stage_before string;
    stage_after string; rationale text; next_review_on date?; cash_value_cents cents;
    freed_capacity_cents cents; cost_to_date_cents cents; planned_value_cents cents?;
    planned_value_to_date_cents cents?; roi number?; currency string; decided_by_id id?;
    decided_by_name string?; decided_at timestamp; app_url string?`,
  accounting_periods: `snapshot_id string
    month date; status string; locked boolean; locked_at timestamp?; locked_by_id id?; locked_by_name string?;
    reopened_at timestamp?; reopened_by_id id?; reopened_by_name string?; reopen_reason text?`,
  ai_spend: `snapshot_id string
    month date; source_kind string; connection_id id?; platform string?; connection_name string?;
    vendor_name string?; billed_cents cents; currency string; attribution string?; set_aside boolean?;
    initiative_count integer?; booked_cents cents?; ai_billed_cents cents?; ai_booked_cents cents?`,
  reported_totals: `snapshot_id string
    scope string; initiative_id id?; window_kind string; window_key string; window_label string;
    from_date date?; through_date date?; window_complete boolean; cash_value_cents cents;
    freed_capacity_cents cents; cost_cents cents; net_value_cents cents; roi number?; capex_cents cents?;
    opex_cents cents?; planned_value_to_date_cents cents?; planned_capacity_to_date_cents cents?;
    planned_opex_to_date_cents cents?; planned_capex_cents cents?; vendor_price_effect_cents cents?`,
};

/** Values as the contract lists them, the stages from its table of states; beside them, nothing is enumerated. */
const STAGES = 'identified reviewing implementing live paused completed rejected dismissed';
const VALUES: Readonly<Record<string, string>> = {
  'initiatives.stage': STAGES,
  'initiatives.previous_stage': STAGES,
  'initiatives.planned_value_period': 'monthly quarterly annually',
  'reported_value.entry_type': 'revenue_gain cost_savings cost_avoidance capacity capacity_realized',
  'reported_value.source_type': 'manual assistant csv calculated integration',
  'reported_value.approval_source': 'auto direct',
  'reported_value.basis': 'measured reconstructed estimated none',
  'value_inputs.source_type': 'observation baseline assumption period derived',
  'value_inputs.assumption_scope': 'system account',
  'value_supporting_documents.kind': 'business_case review_deck sow contract other',
  'value_supporting_documents.format': 'file link',
  'metric_readings.role': 'reading baseline',
  'metric_readings.source_type': 'integration manual assistant csv calculated system time_study',
  'metric_readings.baseline_method': 'history time_study without_ai_sample benchmark estimate',
  'costs.cost_category': 'capex opex',
  'approval_decisions.subject_kind': 'initiative value_entry budget charter',
  'approval_decisions.decision': 'approved step_approved rejected disputed sent_back',
  'approval_decisions.source': 'direct bulk auto backfill assistant import',
  'budgets.status': 'pending approved rejected withdrawn',
  'budgets.source': 'approval revision manual',
  'budgets.opex_cadence': 'monthly quarterly annually',
  'budget_vs_actual.status': 'within over',
  'portfolio_decisions.outcome': 'continue scale fix pause retire',
  'portfolio_decisions.stage_before': STAGES,
  'portfolio_decisions.stage_after': STAGES,
  'accounting_periods.status': 'open in_review locked reopened',
  'ai_spend.source_kind': 'provider_bill ai_vendor card',
  'ai_spend.attribution': 'attributed unlinked unmapped unbooked',
  'reported_totals.scope': 'portfolio initiative',
  'reported_totals.window_kind': 'all_time fiscal_quarter fiscal_year',
};

const KEYS: Readonly<Record<string, readonly string[]>> = {
  snapshot: ['snapshot_id'],
  initiatives: ['initiative_id'],
  reported_value: ['value_entry_id'],
  value_inputs: ['value_entry_id', 'variable'],
  value_supporting_documents: ['value_entry_id', 'document_id'],
  metric_readings: ['observation_id'],
  costs: ['cost_entry_id'],
  approval_decisions: ['approval_decision_id'],
  budgets: ['budget_id'],
  budget_vs_actual: ['initiative_id', 'as_of'],
  portfolio_decisions: ['portfolio_decision_id'],
  accounting_periods: ['month'],
  ai_spend: ['month', 'source_kind', 'connection_id', 'vendor_name'],
  reported_totals: ['scope', 'initiative_id', 'window_key'],
};

it('the tables are listed in published order', () => {
  expect(TABLES.map((table) => table.name)).toEqual(Object.keys(CONTRACT));
});

it('a table is found by its exact name only', () => {
  expect(TABLES.map((table) => tableNamed(table.name))).toEqual(TABLES);
  expect(tableNamed('Costs')).toBeUndefined();
  expect(tableNamed('toString')).toBeUndefined();
});

it('the enumerated columns are those of the contract and no others', () => {
  const declared = TABLES.flatMap((table) =>
    table.columns.flatMap(({ name, values }) =>
      values ? [[`${table.name}.${name}`, values.join(' ')]] : [],
    ),
  );
  expect(Object.fromEntries(declared)).toEqual(VALUES);
});

/** What joins the tables beside the snapshot and the initiative, as the contract says it of single columns. */
const JOINS: Readonly<Record<string, string>> = {
  'value_inputs.value_entry_id': 'reported_value',
  'value_inputs.observation_id': 'metric_readings',
  'value_supporting_documents.value_entry_id': 'reported_value',
  'budgets.approval_decision_id': 'approval_decisions',
  'budget_vs_actual.budget_id': 'budgets',
};

it('the tables budget_vs_actual and reported_totals are computed, and the rest selected', () => {
  const computed = TABLES.filter((table) => table.from === null);
  expect(computed.map((table) => table.name)).toEqual(['budget_vs_actual', 'reported_totals']);
});

describe.each(TABLES)('the table $name', (table) => {
  it('has the columns of the contract in its order, kind and nullability', () => {
    const declared = table.columns.map(({ name, kind, nullable }) => `${name} ${kind}${nullable ? '?' : ''}`);
    expect(declared).toEqual(
      (CONTRACT[table.name] ?? '')
        .split(/;|\n(?=\s+\w+ \w+)/)
        .map((part) => part.trim())
        .filter(Boolean),
    );
  });

  it('is known by its key', () => {
    expect(table.key).toEqual(KEYS[table.name]);
  });

  it('uses delta encoding only for ids and texts', () => {
    const delta = table.columns.filter(({ encoding }) => encoding === 'delta').map(({ kind }) => kind);
    expect(delta.filter((kind) => !['id', 'string', 'text', 'json'].includes(kind))).toEqual([]);
  });

  it('names only its own columns in its control totals', () => {
    const { by = [], except = [], sums = [], counts = {}, texts = {} } = table.copied ?? {};
    const counted = Object.values(counts).map((column) => (typeof column === 'string' ? column : column[0]));
    const own = table.columns.map(({ name }) => name);
    const named = [...by, ...except, ...sums, ...counted, ...Object.keys(texts)];
    expect(named.filter((name) => !own.includes(name))).toEqual([]);
  });

  it('names each column once', () => {
    expect(new Set(table.columns.map(({ name }) => name)).size).toBe(table.columns.length);
  });

  it('describes every column in one sentence that says when it is empty', () => {
    const wrong = table.columns.filter(
      ({ nullable, description }) =>
        !/^[A-Z`].+\.$/s.test(description) ||
        /\. [A-Z]/.test(description) ||
        (nullable && !/\bempty\b/.test(description)),
    );
    expect(wrong).toEqual([]);
  });

  it('refers only to tables with one key column, of the same kind', () => {
    const wrong = table.columns.filter(({ kind, references }) => {
      if (references === undefined) return false;
      const target = tableNamed(references);
      const [key, ...more] = target?.columns.filter(({ name }) => target.key.includes(name)) ?? [];
      return key?.kind !== kind || more.length > 0;
    });
    expect(wrong).toEqual([]);
  });

  it('joins the snapshot, its initiative and the other tables that it names', () => {
    const references = Object.fromEntries(
      table.columns.flatMap(({ name, references: to }) => (to === undefined ? [] : [[name, to]])),
    );
    const expected: Record<string, string> = table.name === 'snapshot' ? {} : { snapshot_id: 'snapshot' };
    const namesInitiative = table.columns.some(({ name }) => name === 'initiative_id');
    if (namesInitiative && table.name !== 'initiatives') expected.initiative_id = 'initiatives';
    for (const [column, to] of Object.entries(JOINS)) {
      const [from = '', name = ''] = column.split('.');
      if (from === table.name) expected[name] = to;
    }
    expect(references).toEqual(expected);
  });
});
