import { describe, expect, it } from 'vitest';
import { compared, decided, spent, version } from './budget-versions.ts';

describe('a comparison without an approved budget', () => {
  it("has only zeros in the initiative's currency, and no spend before a budget", () => {
    const versions = [version({ status: 'pending', currency: 'USD' })];
    expect(compared({ versions, spend: [spent('2026-03', 50n, 7n)] })).toEqual({
      initiative_id: 7n,
      budgeted: false,
      status: 'no_budget',
      over_parts: [],
      currency: 'EUR',
      as_of: '2026-07-15',
      capex_budget_cents: 0n,
      capex_actual_cents: 0n,
      capex_remaining_cents: 0n,
      opex_budget_to_date_cents: 0n,
      opex_actual_cents: 0n,
      budget_monthly_run_rate_cents: 0n,
      actual_monthly_run_rate_cents: null,
      budget_to_date_cents: 0n,
      actual_to_date_cents: 0n,
      variance_cents: 0n,
      used_ratio: null,
      spent_before_budget_cents: 0n,
      opex_budget_fiscal_year_cents: 0n,
      opex_budget_fiscal_ytd_cents: 0n,
      opex_actual_fiscal_ytd_cents: 0n,
      budget_started_on: null,
      revised: false,
      version_count: 0,
      revision_pending: false,
      current_version: null,
      in_effect: false,
    });
  });
});

describe('a scheduled budget', () => {
  const later = version({ effective_from: '2026-10-20' });

  it('has a start, a currency and a fiscal year, and no spend', () => {
    // fiscal year from April 2026: October to March are 6 × 10000
    const spend = [spent('2026-03', 50n, 7n), spent('2026-07', 3n)];
    expect(compared({ versions: [later], spend, fiscal_year_start_month: 4 })).toMatchObject({
      budgeted: true,
      status: 'scheduled',
      over_parts: [],
      currency: 'USD',
      capex_budget_cents: 0n,
      capex_actual_cents: 0n,
      capex_remaining_cents: 0n,
      opex_budget_to_date_cents: 0n,
      opex_actual_cents: 0n,
      budget_monthly_run_rate_cents: 0n,
      actual_monthly_run_rate_cents: null,
      budget_to_date_cents: 0n,
      actual_to_date_cents: 0n,
      variance_cents: 0n,
      used_ratio: null,
      spent_before_budget_cents: 60n,
      opex_budget_fiscal_year_cents: 60_000n,
      opex_budget_fiscal_ytd_cents: 0n,
      opex_actual_fiscal_ytd_cents: 0n,
      budget_started_on: '2026-10-01',
      version_count: 1,
      current_version: null,
      in_effect: false,
    });
  });

  it('begins with the month of its day, however late in it', () => {
    expect(compared({ versions: [later], as_of: '2026-09-30' }).status).toBe('scheduled');
    expect(compared({ versions: [later], as_of: '2026-10-01' })).toMatchObject({
      status: 'within',
      in_effect: true,
      opex_budget_to_date_cents: 10_000n,
    });
  });
});

