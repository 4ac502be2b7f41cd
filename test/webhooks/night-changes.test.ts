/** What people hear of a comparison: totals that moved, and budgets that were passed. */
import { describe, expect, it } from 'vitest';
import { collectChanges, movedShare, type NightChanges } from '../../src/webhooks/night-changes.ts';

const [FROM, TO] = ['20260714T020101Z', '20260715T020101Z'];
const [YESTERDAY, TODAY] = ['2026-07-14', '2026-07-15'];

function changesOf(rows: readonly object[], to = TO): NightChanges {
  const collected = collectChanges(FROM, to);
  for (const row of rows) collected.take(JSON.stringify(row));
  return collected.changes();
}

const total = (
  key: object,
  ...moved: readonly (readonly [figure: string, before: number, after: number])[]
) => ({
  table: 'reported_totals',
  change: 'changed',
  key: { scope: 'portfolio', initiative_id: null, window_key: 'all', ...key },
  moved: moved.map(([figure, before_cents, after_cents]) => ({
    figure,
    before_cents,
    after_cents,
    because: [],
  })),
});
const budget = (initiative_id: number, as_of: string, before: object | null, after: object | null) => ({
  table: 'budget_vs_actual',
  key: { initiative_id, as_of },
  before,
  after,
});
const cells = (status: string, more: object = {}) => ({
  status,
  currency: 'EUR',
  capex_budget_cents: 100_000,
  capex_actual_cents: 100_000,
  opex_budget_to_date_cents: 50_000,
  opex_actual_cents: 50_000,
  ...more,
});

describe('the totals that moved', () => {
  it('are cash value, freed capacity and cost of the portfolio over all time, and no other', () => {
    const rows = [
      { table: 'costs', change: 'added', key: { cost_id: 1 } },
      total({ window_key: 'fy2026' }, ['cost_cents', 1, 2]),
      total({ scope: 'initiative', initiative_id: 101 }, ['cost_cents', 1, 2]),
      total({}, ['net_value_cents', 900, 850], ['cost_cents', 100, 150], ['cash_value_cents', 1_000, 1_000]),
    ];
    expect(changesOf(rows)).toEqual({
      compared_with: FROM,
      totals: [
        { figure: 'cash_value_cents', before_cents: 1_000, after_cents: 1_000 },
        { figure: 'cost_cents', before_cents: 100, after_cents: 150 },
      ],
      budgets: [],
    });
  });

  it.each([
    [[], 0],
    [[[100, 100]], 0],
    [[[0, 0]], 0],
    [[[100, 105]], 0.05],
    [[[100, 95]], 0.05],
    [[[-100, -95]], 0.05],
    [
      [
        [1_000, 1_010],
        [200, 210],
      ],
      0.05,
    ],
    [[[0, 1]], Infinity],
  ] as const)('moved, of %j, by a share of %d', (pairs, share) => {
    const totals = pairs.map(([before_cents, after_cents]) => ({
      figure: 'cost_cents' as const,
      before_cents,
      after_cents,
    }));
    expect(movedShare({ totals })).toBe(share);
  });
});

describe('the budgets that were passed', () => {
  it('are those over today that were within yesterday or had no row, with the part that is over', () => {
    const rows = [
      budget(101, YESTERDAY, cells('within'), null),
      budget(101, TODAY, null, cells('over', { opex_actual_cents: 50_001 })),
      budget(102, YESTERDAY, cells('over'), null),
      budget(102, TODAY, null, cells('over')),
      budget(103, TODAY, null, cells('over', { capex_actual_cents: 120_000 })),
      budget(104, TODAY, null, cells('within')),
      // The end of a past quarter says nothing about today.
      budget(105, '2026-06-30', null, cells('over')),
      budget(103, '2026-06-30', cells('over'), null),
    ];
    expect(changesOf(rows).budgets).toEqual([
      { initiative_id: 101, part: 'OpEx', currency: 'EUR', budget_cents: 50_000, actual_cents: 50_001 },
      { initiative_id: 103, part: 'CapEx', currency: 'EUR', budget_cents: 100_000, actual_cents: 120_000 },
    ]);
  });

  it('of a second snapshot of one day have the amounts that changed, if both are there', () => {
    const rows = [
      budget(
        101,
        YESTERDAY,
        { status: 'within', opex_actual_cents: 1 },
        { status: 'over', opex_actual_cents: 9 },
      ),
      budget(102, YESTERDAY, { status: 'over' }, { status: 'within' }),
      budget(103, YESTERDAY, { opex_actual_cents: 1 }, { opex_actual_cents: 9 }),
    ];
    expect(changesOf(rows, '20260714T120000Z').budgets).toEqual([
      { initiative_id: 101, part: null, currency: null, budget_cents: null, actual_cents: null },
    ]);
  });
});
