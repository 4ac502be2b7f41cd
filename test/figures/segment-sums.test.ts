/** The segments inside a window, worked by hand: freed capacity is floored after the segments of a month are added. */
import { describe, expect, it } from 'vitest';
import { openRollup, type Sums } from '../../src/figures/rollup.ts';
import {
  groupsInside,
  type SegmentSums,
  type SegmentUnsettled,
  unsettledInside,
} from '../../src/figures/segment-sums.ts';

const segment = (from_day: string, through_day: string, sums: Partial<Sums> = {}): SegmentSums => ({
  month: `${from_day.slice(0, 8)}01`,
  from_day,
  through_day,
  latest_day: through_day,
  cash_value_cents: 0n,
  capacity_cents: 0n,
  capacity_realized_cents: 0n,
  capex_cents: 0n,
  opex_cents: 0n,
  vendor_price_effect_cents: null,
  ...sums,
});
const undated = {
  ...segment('2026-07-01', '2026-07-31', { capex_cents: 7n }),
  month: null,
  from_day: null,
  through_day: null,
};

/** July, cut after the 15th: $1.00 freed before, $0.60 realised after. */
const JULY = [
  segment('2026-07-01', '2026-07-15', { capacity_cents: 100n, opex_cents: 10n }),
  segment('2026-07-16', '2026-07-31', { capacity_realized_cents: 60n, opex_cents: 5n }),
];
const through = (day: string) => ({ from: '2026-01-01', through: day });
const from = (day: string) => ({ from: day, through: '2026-12-31' });

function figures(
  rows: readonly SegmentSums[],
  days: Parameters<typeof groupsInside>[1],
  scope: 'initiative' | 'portfolio' = 'initiative',
) {
  const groups = groupsInside(rows, days, scope);
  if (groups === null) return null;
  const rollup = openRollup();
  for (const each of groups) rollup.add(each);
  const { freed_capacity_cents, cost_cents } = rollup.figures();
  return { freed: freed_capacity_cents, cost: cost_cents, latest: rollup.latestDay() };
}

const effects = ([one, other]: readonly (bigint | null)[]) =>
  groupsInside(
    JULY.map((row, index) => ({ ...row, vendor_price_effect_cents: [one, other][index] ?? null })),
    null,
    'initiative',
  )?.[0]?.vendor_price_effect_cents;

const left = (from_day: string, through_day: string, amount_cents: bigint): SegmentUnsettled => ({
  month: `${from_day.slice(0, 8)}01`,
  from_day,
  through_day,
  kind: 'cost_left_out',
  currency: 'EUR',
  amount_cents,
  entries: 1n,
});

const LEFT = [left('2026-07-01', '2026-07-15', 3n), left('2026-07-16', '2026-07-31', 4n)];

const sums = (day: string) =>
  unsettledInside(LEFT, through(day))?.map(({ amount_cents, entries }) => [amount_cents, entries]);

describe('the segments of an initiative', () => {
  it('are added by month and then floored', () => {
    expect(figures(JULY, null)).toEqual({ freed: 40n, cost: 15n, latest: '2026-07-31' });
    expect(figures(JULY, through('2026-07-31'))).toEqual({ freed: 40n, cost: 15n, latest: '2026-07-31' });
    expect(figures(JULY, through('2026-07-15'))).toEqual({ freed: 100n, cost: 10n, latest: '2026-07-15' });
  });

  it('count from their first to their last day', () => {
    expect(figures(JULY, from('2026-07-16'))).toMatchObject({ freed: 0n, cost: 5n });
    expect(figures(JULY, from('2026-08-01'))).toEqual({ freed: 0n, cost: 0n, latest: null });
    expect(figures(JULY, through('2026-06-30'))).toMatchObject({ cost: 0n });
  });

  it('answer no window that ends within one', () => {
    for (const day of ['2026-07-14', '2026-07-16', '2026-07-01'])
      expect(figures(JULY, through(day))).toBeNull();
    for (const day of ['2026-07-02', '2026-07-15', '2026-07-17', '2026-07-31'])
      expect(figures(JULY, { from: day, through: '2026-12-31' })).toBeNull();
  });

  it('without a date count in all time alone, as one group', () => {
    expect(figures([...JULY, undated], null)).toMatchObject({ cost: 22n });
    expect(figures([...JULY, undated], through('9999-12-31'))).toMatchObject({ cost: 15n });
  });

  it('keep months apart: what is realised late reduces no other month', () => {
    const august = segment('2026-08-01', '2026-08-31', { capacity_realized_cents: 500n });
    expect(figures([...JULY, august], null)).toMatchObject({ freed: 40n });
  });

  it('have a price effect if one of them has', () => {
    expect([effects([3n, null]), effects([null, 4n]), effects([3n, 4n]), effects([null, null])]).toEqual([
      3n,
      4n,
      7n,
      null,
    ]);
  });
});

describe('the segments of the portfolio', () => {
  // Two initiatives: the first as above; the second frees $0.30 before and realises $0.90 after.
  const parts = [
    segment('2026-07-01', '2026-07-15', { capacity_cents: 130n, opex_cents: 10n }),
    segment('2026-07-16', '2026-07-31', { capacity_realized_cents: 150n, opex_cents: 5n }),
  ];
  // Over the whole month the first freed 40, and the second nothing.
  const wholeMonth = [
    segment('2026-07-01', '2026-07-31', {
      capacity_cents: 100n,
      capacity_realized_cents: 60n,
      opex_cents: 15n,
    }),
    segment('2026-07-01', '2026-07-31', { capacity_cents: 30n, capacity_realized_cents: 90n }),
  ];

  it('are used where the window cuts the month, and its whole rows elsewhere', () => {
    const rows = [...parts, ...wholeMonth];
    expect(figures(rows, null, 'portfolio')).toMatchObject({ freed: 40n, cost: 15n });
    expect(figures(rows, through('2026-07-15'), 'portfolio')).toMatchObject({ freed: 130n, cost: 10n });
    expect(figures(rows, { from: '2026-07-16', through: '2026-08-31' }, 'portfolio')).toMatchObject({
      freed: 0n,
      cost: 5n,
    });
  });

  it('are never added to each other: a window of two of three segments has no answer', () => {
    const three = [
      ...parts.slice(0, 1),
      segment('2026-07-16', '2026-07-20'),
      segment('2026-07-21', '2026-07-31'),
    ];
    expect(figures([...three, ...wholeMonth], through('2026-07-20'), 'portfolio')).toBeNull();
    expect(figures(three, through('2026-07-20'), 'initiative')).toMatchObject({ cost: 10n });
  });
});

describe('unsettled amounts', () => {
  it('are added by kind and currency inside the window, and none answers a window that ends within a segment', () => {
    expect(sums('2026-07-31')).toEqual([[7n, 2n]]);
    expect(sums('2026-07-15')).toEqual([[3n, 1n]]);
    expect(sums('2026-07-17')).toBeUndefined();
  });
});
