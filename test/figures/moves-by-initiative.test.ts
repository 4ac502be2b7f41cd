/** What each initiative adds to a step, worked by hand. */
import { describe, expect, it } from 'vitest';
import { openMoveFold } from '../../src/figures/moves-by-initiative.ts';

const ALL = { from_date: null, through_date: '2026-07-15' };
const Q2 = { from_date: '2026-04-01', through_date: '2026-06-30' };

/** A change of the cost of an initiative in a month, in cents. */
const cost = (initiative_id: number, month: string | null, opex_cents: number, capex_cents = 0) => ({
  initiative_id,
  month,
  cash_value_cents: 0,
  capex_cents,
  opex_cents,
});

describe('the initiatives of a step', () => {
  const fold = openMoveFold();
  fold.add('cost', 'entry_added', [cost(1, '2026-04-01', 100), cost(2, '2026-07-01', 5_000, 700)]);
  fold.add('cost', 'entry_added', [cost(1, '2026-04-01', 30), cost(3, null, -9)]);
  fold.add('cost', 'entry_added', [cost(4, '2026-06-01', 8), cost(4, '2026-07-01', -8)]);
  fold.add('cost', 'entry_deleted', [cost(1, '2026-04-01', -1)]);
  fold.add('value', 'approved', [{ ...cost(1, '2026-06-01', 0), cash_value_cents: 40 }]);

  it('are added up over all months, the largest amount first, without those that add nothing', () => {
    // Initiative 2: −(5,000 + 700); 1: −(100 + 30); 3: +9, of no month; 4: −8 and +8.
    expect(fold.parts('cost', 'entry_added', ALL)).toEqual([
      { initiative_id: 2n, net: -5_700n },
      { initiative_id: 1n, net: -130n },
      { initiative_id: 3n, net: 9n },
    ]);
  });

  it('of a window are those of its months, the first and the last included', () => {
    expect(fold.parts('cost', 'entry_added', Q2)).toEqual([
      { initiative_id: 1n, net: -130n },
      { initiative_id: 4n, net: -8n },
    ]);
  });

  it('are those of its own kind and reason', () => {
    expect(fold.parts('cost', 'entry_deleted', ALL)).toEqual([{ initiative_id: 1n, net: 1n }]);
    expect(fold.parts('value', 'approved', Q2)).toEqual([{ initiative_id: 1n, net: 40n }]);
    expect(fold.parts('value', 'entry_added', ALL)).toEqual([]);
  });

  it('take one amount for each initiative, month and reason', () => {
    // Added: 1 in April, 2 in July, 3 without a month, 4 in June and July; deleted: one; approved: one.
    expect(fold.size()).toBe(7);
  });
});
