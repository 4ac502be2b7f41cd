/** Budgets against costs: each rule by a small ledger of its own, the figures worked beside it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { company, type Company, row } from './audited-company.ts';
import { sentenceOf } from '../../../src/snapshot/audit/report.ts';
import { AuditBench } from './audited-files.ts';
import { at, cost, type MutableRow } from './audited-rows.ts';
import { budget, comparison } from './audited-spend.ts';

const CHECKS = ['47-check-budgets', '48-check-budget-actuals'];

let bench: AuditBench;
beforeAll(async () => {
  bench = await AuditBench.open();
});
afterAll(() => bench[Symbol.asyncDispose]());

/** What the two checks say against rows for these budgets and costs, the day described being 2026-08-15. */
async function offences(
  budgets: MutableRow[],
  costs: MutableRow[],
  budget_vs_actual: MutableRow[],
): Promise<string[]> {
  const rows: Company = { ...company(), budgets, costs, budget_vs_actual };
  const report = await bench.audit(rows, { only: CHECKS });
  expect(report.checks.map(({ name }) => name)).toEqual(expect.arrayContaining(CHECKS));
  return report.checks.flatMap((check) => check.offences.map(sentenceOf));
}

/** 90 a month from July 2026 on: two months to date, nine in fiscal year 2027; only today falls into it. */
const JULY = budget(1n, 1n, '2026-07-20', { opex_cents: 90n });

function today(opexActual: bigint, given: MutableRow = {}): MutableRow {
  return comparison('2026-08-15', 1n, 1n, [0n, 0n, 180n, opexActual], [810n, 180n, opexActual], {
    budget_monthly_run_rate_cents: 90n,
    ...given,
  });
}

/** 90 a month from August 2026 on: one month to date, eight in fiscal year 2027. */
function fromAugust(rate: bigint | null): MutableRow[] {
  return [
    comparison('2026-08-15', 1n, 1n, [0n, 0n, 90n, 0n], [720n, 90n, 0n], {
      budget_monthly_run_rate_cents: 90n,
      actual_monthly_run_rate_cents: rate,
    }),
  ];
}

function inEuros(opex: bigint): MutableRow[] {
  return [today(opex, { currency: 'EUR' })];
}

