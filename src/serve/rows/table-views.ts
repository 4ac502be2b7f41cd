/** How a table is shown by default: its title, its columns, and the column with its amounts. */
import type { Table } from '../../tables/table.ts';

export interface TableView {
  readonly title: string;
  /** The columns shown unless the address names others. */
  readonly columns: readonly string[];
  /** The column of cents that the sums beside the rows add up; null for a table without such a column. */
  readonly amount: string | null;
  /** The columns by whose values the amount is summed. */
  readonly facets: readonly string[];
}

/** The views of tables with amounts; `viewOf` makes the view of any other table by a rule. */
export const MONEY_VIEWS: Readonly<Record<string, TableView>> = {
  ai_spend: view(
    'AI spend',
    ['month', 'source_kind', 'biller', 'billed_cents', 'ai_billed_cents', 'ai_booked_cents', 'attribution'],
    'billed_cents',
    ['source_kind', 'biller', 'attribution'],
  ),
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
      'vendor_id',
      'source_type',
      'description',
    ],
    'usd_amount_cents',
    ['initiative_id', 'cost_type', 'vendor_id', 'cost_category'],
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
};

function view(
  title: string,
  columns: readonly string[],
  amount: string | null = null,
  facets: readonly string[] = [],
): TableView {
  return { title, columns, amount, facets };
}

/** How many columns a table without a view of its own shows. */
const MAX_COLUMNS = 9;

/** The view of a table. */
export function viewOf({ name, columns }: Table): TableView {
  const own = MONEY_VIEWS[name];
  if (own !== undefined) return own;
  const names = columns.map((column) => column.name);
  // A person's id is left out, because the name is shown; links and `snapshot_id` say nothing about a row.
  const readable = columns.filter(
    (column) =>
      column.kind !== 'json' &&
      !['snapshot_id', 'app_url'].includes(column.name) &&
      !(column.name.endsWith('_id') && names.includes(column.name.replace(/_id$/, '_name'))),
  );
  const shown = readable.length > 0 ? readable : columns;
  const words = name.replaceAll('_', ' ');
  return view(
    `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`,
    shown.slice(0, MAX_COLUMNS).map((column) => column.name),
  );
}
