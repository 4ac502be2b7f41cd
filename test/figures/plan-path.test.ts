/** Plans by month, break-even, payback and run rate, worked by hand. */
import { describe, expect, it } from 'vitest';
import { cash, cents } from '../../src/figures/cents.ts';
import { openMonthFold } from '../../src/figures/month-series.ts';
import type { Plan } from '../../src/figures/plan.ts';
import {
  cashSoFar,
  isCovered,
  paidBackSince,
  planPath,
  runRate,
  shareOfDue,
} from '../../src/figures/plan-path.ts';

const PLAN: Plan = {
  stage: 'live',
  is_sample: false,
  confirmed: true,
  currency: 'USD',
  usd_rate: null,
  value_total_cents: 12_000n,
  capacity_total_cents: 0n,
  opex_total_cents: 1_200n,
  capex_cents: 2_000n,
  horizon_months: 12,
  went_live_on: '2026-03-10',
  started_on: '2026-01-20',
  approved_on: null,
  time_to_value_months: null,
};

/** Cost and cash of consecutive months from January 2026. */
function months(...amounts: readonly (readonly [cost: bigint, cash: bigint])[]) {
  const fold = openMonthFold();
  amounts.forEach(([cost, value], index) => {
    const month = `2026-0${index + 1}-01`;
    fold.addCost({ initiative_id: 1n, month, usd_amount_cents: cost });
    fold.addValue({ initiative_id: 1n, month, usd_amount_cents: value }, 'cost_savings');
  });
  return fold.close().portfolio({ first: '2026-01-01', last: `2026-0${amounts.length}-01` }).months;
}

describe('a plan by month', () => {
  it('begins with its one-time cost, adds equal steps, and breaks even where value covers cost', () => {
    const path = planPath(PLAN, '2026-05-31');
    // $20.00 in January, from March on $10.00 of value and $1.00 of running cost a month: −20, −11, −2, +7.
    expect(path?.months.slice(0, 4)).toEqual([
      { month: '2026-01-01', value_cents: 0n, net_cents: -2_000n },
      { month: '2026-03-01', value_cents: 1_000n, net_cents: -1_100n },
      { month: '2026-04-01', value_cents: 2_000n, net_cents: -200n },
      { month: '2026-05-01', value_cents: 3_000n, net_cents: 700n },
    ]);
    expect(path?.months.at(-1)).toEqual({ month: '2027-02-01', value_cents: 12_000n, net_cents: 8_800n });
    expect([path?.due?.value_cents, path?.break_even]).toEqual([3_000n, '2026-05-01']);
  });

  it('has one line for a month of one-time cost and of a first step', () => {
    const path = planPath({ ...PLAN, started_on: '2026-03-01' }, '2026-02-28');
    expect(path?.months[0]).toEqual({ month: '2026-03-01', value_cents: 1_000n, net_cents: -1_100n });
    expect(path?.due).toBeNull();
  });

  it('is nothing without an amount, however long its horizon', () => {
    const empty = { ...PLAN, value_total_cents: 0n, opex_total_cents: 0n, capex_cents: 0n };
    expect(planPath(empty, '2026-05-31')).toBeNull();
    expect(planPath({ ...empty, opex_total_cents: 12n }, '2026-05-31')?.break_even).toBeNull();
  });

  it('never breaks even if cost stays above value, and is nothing if nothing falls due', () => {
    expect(planPath({ ...PLAN, capex_cents: 99_000n }, '2026-05-31')?.break_even).toBeNull();
    expect(planPath({ ...PLAN, stage: 'rejected' }, '2026-05-31')).toBeNull();
  });
});

describe('payback', () => {
  it('is the month since which cash value covers cost without a break', () => {
    expect(paidBackSince(months([500n, 0n], [0n, 600n], [300n, 0n], [0n, 200n], [0n, 1n]))).toBe(
      '2026-04-01',
    );
  });
  it('is none where nothing came back, be it for want of any amount', () => {
    expect(paidBackSince(months([0n, 0n], [0n, 0n]))).toBeNull();
    expect(paidBackSince(months([-500n, 0n], [0n, 0n]))).toBeNull();
  });
  it('counts from the first month with an amount', () => {
    expect(paidBackSince(months([0n, 0n], [0n, 0n], [5n, 20n]))).toBe('2026-03-01');
  });
  it('counts amounts before the first month as well, which the running sums of the months have', () => {
    // Before February 300 came back and 200 was spent; February adds nothing.
    const after = months([200n, 300n], [0n, 0n]).slice(1);
    const earlier = { cost_cents: cents(200n), cash_value_cents: cash(300n) };
    expect(paidBackSince(after, earlier)).toBe('2026-02-01');
    expect(paidBackSince(after)).toBeNull();
  });
  it('was before the first month if cash value had covered cost until then', () => {
    const sums = [
      [200n, 300n, true],
      [200n, 200n, true],
      [201n, 200n, false],
      [0n, 0n, false],
    ] as const;
    for (const [cost, value, covered] of sums)
      expect(isCovered({ cost_cents: cents(cost), cash_value_cents: cash(value) })).toBe(covered);
    expect(isCovered()).toBe(false);
  });
  it('is the first month if cost was never ahead, and none while it is', () => {
    expect(paidBackSince(months([0n, 5n], [10n, 20n]))).toBe('2026-01-01');
    expect(paidBackSince(months([0n, 50n], [60n, 0n]))).toBeNull();
    expect(paidBackSince([])).toBeNull();
  });
});

it('the run rate is the mean of the last three whole months, rounded once', () => {
  const shown = months([0n, 900n], [0n, 100n], [0n, 100n], [0n, 50n], [0n, 7_000n]);
  expect(runRate(shown, '2026-05-10')).toBe(83n);
  expect(runRate(shown.slice(0, 3), '2026-03-31')).toBeNull();
});

const cash_in = (month: string | null, cash_cents: bigint) => ({ month, cash_cents });

it('the cash value so far grows month by month, in time order and without value of no month', () => {
  const found = cashSoFar([
    cash_in('2026-05-01', 40n),
    cash_in(null, 900n),
    cash_in('2026-03-01', 7n),
    cash_in('2026-06-01', -2n),
  ]);
  expect(found).toEqual([cash_in('2026-03-01', 7n), cash_in('2026-05-01', 47n), cash_in('2026-06-01', 45n)]);
  expect(cashSoFar([cash_in(null, 5n)])).toEqual([]);
});

it('the share of the due value is a ratio, and none if nothing is due', () => {
  expect(shareOfDue(cash(4_000n), 1_000n)).toBe(0.25);
  expect(shareOfDue(cash(0n), 1_000n)).toBeNull();
});
