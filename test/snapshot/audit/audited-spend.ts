/** What the tiny company meant to spend, what it decided, which months it closed, and what its AI cost. */
import type { MutableRow } from './audited-rows.ts';
import { at } from './audited-rows.ts';

const APP = 'https://app.example.com';

/** A budget version: approved in dollars by Bo unless given otherwise. */
export function budget(
  id: bigint,
  initiative_id: bigint,
  effective_from: string,
  given: MutableRow,
): MutableRow {
  return {
    budget_id: id,
    initiative_id,
    status: 'approved',
    source: 'approval',
    capex_cents: 0n,
    opex_cents: 0n,
    opex_cadence: 'monthly',
    currency: 'USD',
    effective_from,
    ends_on: null,
    reason: null,
    set_by_id: 501n,
    set_by_name: 'Ada',
    decided_at: at('2025-04-20'),
    decided_by_id: 502n,
    decided_by_name: 'Bo',
    decision_reason: null,
    approval_decision_id: null,
    created_at: at('2025-04-10'),
    app_url: `${APP}/initiatives/${initiative_id}/budget/${id}`,
    ...given,
  };
}

export function budgets(): MutableRow[] {
  return [
    budget(401n, 1n, '2025-05-15', {
      capex_cents: 1_000n,
      opex_cents: 100_000n,
      opex_cadence: 'quarterly',
      approval_decision_id: 309n,
    }),
    budget(402n, 1n, '2025-11-01', {
      source: 'revision',
      capex_cents: 2_000n,
      opex_cents: 30_001n,
      reason: 'More mail',
      decision_reason: 'Agreed',
      decided_at: at('2025-10-20'),
    }),
    budget(403n, 1n, '2026-09-01', {
      status: 'pending',
      source: 'revision',
      decided_at: null,
      decided_by_id: null,
      decided_by_name: null,
    }),
    budget(404n, 2n, '2025-05-01', {
      capex_cents: 500n,
      opex_cents: 1_200n,
      opex_cadence: 'annually',
      currency: 'EUR',
      ends_on: '2025-10-31',
    }),
  ];
}

type Compared = readonly [capexBudget: bigint, capex: bigint, opexBudget: bigint, opex: bigint];
type Fiscal = readonly [year: bigint, toDate: bigint, actual: bigint];

/** A row of `budget_vs_actual` whose sums follow from its parts. */
export function comparison(
  as_of: string,
  initiative_id: bigint,
  budget_id: bigint,
  [capexBudget, capex, opexBudget, opex]: Compared,
  [year, toDate, actual]: Fiscal,
  given: MutableRow,
): MutableRow {
  return {
    as_of,
    initiative_id,
    status: capex > capexBudget || opex > opexBudget ? 'over' : 'within',
    budget_id,
    revised: false,
    capex_budget_cents: capexBudget,
    capex_actual_cents: capex,
    opex_budget_to_date_cents: opexBudget,
    opex_actual_cents: opex,
    budget_to_date_cents: capexBudget + opexBudget,
    actual_to_date_cents: capex + opex,
    variance_cents: capexBudget + opexBudget - capex - opex,
    opex_budget_fiscal_year_cents: year,
    opex_budget_fiscal_ytd_cents: toDate,
    opex_actual_fiscal_ytd_cents: actual,
    spent_before_budget_cents: 0n,
    budget_monthly_run_rate_cents: 0n,
    actual_monthly_run_rate_cents: 0n,
    currency: 'USD',
    ...given,
  };
}

/**
 * Initiative 1: 100,000 a quarter from May to October 2025, then 30,001 a month. It spent 50,000 in May 2025 and got
 * 1,087 of capex back in December. Fiscal year 2026: 6 months make 200,000, 5 make 150,005.
 */
export function budgetVsActual(): MutableRow[] {
  const first = { budget_monthly_run_rate_cents: 33_333n }; // 100,000 ÷ 3
  const second = { budget_monthly_run_rate_cents: 30_001n, revised: true };
  const euros = { currency: 'EUR', budget_monthly_run_rate_cents: 100n };
  return [
    // 2 of 3 months of 100,000 are 66,667; May and June cost 25,000 a month.
    comparison('2025-06-30', 1n, 401n, [1_000n, 0n, 66_667n, 50_000n], [350_005n, 66_667n, 50_000n], {
      ...first,
      actual_monthly_run_rate_cents: 25_000n,
    }),
    // 5 months are 166,667; nothing was spent from July to September.
    comparison('2025-09-30', 1n, 401n, [1_000n, 0n, 166_667n, 50_000n], [350_005n, 166_667n, 50_000n], first),
    comparison(
      '2025-12-31',
      1n,
      402n,
      [2_000n, -1_087n, 260_002n, 50_000n],
      [350_005n, 260_002n, 50_000n],
      second,
    ),
    comparison(
      '2026-03-31',
      1n,
      402n,
      [2_000n, -1_087n, 350_005n, 50_000n],
      [350_005n, 350_005n, 50_000n],
      second,
    ),
    // 200,000 + 8 × 30,001; fiscal year 2027 has 12 months of 30,001, three of them by June.
    comparison('2026-06-30', 1n, 402n, [2_000n, -1_087n, 440_008n, 50_000n], [360_012n, 90_003n, 0n], second),
    comparison(
      '2026-08-15',
      1n,
      402n,
      [2_000n, -1_087n, 500_010n, 50_000n],
      [360_012n, 150_005n, 0n],
      second,
    ),
    // 100 euros a month until October; the undated cost of 7 dollars was booked on 2025-05-03 and is 6.36 euros.
    comparison('2025-06-30', 2n, 404n, [500n, 0n, 200n, 636n], [600n, 200n, 636n], {
      ...euros,
      actual_monthly_run_rate_cents: 318n,
    }),
    comparison('2025-09-30', 2n, 404n, [500n, 0n, 500n, 636n], [600n, 500n, 636n], euros),
  ];
}

