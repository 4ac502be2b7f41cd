/** How each table is shown before a reader chooses: its name, its columns, and where its money sits. */

export interface TableView {
  readonly title: string;
  /** The columns shown unless the address names others. */
  readonly columns: readonly string[];
  /** The column that its sums by value add up; null for a table without such a column. */
  readonly amount: string | null;
  /** The columns by whose values the amount is summed. */
  readonly facets: readonly string[];
}

export const TABLE_VIEWS: Readonly<Record<string, TableView>> = {
  accounting_periods: view('Accounting periods', [
    'month',
    'status',
    'locked_at',
    'locked_by_name',
    'reopen_reason',
  ]),
  ai_spend: view(
    'AI spend',
    [
      'month',
      'source_kind',
      'platform',
      'vendor_name',
      'billed_cents',
      'ai_billed_cents',
      'ai_booked_cents',
      'attribution',
    ],
    'billed_cents',
    ['source_kind', 'platform', 'vendor_name', 'attribution'],
  ),
  approval_decisions: view('Approval decisions', [
    'approval_decision_id',
    'subject_title',
    'subject_kind',
    'decision',
    'amount_cents',
    'reason',
    'decided_by_name',
    'decided_at',
  ]),
  budget_vs_actual: view('Budget against actual', [
    'initiative_id',
    'as_of',
    'status',
    'budget_to_date_cents',
    'actual_to_date_cents',
    'variance_cents',
    'currency',
  ]),
  budgets: view('Budgets', [
    'budget_id',
    'initiative_id',
    'status',
    'capex_cents',
    'opex_cents',
    'opex_cadence',
    'effective_from',
    'ends_on',
    'set_by_name',
  ]),
  costs: view(
    'Costs',
    [
      'cost_entry_id',
      'initiative_id',
      'usd_amount_cents',
      'period_month',
      'cost_type',
      'cost_category',
      'vendor_name',
      'source_type',
      'description',
    ],
    'usd_amount_cents',
    ['initiative_id', 'cost_type', 'vendor_name', 'cost_category'],
  ),
  initiatives: view(
    'Initiatives',
    [
      'initiative_id',
      'title',
      'stage',
      'category',
      'department',
      'owner_name',
      'went_live_at',
      'planned_value_cents',
    ],
    'planned_value_cents',
    ['stage', 'category', 'department'],
  ),
  metric_readings: view('Metric readings', [
    'observation_id',
    'metric_name',
    'metric_key',
    'initiative_id',
    'role',
    'value',
    'period_start',
    'source_type',
  ]),
  portfolio_decisions: view('Portfolio decisions', [
    'portfolio_decision_id',
    'subject_title',
    'outcome',
    'stage_before',
    'stage_after',
    'rationale',
    'decided_by_name',
    'decided_at',
  ]),
  reported_totals: view('Reported totals', [
    'scope',
    'initiative_id',
    'window_label',
    'cost_cents',
    'cash_value_cents',
    'freed_capacity_cents',
    'net_value_cents',
    'roi',
  ]),
  reported_value: view(
    'Reported value',
    [
      'value_entry_id',
      'initiative_id',
      'usd_amount_cents',
      'period_month',
      'entry_type',
      'basis',
      'approved_by_name',
      'formula_name',
      'source_type',
    ],
    'usd_amount_cents',
    ['initiative_id', 'entry_type', 'basis', 'source_type'],
  ),
  snapshot: view('Snapshot', [
    'snapshot_id',
    'account_name',
    'as_of',
    'generated_at',
    'fiscal_year_start_month',
    'sample_initiatives_excluded',
  ]),
  value_inputs: view('Value inputs', [
    'value_entry_id',
    'initiative_id',
    'variable',
    'label',
    'value',
    'source_type',
    'observation_id',
    'assumption_key',
  ]),
  value_supporting_documents: view('Supporting documents', [
    'value_entry_id',
    'initiative_id',
    'title',
    'kind',
    'format',
    'cited_at',
    'app_url',
  ]),
};

function view(
  title: string,
  columns: readonly string[],
  amount: string | null = null,
  facets: readonly string[] = [],
): TableView {
  return { title, columns, amount, facets };
}

/** The view of a table by its name. */
export function viewOf(table: string): TableView {
  return TABLE_VIEWS[table] ?? view(table, []);
}