describe('a budget that has begun', () => {
  // January to July are 7 months of 10000.
  const spend = [
    spent('2025-11', 1n, 2n),
    spent('2026-01', 40_000n, 100_000n),
    spent('2026-07', 5n, 6n),
    spent('2026-08', 1000n, 1000n),
  ];

  it('is held against what was spent since, month by month and as a whole', () => {
    const current = version();
    expect(compared({ versions: [current], spend })).toMatchObject({
      budgeted: true,
      status: 'within',
      over_parts: [],
      currency: 'USD',
      capex_budget_cents: 120_000n,
      capex_actual_cents: 100_006n,
      capex_remaining_cents: 19_994n,
      opex_budget_to_date_cents: 70_000n,
      opex_actual_cents: 40_005n,
      budget_to_date_cents: 190_000n,
      actual_to_date_cents: 140_011n,
      variance_cents: 49_989n,
      used_ratio: 140_011 / 190_000,
      spent_before_budget_cents: 3n,
      budget_started_on: '2026-01-01',
      current_version: current,
      in_effect: true,
    });
  });

  it.each([
    ['spent to the cent', 120_000n, 70_000n, 'within', []],
    ['over on one half', 120_001n, 0n, 'over', ['capex']],
    ['over on the other, though not in all', 0n, 70_001n, 'over', ['opex']],
    ['over on both', 120_001n, 70_001n, 'over', ['capex', 'opex']],
  ])('is, %s, %#', (_, capex, opex, status, over_parts) => {
    expect(compared({ spend: [spent('2026-02', opex, capex)] })).toMatchObject({ status, over_parts });
  });

  it('shows what is exceeded as negative', () => {
    expect(compared({ spend: [spent('2026-02', 0n, 200_000n)] })).toMatchObject({
      capex_remaining_cents: -80_000n,
      variance_cents: -10_000n,
    });
  });

  it('has no used ratio where the budget to date is 0, and is over with the first cent', () => {
    const nothing = version({ capex_cents: 0n, opex_cents: 0n });
    expect(compared({ versions: [nothing], spend: [spent('2026-02', 1n)] })).toMatchObject({
      status: 'over',
      over_parts: ['opex'],
      used_ratio: null,
    });
    expect(compared({ spend: [] }).used_ratio).toBe(0);
  });

  it('is compared on a past day without what came later', () => {
    expect(compared({ spend, as_of: '2026-06-30', today: '2026-07-15' })).toMatchObject({
      capex_actual_cents: 100_000n,
      opex_budget_to_date_cents: 60_000n,
      opex_actual_cents: 40_000n,
    });
  });
});

