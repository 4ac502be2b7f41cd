/** The control totals that a ledger holding exactly these rows would state. */
import { encodeControl } from '../../../src/snapshot/builder/control-file.ts';
import type { Company } from './audited-company.ts';
import { controlBeside } from './audited-control-beside.ts';
import type { MutableRow } from './audited-rows.ts';
import { count, fingerprint, greatest, groups, least, md5, sum, trues } from './audited-sums.ts';

/** By base table; every figure as text. */
export type ControlTotals = Record<string, Record<string, string | null>[]>;

/** The file that states them. */
export async function controlFile(totals: ControlTotals): Promise<Buffer> {
  const rows = Object.entries(totals).flatMap(([base_table, figures]) =>
    figures.map((each, before) => ({ base_table, row: before + 1, figures: each })),
  );
  return Buffer.concat(await Array.fromAsync(encodeControl(rows)));
}

export function controlOf(company: Company): ControlTotals {
  return {
    ...controlBeside(company),
    accounts: [
      {
        id: '7',
        name_digest: md5('Harbour'),
        fiscal_year_start_month: '4',
        contribution_margin: '0.5000',
        app_url: 'https://app.example.com',
      },
    ],
    books_accounts: [{ id: '5', name_digest: md5('Software') }],
    connections: [{ id: '71', platform_key: 'bridge', name_digest: md5('Main'), set_aside: 'false' }],
    formula_versions: [{ id: '65', formula_id: '61', version: '2', name_digest: md5('Hours') }],
    formulas: [{ id: '61', formula_key: 'hours' }],
    platforms: [{ key: 'bridge', name_digest: md5('Bridge') }],
    users: [
      { id: '501', name_digest: md5('Ada') },
      { id: '502', name_digest: md5('Bo') },
      { id: '503', name_digest: null },
    ],
    cost_entries: groups(company['costs'], ['currency']).map(({ key, rows }) => ({ ...key, ...costs(rows) })),
    value_entries: [
      { status: 'draft', currency: null, entry_type: null, rows: '1', fingerprint: null },
      ...groups(company['reported_value'], ['currency', 'entry_type']).map(({ key, rows }) => ({
        status: 'approved',
        ...key,
        ...values(rows),
      })),
    ],
    initiatives: [
      ...groups(company['initiatives'], ['currency']).map(({ key, rows }) => ({
        is_sample: 'false',
        ...key,
        ...initiatives(rows),
      })),
      { is_sample: 'true', currency: 'USD', rows: '2', fingerprint: '0' },
    ],
  };
}

function shared(rows: readonly MutableRow[], id: string): Record<string, string> {
  return { rows: String(rows.length), least_id: least(rows, id), greatest_id: greatest(rows, id) };
}

function entries(rows: readonly MutableRow[]): Record<string, string> {
  return {
    amount_cents: sum(rows, 'amount_cents'),
    usd_amount_cents: sum(rows, 'usd_amount_cents'),
    empty_dollars: String(rows.filter((row) => row['usd_amount_cents'] === null).length),
    with_rate: count(rows, 'usd_rate'),
    estimated: trues(rows, 'is_estimated'),
    with_period_start: count(rows, 'period_start'),
    with_period_end: count(rows, 'period_end'),
    with_notes: count(rows, 'notes'),
    with_connection: count(rows, 'connection_id'),
    connection_ids: sum(rows, 'connection_id'),
    with_source_ref: count(rows, 'source_ref'),
    with_recorder: count(rows, 'recorded_by_id'),
    recorder_ids: sum(rows, 'recorded_by_id'),
  };
}

function costs(rows: readonly MutableRow[]): Record<string, string> {
  return {
    ...shared(rows, 'cost_entry_id'),
    ...entries(rows),
    capex_usd_cents: sum(rows, 'usd_amount_cents', (row) => row['cost_category'] === 'capex'),
    opex_usd_cents: sum(rows, 'usd_amount_cents', (row) => row['cost_category'] === 'opex'),
    provisional: trues(rows, 'usd_rate_provisional'),
    with_vendor: count(rows, 'vendor_id'),
    vendor_ids: sum(rows, 'vendor_id'),
    with_vendor_name: count(rows, 'vendor_name'),
    with_description: count(rows, 'description'),
    with_books_account: count(rows, 'books_account_name'),
    with_implementation: count(rows, 'implementation_id'),
    with_recurring_cost: count(rows, 'recurring_cost_id'),
    with_allocation_line: count(rows, 'allocation_line_id'),
    fingerprint: fingerprint(rows, COST_PARTS),
  };
}

function values(rows: readonly MutableRow[]): Record<string, string> {
  return {
    ...shared(rows, 'value_entry_id'),
    ...entries(rows),
    vendor_price_effect_cents: sum(rows, 'vendor_price_effect_cents'),
    own_changes_effect_cents: sum(rows, 'own_changes_effect_cents'),
    with_effects: count(rows, 'vendor_price_effect_cents'),
    with_confidence: count(rows, 'confidence_score'),
    with_formula: count(rows, 'formula_id'),
    with_expression: count(rows, 'formula_expression'),
    with_approval: count(rows, 'approved_at'),
    fingerprint: fingerprint(rows, VALUE_PARTS),
  };
}

function initiatives(rows: readonly MutableRow[]): Record<string, string> {
  const sums = ['capex', 'opex', 'cost_savings', 'revenue_uplift', 'capacity'].map(
    (kind) => `planned_${kind}_cents`,
  );
  const counted = {
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
  };
  return {
    ...shared(rows, 'initiative_id'),
    ...Object.fromEntries(sums.map((name) => [name, sum(rows, name)])),
    ...Object.fromEntries(Object.entries(counted).map(([name, column]) => [name, count(rows, column)])),
    owner_ids: sum(rows, 'owner_id'),
    fingerprint: fingerprint(rows, INITIATIVE_PARTS),
  };
}

const COST_PARTS =
  'cost_entry_id initiative_id amount_cents currency usd_amount_cents usd_rate usd_rate_from usd_rate_through cost_category cost_type period_start period_end is_estimated vendor_id vendor_name description notes source_type connection_id source_ref implementation_id recurring_cost_id allocation_line_id recorded_by_id created_at updated_at';
const VALUE_PARTS =
  'value_entry_id initiative_id amount_cents currency usd_amount_cents usd_rate usd_rate_from usd_rate_through entry_type period_start period_end is_estimated confidence_score source_type connection_id source_ref input_snapshot_sha256 vendor_price_effect_cents own_changes_effect_cents notes recorded_by_id created_at updated_at';
const INITIATIVE_PARTS =
  'initiative_id title stage previous_stage category module_kind department business_unit priority owner_id started_at went_live_at closed_at archived_at planned_capex_cents planned_opex_cents planned_cost_savings_cents planned_revenue_uplift_cents planned_capacity_cents planned_value_period roi_horizon_years time_to_value_months description hypothesis created_at currency';
