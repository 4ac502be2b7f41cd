/** Rows of a tiny company, each with its every column: what matters is given, the rest is plain. */
import { createHash } from 'node:crypto';
import type { Row } from '../../../src/parquet/row-fields.ts';

export type MutableRow = Record<string, Row[string]>;

const APP = 'https://app.example.com';

/** Microseconds since 1970 of a day, and of a second in it. */
export function at(day: string, second = 0): bigint {
  return BigInt(Date.parse(`${day}T00:00:00Z`) + second * 1000) * 1000n;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** An initiative that has what every one must have, and what is given. */
export function initiative(id: bigint, given: MutableRow): MutableRow {
  return {
    initiative_id: id,
    title: `Initiative ${id}`,
    stage: 'live',
    previous_stage: null,
    category: 'support',
    module_kind: null,
    department: null,
    business_unit: null,
    priority: null,
    owner_id: null,
    owner_name: null,
    started_at: null,
    went_live_at: null,
    closed_at: null,
    archived_at: null,
    planned_capex_cents: null,
    planned_opex_cents: null,
    planned_cost_savings_cents: null,
    planned_revenue_uplift_cents: null,
    planned_capacity_cents: null,
    planned_value_period: null,
    planned_value_cents: 0n,
    roi_horizon_years: null,
    time_to_value_months: null,
    description: null,
    hypothesis: null,
    created_at: at('2025-04-02', 1) + 1n,
    app_url: `${APP}/initiatives/${id}`,
    currency: 'USD',
    ...given,
  };
}

const noInputs = '{}';
/** Frozen inputs with a baseline measured from history; `valueInputs` is what they unfold into. */
export const inputs =
  '{"expression":"a-b","inputs":{' +
  '"a":{"input_period_end":"2026-06-30","input_period_start":"2026-06-01","label":"Hours \\"now\\"","metric_key":"hours","observation_id":1001,"observed_at":"2026-06-30T22:00:00Z","source_type":"observation","value":12.5},' +
  '"b":{"baseline_method":"history","metric_key":"hours","observation_id":1002,"observed_at":"2025-03-01","source_type":"baseline","value":20},' +
  '"c":{"assumption_effective_from":"2025-01-01","assumption_id":31,"assumption_key":"rate","assumption_scope":"account","requires_confirmation":true,"source_type":"assumption","value":50},' +
  '"d":{"expression":"c*2","source_type":"derived"}}}';

/** An approved entry that starts on the day, in dollars unless given otherwise. */
export function value(id: bigint, initiative_id: bigint, day: string | null, given: MutableRow): MutableRow {
  const input_snapshot = given['input_snapshot'] ?? noInputs;
  return {
    value_entry_id: id,
    initiative_id,
    amount_cents: 0n,
    currency: 'USD',
    usd_amount_cents: given['amount_cents'] ?? 0n,
    usd_rate: null,
    usd_rate_from: null,
    usd_rate_through: null,
    entry_type: 'cost_savings',
    period_start: day === null ? null : at(day),
    period_end: null,
    period_month: day === null ? null : `${day.slice(0, 7)}-01`,
    is_estimated: false,
    confidence_score: null,
    source_type: 'manual',
    provenance: 'Entered by hand',
    connection_id: null,
    platform: null,
    source_ref: null,
    formula_id: null,
    formula_key: null,
    formula_name: null,
    formula_version: null,
    formula_expression: null,
    input_snapshot,
    input_snapshot_sha256: sha256(String(input_snapshot)),
    vendor_price_effect_cents: null,
    own_changes_effect_cents: null,
    notes: null,
    recorded_by_id: null,
    recorded_by_name: null,
    approved_at: at('2026-07-10', 5),
    approved_by_id: 502n,
    approved_by_name: 'Bo',
    approval_source: 'direct',
    created_at: at('2026-07-09'),
    updated_at: at('2026-07-11'),
    app_url: `${APP}/initiatives/${initiative_id}/value/${id}`,
    basis: 'none',
    ...given,
  };
}

/** A cost that starts on the day, in dollars unless given otherwise. */
export function cost(id: bigint, initiative_id: bigint, day: string | null, given: MutableRow): MutableRow {
  return {
    cost_entry_id: id,
    initiative_id,
    amount_cents: 0n,
    currency: 'USD',
    usd_amount_cents: given['amount_cents'] ?? 0n,
    usd_rate: null,
    usd_rate_from: null,
    usd_rate_through: null,
    usd_rate_provisional: null,
    cost_category: 'opex',
    cost_type: 'licenses',
    period_start: day === null ? null : at(day),
    period_end: null,
    period_month: day === null ? null : `${day.slice(0, 7)}-01`,
    is_estimated: false,
    locked: false,
    vendor_id: null,
    vendor_name: null,
    description: null,
    notes: null,
    books_account_name: null,
    source_type: 'manual',
    connection_id: null,
    platform: null,
    source_ref: null,
    implementation_id: null,
    recurring_cost_id: null,
    allocation_line_id: null,
    recorded_by_id: null,
    recorded_by_name: null,
    created_at: at('2025-05-03', 7),
    updated_at: at('2025-06-01', 8),
    app_url: `${APP}/initiatives/${initiative_id}/costs/${id}`,
    ...given,
  };
}

type Window = readonly [key: string, label: string, from: string | null, through: string, complete: boolean];

const WINDOWS = {
  all: ['all', 'All time', null, '2026-08-15', false],
  fy2026: ['fy2026', 'FY2026', '2025-04-01', '2026-03-31', true],
  q1: ['fy2026-q1', 'FY2026 Q1', '2025-04-01', '2025-06-30', true],
  q2: ['fy2026-q2', 'FY2026 Q2', '2025-07-01', '2025-09-30', true],
  q3: ['fy2026-q3', 'FY2026 Q3', '2025-10-01', '2025-12-31', true],
  q4: ['fy2026-q4', 'FY2026 Q4', '2026-01-01', '2026-03-31', true],
  fy2027: ['fy2027', 'FY2027', '2026-04-01', '2027-03-31', false],
  next1: ['fy2027-q1', 'FY2027 Q1', '2026-04-01', '2026-06-30', true],
  next2: ['fy2027-q2', 'FY2027 Q2', '2026-07-01', '2026-09-30', false],
} as const satisfies Record<string, Window>;

interface Figures {
  readonly cash?: bigint;
  readonly freed?: bigint;
  readonly capex?: bigint;
  readonly opex?: bigint;
  readonly roi?: number;
  readonly effect?: bigint;
  /** Value, capacity, opex and capex due of plans. */
  readonly due?: readonly [bigint, bigint, bigint, bigint];
}

/** A row of `reported_totals`: for the portfolio without an initiative; its figures are zero where none is given. */
export function total(
  initiative_id: bigint | null,
  window: keyof typeof WINDOWS,
  figures: Figures = {},
): MutableRow {
  const [window_key, window_label, from_date, through_date, window_complete] = WINDOWS[window];
  const { cash = 0n, freed = 0n, capex = 0n, opex = 0n, roi = null, effect = null } = figures;
  const due = figures.due ?? [0n, 0n, 0n, 0n];
  const portfolio = initiative_id === null;
  return {
    scope: portfolio ? 'portfolio' : 'initiative',
    initiative_id,
    window_kind: window === 'all' ? 'all_time' : window_key.includes('-q') ? 'fiscal_quarter' : 'fiscal_year',
    window_key,
    window_label,
    from_date,
    through_date,
    window_complete,
    cash_value_cents: cash,
    freed_capacity_cents: freed,
    cost_cents: capex + opex,
    net_value_cents: cash - capex - opex,
    roi,
    capex_cents: portfolio ? capex : null,
    opex_cents: portfolio ? opex : null,
    planned_value_to_date_cents: portfolio ? due[0] : null,
    planned_capacity_to_date_cents: portfolio ? due[1] : null,
    planned_opex_to_date_cents: portfolio ? due[2] : null,
    planned_capex_cents: portfolio ? due[3] : null,
    vendor_price_effect_cents: effect,
  };
}