describe('a revision', () => {
  const first = version();
  const second = version({
    id: 2n,
    source: 'revision',
    capex_cents: 5n,
    opex_cents: 60_000n,
    opex_cadence: 'quarterly',
    effective_from: '2026-05-10',
    decided_at: decided('2026-04-30') - 1n,
  });

  it('changes the envelope, the rate and later months only', () => {
    // January to April 4 × 10000; May to July are one quarter of 60000
    expect(compared({ versions: [first, second] })).toMatchObject({
      capex_budget_cents: 5n,
      opex_budget_to_date_cents: 100_000n,
      budget_monthly_run_rate_cents: 20_000n,
      budget_started_on: '2026-01-01',
      revised: true,
      version_count: 2,
      current_version: second,
    });
    expect(compared({ versions: [first, second], as_of: '2026-04-30' })).toEqual({
      ...compared({ versions: [first], as_of: '2026-04-30' }),
      // The rest of the fiscal year: 4 × 10000 and 8 × 20000
      opex_budget_fiscal_year_cents: 200_000n,
      revised: true,
      version_count: 2,
    });
  });

  it('is one on the day of its decision, by the UTC day, and not before', () => {
    const days = ['2026-04-28', '2026-04-29', '2026-04-30'];
    expect(days.map((as_of) => compared({ versions: [first, second], as_of }).revised)).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('does not count until it is approved', () => {
    for (const status of ['pending', 'rejected', 'withdrawn'] as const) {
      expect(compared({ versions: [first, { ...second, status }] })).toEqual({
        ...compared({ versions: [first] }),
        revision_pending: status === 'pending',
      });
    }
  });

  it('is not pending where what is pending is the first budget', () => {
    const pending = version({ id: 2n, status: 'pending', source: 'approval' });
    expect(compared({ versions: [pending] }).revision_pending).toBe(false);
  });
});

describe('a budget that has ended', () => {
  const ended = version({ ends_on: '2026-04-02', opex_cents: 10_000n, opex_cadence: 'quarterly' });
  const spend = [spent('2026-03', 300n), spent('2026-06', 30n)];

  it('keeps its version, envelope and run rates, and is in effect no longer', () => {
    // January to April: 4 × 10000 / 3 = 13333.33; the last covered months are February, March, April: 300 / 3
    expect(compared({ versions: [ended], spend })).toMatchObject({
      status: 'within',
      capex_budget_cents: 120_000n,
      opex_budget_to_date_cents: 13_333n,
      opex_actual_cents: 330n,
      budget_monthly_run_rate_cents: 3333n,
      actual_monthly_run_rate_cents: 100n,
      current_version: ended,
      in_effect: false,
    });
  });

  it('is in effect through the whole of its last month', () => {
    expect(compared({ versions: [ended], as_of: '2026-04-30' }).in_effect).toBe(true);
    expect(compared({ versions: [ended], as_of: '2026-05-01' }).in_effect).toBe(false);
  });

  it('does not bring back the version before it', () => {
    const before = version({ id: 8n, effective_from: '2025-01-01' });
    expect(compared({ versions: [before, ended] })).toMatchObject({
      current_version: ended,
      in_effect: false,
    });
  });
});

describe('the actual run rate', () => {
  // The OpEx of the months March to July; CapEx has no part in it.
  const spend = [
    spent('2026-03', 1000n),
    spent('2026-04', 100n, 5000n),
    spent('2026-05', 11n),
    spent('2026-07', 9999n),
  ];

  it('is the mean of the last three complete months, one without spend counting 0', () => {
    // April 100, May 11, June 0: 111 / 3
    expect(compared({ spend }).actual_monthly_run_rate_cents).toBe(37n);
    // March 1000, April 100, May 11: 1111 / 3 = 370.33
    expect(compared({ spend, as_of: '2026-06-30' }).actual_monthly_run_rate_cents).toBe(370n);
  });

  it('counts the month that a past day ends, complete by now', () => {
    expect(compared({ spend, as_of: '2026-05-31', today: '2026-07-15' }).actual_monthly_run_rate_cents).toBe(
      370n,
    );
    expect(compared({ spend, as_of: '2026-05-31' }).actual_monthly_run_rate_cents).toBe(367n); // 0 + 1000 + 100
  });

  it('averages fewer months if there are fewer, rounds half away from zero, and is null without a month', () => {
    const versions = [version({ effective_from: '2026-04-01' })];
    const on = (as_of: string) => compared({ versions, spend, as_of }).actual_monthly_run_rate_cents;
    expect([on('2026-06-01'), on('2026-05-01'), on('2026-04-30')]).toEqual([56n, 100n, null]); // 111 / 2 = 55.5
  });
});

describe('the fiscal year', () => {
  const spend = [spent('2026-03', 1n), spent('2026-04', 20n, 500n), spent('2026-07', 300n)];

  it('budgets every covered month, those to come included, and spends from its first day', () => {
    expect(compared({ spend, fiscal_year_start_month: 4 })).toMatchObject({
      opex_budget_fiscal_year_cents: 120_000n,
      opex_budget_fiscal_ytd_cents: 40_000n, // April to July
      opex_actual_fiscal_ytd_cents: 320n,
    });
  });

  it('begins for the spend with the budget where that is later', () => {
    const versions = [version({ effective_from: '2026-07-01', ends_on: '2026-12-31' })];
    expect(compared({ versions, spend, fiscal_year_start_month: 4 })).toMatchObject({
      opex_budget_fiscal_year_cents: 60_000n,
      opex_budget_fiscal_ytd_cents: 10_000n,
      opex_actual_fiscal_ytd_cents: 300n,
      spent_before_budget_cents: 521n,
    });
  });

  it('begins in the month the account says', () => {
    // From August 2025: January to July are 7 covered months; from July 2026: July to June are 12
    expect(compared({ spend, fiscal_year_start_month: 8 })).toMatchObject({
      opex_budget_fiscal_year_cents: 70_000n,
      opex_actual_fiscal_ytd_cents: 321n,
    });
    expect(compared({ spend, fiscal_year_start_month: 7 })).toMatchObject({
      opex_budget_fiscal_year_cents: 120_000n,
      opex_budget_fiscal_ytd_cents: 10_000n,
      opex_actual_fiscal_ytd_cents: 300n,
    });
  });
});
