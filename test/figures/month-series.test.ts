/** Cost, cash value and cumulative net by month, worked by hand. */
import { describe, expect, it } from 'vitest';
import { monthAt } from '../../src/figures/calendar.ts';
import { openMonthFold } from '../../src/figures/month-series.ts';

const entry = (initiative_id: bigint, month: string | null, usd_amount_cents: bigint | null) => ({
  initiative_id,
  month,
  usd_amount_cents,
});

function worked() {
  const fold = openMonthFold();
  fold.addCost(entry(1n, '2026-01-01', 10_000n));
  fold.addCost(entry(1n, '2026-01-01', 2_500n));
  fold.addCost(entry(2n, '2026-03-01', 4_000n));
  fold.addCost(entry(2n, '2026-03-01', null));
  fold.addCost(entry(2n, null, 700n));
  fold.addValue(entry(1n, '2026-03-01', 9_000n), 'cost_savings');
  fold.addValue(entry(1n, '2026-03-01', 5_000n), 'capacity');
  fold.addValue(entry(1n, '2026-03-01', 1_000n), 'capacity_realized');
  fold.addValue(entry(1n, null, 300n), 'revenue_margin');
  return fold.close();
}
const SPAN = { first: '2026-01-01', last: '2026-04-01' };

describe('months of the portfolio', () => {
  it('are without gaps: cost, cash without capacity, net, and cash and net so far', () => {
    const { months, ...outside } = worked().portfolio(SPAN);
    expect(months.map((each) => Object.values(each))).toEqual([
      [12_500n, 0n, '2026-01-01', -12_500n, 0n, -12_500n],
      [0n, 0n, '2026-02-01', 0n, 0n, -12_500n],
      [4_000n, 10_000n, '2026-03-01', 6_000n, 10_000n, -6_500n],
      [0n, 0n, '2026-04-01', 0n, 10_000n, -6_500n],
    ]);
    expect(outside).toEqual({
      earlier: { cost_cents: 0n, cash_value_cents: 0n },
      later: { cost_cents: 0n, cash_value_cents: 0n },
      undated: { cost_cents: 700n, cash_value_cents: 300n },
    });
  });

  it('begin with the cash and net of earlier months, and leave later ones out', () => {
    const { months, earlier, later } = worked().portfolio({ first: '2026-02-01', last: '2026-02-01' });
    expect(months.map(({ cumulative_net_cents }) => cumulative_net_cents)).toEqual([-12_500n]);
    expect([earlier, later]).toEqual([
      { cost_cents: 12_500n, cash_value_cents: 0n },
      { cost_cents: 4_000n, cash_value_cents: 10_000n },
    ]);
    const [april] = worked().portfolio({ first: '2026-04-01', last: '2026-04-01' }).months;
    expect(april).toMatchObject({ cumulative_cash_cents: 10_000n, cumulative_net_cents: -6_500n });
  });
});

describe('months of an initiative', () => {
  it('hold its own entries alone, and zeros if it has none', () => {
    const fold = worked();
    const nets = (id: bigint) =>
      fold.initiative(id, SPAN).months.map(({ cumulative_net_cents }) => cumulative_net_cents);
    expect(nets(1n)).toEqual([-12_500n, -12_500n, -2_500n, -2_500n]);
    expect(nets(2n)).toEqual([0n, 0n, -4_000n, -4_000n]);
    expect(nets(3n)).toEqual([0n, 0n, 0n, 0n]);
  });
});

describe('the months that are shown', () => {
  it.each([
    ['from the first entry to the month of the snapshot', '2026-07-15', ['2026-01-01', '2026-07-01']],
    ['through entries recorded ahead', '2026-02-28', ['2026-01-01', '2026-03-01']],
    ['at most 59 months before that of the snapshot', '2031-06-30', ['2026-07-01', '2031-06-01']],
    ['at most 12 months after it', '2024-01-31', ['2024-01-01', '2025-01-01']],
  ])('are %s', (_, as_of, [first, last]) => {
    expect(worked().span(as_of)).toEqual({ first, last });
  });

  it('include those with freed capacity alone, and with entries that have no dollars', () => {
    const fold = openMonthFold();
    fold.addValue(entry(1n, '2026-05-01', 500n), 'capacity');
    expect(fold.close().span('2026-03-15')).toEqual({ first: '2026-03-01', last: '2026-05-01' });
    const waiting = openMonthFold();
    waiting.addCost(entry(1n, '2026-01-01', null));
    waiting.addValue(entry(1n, '2026-05-01', null), 'cost_savings');
    expect(waiting.close().span('2026-03-15')).toEqual({ first: '2026-01-01', last: '2026-05-01' });
  });

  it('are none without a dated entry', () => {
    const fold = openMonthFold();
    fold.addCost(entry(1n, null, 5n));
    expect(fold.close().span('2026-07-15')).toBeNull();
  });
});

it('months of ten thousand initiatives over five years are held in 13 MB', () => {
  const fold = openMonthFold();
  for (let id = 1n; id <= 10_000n; id += 1n) {
    for (let number = 0; number < 60; number += 1) fold.addCost(entry(id, monthAt(24_000 + number), id));
  }
  const sums = fold.close();
  expect(sums.held_bytes).toBe(13_000_100); // 600,000 months of 20 bytes, and 100 bytes for each initiative
  const { earlier, later } = sums.initiative(7_000n, { first: '2002-01-01', last: '2002-12-01' });
  expect([earlier.cost_cents, later.cost_cents]).toEqual([168_000n, 168_000n]); // 24 months of 7,000 each
});

it('months hold sums beyond 64 bits to the cent', () => {
  const fold = openMonthFold();
  const most = 2n ** 53n - 1n;
  for (let entries = 1; entries <= 1_025; entries += 1) fold.addCost(entry(1n, '2026-01-01', most));
  expect(fold.close().portfolio(SPAN).months[0]?.cost_cents).toBe(1_025n * most);
});
