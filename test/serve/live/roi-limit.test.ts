/** The figures of /roi beside its limit of sums, which keeps nothing else back, and beside amounts that are in no figure. */
import { expect, it } from 'vitest';
import type { Sums } from '../../../src/figures/rollup.ts';
import { initiativeFiguresOf } from '../../../src/serve/live/initiative-figures.ts';
import { roiFiguresOf } from '../../../src/serve/live/roi-figures.ts';

const MOST = 9_007_199_254_740_991n;
const moment = { as_of: '2026-07-15', fiscal_year_start_month: 1 } as const;
const NONE: Sums = {
  latest_day: '2026-07-01',
  cash_value_cents: 0n,
  capacity_cents: 0n,
  capacity_realized_cents: 0n,
  capex_cents: 0n,
  opex_cents: 0n,
  vendor_price_effect_cents: null,
};

function figuresOf(sums: Partial<Sums>, unsettled: Parameters<typeof roiFiguresOf>[2] = []) {
  const window = { kind: 'trailing', key: 'all' } as const;
  return roiFiguresOf({ window, moment, initiative_id: null }, [{ ...NONE, ...sums }], unsettled);
}

it.each([MOST + 1n, -MOST - 1n])('/roi answers although a price effect of %s passes the limit', (effect) => {
  const { figures } = figuresOf({ cash_value_cents: 1_000n, vendor_price_effect_cents: effect });
  expect(figures.cash_value_cents).toBe(1_000n);
});

it.each(['cash_value_cents', 'capacity_cents', 'capex_cents', 'opex_cents'] as const)(
  '/roi refuses a sum of %s beyond the limit, and shows one at it',
  (name) => {
    expect(() => figuresOf({ [name]: MOST })).not.toThrow();
    expect(() => figuresOf({ [name]: MOST + 1n })).toThrow(/a sum may be at most/);
  },
);

it.each(['provisional_cost', 'cost_left_out', 'cash_left_out', 'capacity_left_out'] as const)(
  '/roi refuses a sum of %s beyond the limit, and shows one at it',
  (kind) => {
    const of = (amount_cents: bigint) => [{ kind, currency: 'EUR', amount_cents, entries: 1n }];
    expect(() => figuresOf({}, of(MOST))).not.toThrow();
    expect(() => figuresOf({}, of(MOST + 1n))).toThrow(/a sum may be at most/);
  },
);

it.each([
  [[], false],
  [['provisional_cost'], false],
  [['cost_left_out'], true],
  [['provisional_cost', 'cash_left_out'], true],
] as const)('the figures of initiatives with amounts of %j leave amounts out: %s', (kinds, leaves_out) => {
  const unsettled = kinds.map((kind) => ({ kind }));
  const window = { kind: 'trailing', key: 'all' } as const;
  expect(initiativeFiguresOf({ window, moment }, new Map(), unsettled).leaves_out).toBe(leaves_out);
});