export function portfolioDecisions(): MutableRow[] {
  const decided = {
    rationale: 'Pays for itself',
    freed_capacity_cents: 3_000n,
    currency: 'USD',
    decided_by_id: 501n,
    decided_by_name: 'Ada',
  };
  return [
    {
      ...decided,
      portfolio_decision_id: 901n,
      initiative_id: 1n,
      subject_title: 'Initiative 1',
      outcome: 'scale',
      stage_before: 'live',
      stage_after: 'live',
      next_review_on: '2026-12-01',
      cash_value_cents: 128_000n,
      cost_to_date_cents: 48_913n,
      planned_value_cents: 244_008n,
      planned_value_to_date_cents: 71_169n,
      roi: 79_087 / 48_913,
      decided_at: at('2026-08-01', 3),
      app_url: `${APP}/initiatives/1/decisions/901`,
    },
    // Its initiative is gone; without cash value there is no ratio.
    {
      ...decided,
      portfolio_decision_id: 902n,
      initiative_id: null,
      subject_title: 'Dropped',
      outcome: 'retire',
      stage_before: 'implementing',
      stage_after: 'completed',
      next_review_on: null,
      cash_value_cents: 0n,
      cost_to_date_cents: 100n,
      planned_value_cents: null,
      planned_value_to_date_cents: null,
      roi: null,
      decided_at: at('2026-08-02'),
      app_url: null,
    },
  ];
}

export function accountingPeriods(): MutableRow[] {
  const never = {
    locked_at: null,
    locked_by_id: null,
    locked_by_name: null,
    reopened_at: null,
    reopened_by_id: null,
    reopened_by_name: null,
    reopen_reason: null,
  };
  const locked = { locked_at: at('2025-06-10', 7), locked_by_id: 501n, locked_by_name: 'Ada' };
  return [
    { ...never, ...locked, month: '2025-05-01', status: 'locked', locked: true },
    {
      ...locked,
      month: '2025-06-01',
      status: 'reopened',
      locked: false,
      reopened_at: at('2025-07-20'),
      reopened_by_id: 502n,
      reopened_by_name: 'Bo',
      reopen_reason: 'Late bill',
    },
    { ...never, month: '2026-07-01', status: 'open', locked: false },
  ];
}

/** Made of the bills and bookings in audited-control-beside.ts. */
export function aiSpend(): MutableRow[] {
  const vendor = {
    source_kind: 'ai_vendor',
    connection_id: null,
    platform: null,
    connection_name: null,
    currency: 'USD',
  };
  return [
    {
      ...vendor,
      month: '2026-04-01',
      vendor_name: 'OpenAI',
      billed_cents: 1_000n,
      attribution: 'attributed',
      set_aside: false,
      initiative_count: 1,
      booked_cents: 400n,
      ai_billed_cents: 900n,
      ai_booked_cents: 400n,
    },
    {
      ...vendor,
      month: '2026-04-01',
      source_kind: 'card',
      vendor_name: null,
      billed_cents: 1_500n,
      attribution: null,
      set_aside: null,
      initiative_count: null,
      booked_cents: 200n,
      ai_billed_cents: null,
      ai_booked_cents: null,
    },
    {
      month: '2026-04-01',
      source_kind: 'provider_bill',
      connection_id: 71n,
      platform: 'bridge',
      connection_name: 'Main',
      vendor_name: null,
      billed_cents: 9_000n,
      currency: 'USD',
      attribution: 'attributed',
      set_aside: false,
      initiative_count: 2,
      booked_cents: null,
      ai_billed_cents: 8_000n,
      ai_booked_cents: 8_000n, // 8,500 were booked
    },
    {
      ...vendor,
      month: '2026-05-01',
      vendor_name: 'Cursor',
      billed_cents: 60n,
      attribution: 'unlinked',
      set_aside: true,
      initiative_count: 1,
      booked_cents: 60n,
      ai_billed_cents: 60n,
      ai_booked_cents: 0n,
    },
  ];
}
