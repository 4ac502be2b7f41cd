import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDue, duePlan, monthlyStep, NOTHING_DUE } from '../../src/figures/plan.ts';
import type { Plan, PlanDue } from '../../src/figures/plan.ts';

/** One year of 1200 cash, 240 capacity and 120 opex from January 2026, and 500 of capex on 15 January. */
const plan = (overrides: Partial<Plan> = {}): Plan => ({
  stage: 'live',
  is_sample: false,
  confirmed: true,
  currency: 'USD',
  usd_rate: null,
  value_total_cents: 1200n,
  capacity_total_cents: 240n,
  opex_total_cents: 120n,
  capex_cents: 500n,
  horizon_months: 12,
  went_live_on: null,
  started_on: '2026-01-15',
  approved_on: '2025-12-01',
  time_to_value_months: null,
  ...overrides,
});

const due = (overrides: Partial<Plan>, as_of: string): PlanDue => {
  let sum = NOTHING_DUE;
  for (const [, part] of duePlan(plan(overrides), as_of)) sum = addDue(sum, part);
  return sum;
};

/** The months in which any cash value falls due. */
const stepMonths = (overrides: Partial<Plan>, as_of: string): string[] =>
  [...duePlan(plan(overrides), as_of)]
    .filter(([, part]) => part.planned_value_to_date_cents !== 0n)
    .map(([month]) => month);

/** The months in which a plan without steps falls due: those of its capex. */
const capexMonths = (overrides: Partial<Plan>, as_of: string): string[] =>
  [...duePlan(plan({ went_live_on: '2040-01-01', ...overrides }), as_of)].map(([month]) => month);

describe('a plan falls due', () => {
  it('in equal monthly steps of value, capacity and opex', () => {
    // January, February, March: 3 × 1200/12, 3 × 240/12, 3 × 120/12; capex once
    expect(due({}, '2026-03-31')).toEqual({
      planned_value_to_date_cents: 300n,
      planned_capacity_to_date_cents: 60n,
      planned_opex_to_date_cents: 30n,
      planned_capex_cents: 500n,
    });
  });

  it('on the first day of a month, not before', () => {
    expect(stepMonths({}, '2026-02-28')).toEqual(['2026-01-01', '2026-02-01']);
    expect(stepMonths({}, '2026-03-01')).toEqual(['2026-01-01', '2026-02-01', '2026-03-01']);
  });

  it('to its total and no further after its horizon', () => {
    expect(due({}, '2030-01-01').planned_value_to_date_cents).toBe(1200n);
    expect(stepMonths({}, '2030-01-01').at(-1)).toBe('2026-12-01');
  });

  it('from the month of go-live, for any time to value', () => {
    const live = { went_live_on: '2026-03-31', time_to_value_months: 6 };
    expect(stepMonths(live, '2026-04-10')).toEqual(['2026-03-01', '2026-04-01']);
  });

  it('else from the month it started plus the time to value', () => {
    expect(stepMonths({ time_to_value_months: 2 }, '2026-04-10')).toEqual(['2026-03-01', '2026-04-01']);
    expect(stepMonths({ started_on: '2025-11-30', time_to_value_months: 3 }, '2026-02-01')).toEqual([
      '2026-02-01',
    ]);
  });

  it('else not at all, but for the capex', () => {
    expect(due({ started_on: null }, '2030-01-01')).toEqual({ ...NOTHING_DUE, planned_capex_cents: 500n });
  });

  it('not before its first month', () => {
    expect(due({ started_on: '2026-05-02' }, '2026-04-30')).toEqual(NOTHING_DUE);
  });

  it('without steps when no horizon is set', () => {
    expect(due({ horizon_months: 0, value_total_cents: 0n }, '2030-01-01')).toEqual({
      ...NOTHING_DUE,
      planned_capex_cents: 500n,
    });
  });
});

describe('planned capex is due', () => {
  it('on the day of the start', () => {
    expect(capexMonths({}, '2026-01-14')).toEqual([]);
    expect(capexMonths({}, '2026-01-15')).toEqual(['2026-01-01']);
  });

  it('else on the day of approval', () => {
    expect(capexMonths({ started_on: null, approved_on: '2025-12-31' }, '2025-12-30')).toEqual([]);
    expect(capexMonths({ started_on: null, approved_on: '2025-12-31' }, '2025-12-31')).toEqual([
      '2025-12-01',
    ]);
  });

  it('else never', () => {
    expect(capexMonths({ started_on: null, approved_on: null }, '2030-01-01')).toEqual([]);
  });
});

describe('a plan in another currency', () => {
  it('is converted once, as a whole, before it is cut into steps', () => {
    // 1001 × 1.05 = 1051.05 → 1051; a quarter of the year is round(1051 × 3/12 = 262.75) = 263.
    // Capacity 240 × 1.05 = 252 → 63; opex 120 × 1.05 = 126 → 31.5 → 32; capex 10 × 1.05 = 10.5 → 11.
    const euro = { currency: 'EUR', usd_rate: '1.0500000000', value_total_cents: 1001n, capex_cents: 10n };
    expect(due(euro, '2026-03-01')).toEqual({
      planned_value_to_date_cents: 263n,
      planned_capacity_to_date_cents: 63n,
      planned_opex_to_date_cents: 32n,
      planned_capex_cents: 11n,
    });
  });

  it('counts in no total without a rate', () => {
    expect(due({ currency: 'XAF', usd_rate: null }, '2030-01-01')).toEqual(NOTHING_DUE);
  });
});

describe('the plans that count', () => {
  it.each([
    ['of a sample', { is_sample: true }],
    ['of a rejected initiative', { stage: 'rejected' }],
    ['of a dismissed initiative', { stage: 'dismissed' }],
    ['that the service filled in and nobody confirmed', { confirmed: false }],
  ] as const)('leave out a plan %s, capex included', (_, overrides) => {
    expect([...duePlan(plan(overrides), '2030-01-01')]).toEqual([]);
  });

  it.each(['paused', 'completed'])('include a %s plan, which accrues on', (stage) => {
    expect(due({ stage }, '2030-01-01').planned_value_to_date_cents).toBe(1200n);
  });
});

describe('a monthly step', () => {
  it('is the difference of rounded running totals', () => {
    // 10 in 4: 2.5 → 3, 5, 7.5 → 8, 10: steps of 3, 2, 3, 2
    expect([1, 2, 3, 4].map((step) => monthlyStep(10n, step, 4))).toEqual([3n, 2n, 3n, 2n]);
    expect([1, 2, 3, 4].map((step) => monthlyStep(-10n, step, 4))).toEqual([-3n, -2n, -3n, -2n]);
  });

  it('adds up to the total exactly and never strays a cent from an equal part', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n }),
        fc.integer({ min: 1, max: 240 }),
        (total, steps) => {
          let sum = 0n;
          for (let step = 1; step <= steps; step++) {
            const part = monthlyStep(total, step, steps);
            const off = part * BigInt(steps) - total; // (part − total ÷ steps) × steps
            expect((off < 0n ? -off : off) <= BigInt(steps)).toBe(true);
            sum += part;
          }
          expect(sum).toBe(total);
        },
      ),
    );
  });
});