describe('a row of budget_vs_actual', () => {
  it('counts entries that began by the day, an undated cost by its booking day, and earlier entries apart', async () => {
    const costs = [
      cost(1n, 1n, '2026-08-15', { amount_cents: 10n }),
      cost(2n, 1n, '2026-08-16', { amount_cents: 1_000n }), // tomorrow
      cost(3n, 1n, null, { amount_cents: 20n, created_at: at('2026-07-31', 86_399) }),
      cost(4n, 1n, '2026-06-30', { amount_cents: 40n, cost_category: 'capex' }),
      cost(5n, 2n, '2026-08-01', { amount_cents: 5_000n }), // another initiative
    ];
    // July is the one complete covered month, with 20.
    const given = { spent_before_budget_cents: 40n, actual_monthly_run_rate_cents: 20n };
    expect(await offences([JULY], costs, [today(30n, given)])).toEqual([]);
  });

  it('is over when a half is, strictly', async () => {
    const costs = [cost(1n, 1n, '2026-08-01', { amount_cents: 180n })];
    expect(await offences([JULY], costs, [today(180n)])).toEqual([]);
    const more = [cost(1n, 1n, '2026-08-01', { amount_cents: 181n })];
    expect(await offences([JULY], more, [today(181n)])).toEqual([]);
    expect(await offences([JULY], more, [today(181n, { status: 'within' })])).toEqual([
      'budget_vs_actual 2026-08-15 initiative 1: status is within, expected over: computed from the costs',
    ]);
  });

  it('has no run rate before a covered month is complete', async () => {
    const august = budget(1n, 1n, '2026-08-01', { opex_cents: 90n });
    expect(await offences([august], [], fromAugust(null))).toEqual([]);
    expect(await offences([august], [], fromAugust(0n))).toEqual([
      'budget_vs_actual 2026-08-15 initiative 1: actual_monthly_run_rate_cents is 0 cents, expected empty: computed from the costs',
    ]);
  });

  it('averages the last three covered months, rounded half away from zero, credits too', async () => {
    // June −1 alone; June and July are −3 over two months.
    const june = budget(1n, 1n, '2026-06-01', { opex_cents: 0n });
    const costs = [
      cost(1n, 1n, '2026-06-10', { amount_cents: -1n }),
      cost(2n, 1n, '2026-07-10', { amount_cents: -2n }),
    ];
    const rows = [
      comparison('2026-06-30', 1n, 1n, [0n, 0n, 0n, -1n], [0n, 0n, -1n], {
        actual_monthly_run_rate_cents: -1n,
      }),
      // −3 ÷ 2 = −1.5
      comparison('2026-08-15', 1n, 1n, [0n, 0n, 0n, -3n], [0n, 0n, -3n], {
        actual_monthly_run_rate_cents: -2n,
      }),
    ];
    expect(await offences([june], costs, rows)).toEqual([]);
  });

  it('follows the version decided last of one month, and no earlier one after its end', async () => {
    const first = budget(1n, 1n, '2026-07-01', { opex_cents: 50n, decided_at: at('2026-06-02') });
    const second = budget(2n, 1n, '2026-07-15', { opex_cents: 90n, decided_at: at('2026-06-01') });
    const given = { budget_monthly_run_rate_cents: 50n, revised: true };
    const compared = comparison('2026-08-15', 1n, 1n, [0n, 0n, 100n, 0n], [450n, 100n, 0n], given);
    expect(await offences([first, second], [], [compared])).toEqual([]);
    const ended = { ...first, ends_on: '2026-07-31' };
    expect(await offences([ended, second], [], [])).toEqual([]);
    expect(await offences([ended, second], [], [compared])).toEqual([
      'budget_vs_actual 2026-08-15 initiative 1: rows is 1, expected 0: no version covers the month',
    ]);
    expect(await offences([first], [], [])).toEqual([
      'budget_vs_actual 2026-08-15 initiative 1: rows is 0, expected 1: a version covers the month',
    ]);
  });

  it('takes the greater id of two versions decided at once', async () => {
    const pair = [budget(1n, 1n, '2026-07-01', {}), budget(2n, 1n, '2026-07-01', { opex_cents: 90n })];
    const compared = today(0n, { budget_id: 2n, revised: true });
    expect(await offences(pair, [], [compared])).toEqual([]);
  });

  it('is revised only by decisions up to its day', async () => {
    const pair = [
      JULY,
      budget(2n, 1n, '2026-09-01', { opex_cents: 90n, decided_at: at('2026-08-15', 3600) }),
    ];
    // The fiscal year counts the months of the later version too: 2 × 90 and 7 × 90.
    expect(await offences(pair, [], [today(0n, { revised: true })])).toEqual([]);
    const later = [JULY, { ...pair[1], decided_at: at('2026-08-16') }];
    expect(await offences(later, [], [today(0n)])).toEqual([]);
  });

  it('counts a dollar budget in dollars, and leaves out entries without dollars', async () => {
    const euros = { currency: 'EUR', amount_cents: 1_000n };
    const costs = [
      cost(1n, 1n, '2026-08-01', { ...euros, usd_amount_cents: 110n }),
      cost(2n, 1n, '2026-08-01', { ...euros, usd_amount_cents: null }),
    ];
    expect(await offences([JULY], costs, [today(110n)])).toEqual([]);
  });

  it('counts a budget in euros in euros, and is left alone where another currency has a rate', async () => {
    const euros = { ...JULY, currency: 'EUR' };
    const own = cost(1n, 1n, '2026-08-01', { currency: 'EUR', amount_cents: 70n, usd_amount_cents: 75n });
    const lost = cost(2n, 1n, '2026-08-01', { currency: 'KES', amount_cents: 9n, usd_amount_cents: null });
    expect(await offences([euros], [own, lost], inEuros(70n))).toEqual([]);
    expect(await offences([euros], [own, lost], inEuros(75n))).not.toEqual([]);
    const dollars = cost(3n, 1n, '2026-08-01', { amount_cents: 11n });
    expect(await offences([euros], [own, dollars], inEuros(80n))).toEqual([]);
    // What the versions say is held all the same.
    expect(await offences([euros], [own, dollars], [today(80n)])).toEqual([
      'budget_vs_actual 2026-08-15 initiative 1: currency is USD, expected EUR: computed from the versions',
    ]);
  });

  it.each(['pending', 'rejected', 'withdrawn'])('takes no notice of a version that is %s', async (status) => {
    const other = budget(2n, 1n, '2026-07-21', { status, opex_cents: 7n });
    expect(await offences([JULY, other], [], [today(0n)])).toEqual([]);
  });

  it('stands on the last eight quarter ends and today', async () => {
    const days =
      '2024-09-30 2024-12-31 2025-03-31 2025-06-30 2025-09-30 2025-12-31 2026-03-31 2026-06-30 2026-08-15';
    const old = budget(1n, 1n, '2024-01-01', {});
    const rows = days.split(' ').map((day) => comparison(day, 1n, 1n, [0n, 0n, 0n, 0n], [0n, 0n, 0n], {}));
    // It was decided in 2025, and past days are compared with the versions of today.
    expect(await offences([old], [], rows)).toEqual([]);
    expect(await offences([old], [], [])).toEqual(
      days
        .split(' ')
        .map(
          (day) => `budget_vs_actual ${day} initiative 1: rows is 0, expected 1: a version covers the month`,
        ),
    );
    const past = comparison('2024-06-30', 1n, 1n, [0n, 0n, 0n, 0n], [0n, 0n, 0n], {});
    expect(await offences([old], [], [past, ...rows])).toEqual([
      'budget_vs_actual 2024-06-30 initiative 1: rows is 1, expected 0: no version covers the month',
    ]);
  });
});

describe('the budgets of the company', () => {
  it.each([
    ['capex_actual_cents', -1_086n],
    ['opex_actual_cents', 50_001n],
  ])('are refused when %s is another', async (column, cents) => {
    const rows = company();
    Object.assign(row(rows, 'budget_vs_actual', '2026-08-15 1'), { [column]: cents });
    const report = await bench.audit(rows, { only: ['48-check-budget-actuals'] });
    expect(report.passed).toBe(false);
  });
});
