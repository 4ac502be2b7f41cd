/**
 * A tiny company as the files of one snapshot, its totals worked by hand. Fiscal years begin in April; the day
 * described is 2026-08-15, in the second quarter of fiscal year 2027.
 */
import { tableNamed } from '../../../src/tables/all.ts';
import { approvalDecisions, metricReadings, supportingDocuments, valueInputs } from './audited-evidence.ts';
import { at, cost, initiative, inputs, type MutableRow, total, value } from './audited-rows.ts';
import { accountingPeriods, aiSpend, budgetVsActual, budgets, portfolioDecisions } from './audited-spend.ts';

/** The rows of each table, without `snapshot_id`. */
export type Company = Record<string, MutableRow[]>;

export const SNAPSHOT = {
  snapshot_id: '20260815T020000Z',
  account_id: 7n,
  generated_at: at('2026-08-15', 2 * 3600) + 123456n,
  // Entry 16 alone waits on a rate.
  left_out: {
    cost: [],
    value: [
      { currency: 'EUR', amount_cents: 700, entries: 1, capacity_amount_cents: 0, capacity_entries: 0 },
    ],
  },
};

/** A new copy, free to be changed. */
export function company(): Company {
  const euros = {
    currency: 'EUR',
    usd_rate: 1.0855,
    usd_rate_from: '2025-12-01',
    usd_rate_through: '2025-12-31',
  };
  return {
    snapshot: [
      {
        schema_version: 'v1',
        generated_at: SNAPSHOT.generated_at,
        as_of: '2026-08-15',
        account_id: 7n,
        account_name: 'Harbour',
        fiscal_year_start_month: 4,
        sample_initiatives_excluded: 2,
      },
    ],
    initiatives: [
      initiative(1n, {
        module_kind: 'agents',
        department: 'Service',
        business_unit: 'North',
        priority: 1,
        owner_id: 501n,
        owner_name: 'Ada',
        started_at: at('2025-06-01'),
        went_live_at: at('2026-02-01', 9),
        closed_at: at('2026-08-01'),
        archived_at: at('2026-08-02'),
        planned_capex_cents: 999n,
        planned_opex_cents: 50n,
        planned_cost_savings_cents: 10_000n,
        planned_revenue_uplift_cents: 333n,
        planned_capacity_cents: 100n,
        planned_value_period: 'monthly',
        // 333 at a margin of 0.5 is 166.5, rounded 167; (10,000 + 167) × 12 months × 2 years
        planned_value_cents: 244_008n,
        roi_horizon_years: 2,
        time_to_value_months: 3,
        description: 'Answers mail',
        hypothesis: 'Mail can be answered',
      }),
      initiative(2n, { stage: 'paused', previous_stage: 'live', currency: 'EUR' }),
      initiative(3n, {}), // nothing was ever entered: all time only
    ],
    reported_value: [
      value(11n, 1n, '2025-05-10', {
        amount_cents: 120_000n,
        period_end: at('2025-05-31'),
        vendor_price_effect_cents: 20_000n,
        own_changes_effect_cents: 100_000n,
        recorded_by_id: 501n,
        recorded_by_name: 'Ada',
        notes: 'As billed',
        source_ref: 'row 4',
      }),
      // May: 5,000 freed, 8,000 realised, so nothing is left and nothing is taken from June.
      value(12n, 1n, '2025-05-01', {
        amount_cents: 5_000n,
        entry_type: 'capacity',
        source_type: 'csv',
        provenance: 'Imported from CSV',
      }),
      value(13n, 1n, '2025-05-20', { amount_cents: 8_000n, entry_type: 'capacity_realized' }),
      value(14n, 1n, '2025-06-01', {
        amount_cents: 3_000n,
        entry_type: 'capacity',
        source_type: 'calculated',
        provenance: 'Calculated by Hours',
        formula_id: 61n,
        formula_key: 'hours',
        formula_name: 'Hours',
        formula_version: 2,
        formula_expression: 'a-b',
        input_snapshot: inputs,
        confidence_score: 72.5,
        // Its baseline is history from before go-live.
        basis: 'measured',
      }),
      value(15n, 2n, '2026-07-01', {
        ...euros,
        amount_cents: 1_000n,
        usd_amount_cents: 1_086n, // 1,085.5 away from zero
        entry_type: 'revenue_gain',
        source_type: 'integration',
        provenance: 'Synced from Bridge',
        connection_id: 71n,
        platform: 'bridge',
        vendor_price_effect_cents: -3n, // −3.2565 dollars cents, so −3
        own_changes_effect_cents: 1_003n,
        approved_by_id: null,
        approved_by_name: null,
        approval_source: 'auto',
      }),
      // Waiting on a rate: in no total. No person's decision is on record.
      value(16n, 2n, null, {
        amount_cents: 700n,
        currency: 'EUR',
        usd_amount_cents: null,
        entry_type: 'cost_avoidance',
        source_type: 'assistant',
        provenance: 'Recorded by the assistant',
        is_estimated: true,
        basis: 'estimated',
        approved_at: null,
        approved_by_id: null,
        approved_by_name: null,
      }),
    ],
    value_inputs: valueInputs(),
    value_supporting_documents: supportingDocuments(),
    metric_readings: metricReadings(),
    costs: [
      cost(21n, 1n, '2025-05-01', {
        amount_cents: 50_000n,
        period_end: at('2025-05-31'),
        locked: true,
        vendor_id: 81n,
        vendor_name: 'Acme',
        description: 'Seats',
        notes: 'Yearly',
        books_account_name: 'Software',
        source_type: 'integration',
        connection_id: 71n,
        platform: 'bridge',
        source_ref: 'bill 9',
        implementation_id: 91n,
        recurring_cost_id: 92n,
        allocation_line_id: 93n,
      }),
      cost(22n, 1n, '2025-12-01', {
        ...euros,
        amount_cents: -1_001n,
        usd_amount_cents: -1_087n, // −1,086.5855
        usd_rate_provisional: false,
        cost_category: 'capex',
        is_estimated: true,
        recorded_by_id: 501n,
        recorded_by_name: 'Ada',
      }),
      // Undated: in all time only, and locked by its booking day.
      cost(23n, 2n, null, { amount_cents: 700n, locked: true }),
    ],
    approval_decisions: approvalDecisions(),
    budgets: budgets(),
    budget_vs_actual: budgetVsActual(),
    portfolio_decisions: portfolioDecisions(),
    accounting_periods: accountingPeriods(),
    ai_spend: aiSpend(),
    reported_totals: [
      // Cash 120,000 + 8,000; freed May 0 + June 3,000; cost 50,000 − 1,087 = 48,913.
      total(1n, 'all', {
        cash: 128_000n,
        freed: 3_000n,
        capex: -1_087n,
        opex: 50_000n,
        roi: 79_087 / 48_913,
      }),
      total(1n, 'fy2026', {
        cash: 128_000n,
        freed: 3_000n,
        capex: -1_087n,
        opex: 50_000n,
        roi: 79_087 / 48_913,
      }),
      total(1n, 'q1', { cash: 128_000n, freed: 3_000n, opex: 50_000n, roi: 1.56 }), // 78,000 ÷ 50,000
      total(1n, 'q2'),
      total(1n, 'q3', { capex: -1_087n }),
      total(1n, 'q4'),
      total(1n, 'fy2027'),
      total(1n, 'next1'),
      total(1n, 'next2'),
      // The undated cost of 700 is in all time only.
      total(2n, 'all', { cash: 1_086n, opex: 700n, roi: 386 / 700 }),
      total(2n, 'fy2027', { cash: 1_086n }),
      total(2n, 'next2', { cash: 1_086n }),
      total(3n, 'all'),
      // Cash 128,000 + 1,086; opex 50,000 + 700; net 129,086 − 49,613. Price effect 20,000 − 3.
      // Value due: 244,008 over 24 months from February 2026 is 10,167 a month, seven of them by August.
      total(null, 'all', {
        cash: 129_086n,
        freed: 3_000n,
        capex: -1_087n,
        opex: 50_700n,
        roi: 79_473 / 49_613,
        effect: 19_997n,
        due: [71_169n, 700n, 350n, 999n],
      }),
      total(null, 'fy2026', {
        cash: 128_000n,
        freed: 3_000n,
        capex: -1_087n,
        opex: 50_000n,
        roi: 79_087 / 48_913,
        effect: 20_000n,
        due: [20_334n, 200n, 100n, 999n],
      }),
      total(null, 'q1', {
        cash: 128_000n,
        freed: 3_000n,
        opex: 50_000n,
        roi: 1.56,
        effect: 20_000n,
        due: [0n, 0n, 0n, 999n],
      }),
      total(null, 'q2'),
      total(null, 'q3', { capex: -1_087n }),
      total(null, 'q4', { due: [20_334n, 200n, 100n, 0n] }),
      total(null, 'fy2027', { cash: 1_086n, effect: -3n, due: [50_835n, 500n, 250n, 0n] }),
      total(null, 'next1', { due: [30_501n, 300n, 150n, 0n] }),
      total(null, 'next2', { cash: 1_086n, effect: -3n, due: [20_334n, 200n, 100n, 0n] }),
    ],
  };
}

/** The row of a table by its id; by the parts of its key as text; of totals by initiative and window. */
export function row(rows: Company, table: string, key: bigint | string): MutableRow {
  const declared = tableNamed(table);
  const parts = (declared?.columns ?? []).filter(({ name }) => declared?.key.includes(name));
  const found = rows[table]?.find((each) => {
    if (table === 'reported_totals') {
      return `${each['initiative_id'] ?? 'portfolio'} ${String(each['window_key'])}` === key;
    }
    const said = parts.map(({ name }) => each[name] ?? null).filter((part) => part !== null);
    return said.join(' ') === String(key);
  });
  if (found === undefined) throw new Error(`${table} has no ${key}`);
  return found;
}
