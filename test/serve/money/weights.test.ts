/** What stands first, and which reason is named: the order of initiatives, and the reason that weighs most under a figure. */
import { describe, expect, it } from 'vitest';
import { waterfallSteps } from '../../../src/figures/waterfall.ts';
import { changeOf, NO_ENTRIES } from '../../../src/figures/window-change.ts';
import { rankInitiatives, RANKS, type Rank, withoutFigures } from '../../../src/serve/money/ranking.ts';
import { heaviestReasons, nothingMoved } from '../../../src/serve/money/statement.ts';
import { textOf } from './served-company.ts';

type Ranked = ReturnType<typeof rankInitiatives>;

const initiative = (id: bigint) => ({ id, title: `T${id}`, stage: 'live', owner: null, department: null });

it.each(Object.keys(RANKS) as Rank[])(
  'initiatives with an equal %s stand in the order of their ids',
  (rank) => {
    const same = { get: () => ({ ...NO_ENTRIES, cost: 5n, net_value: -5n }) };
    const overview = {
      initiatives: [103n, 101n, 102n].map(initiative),
      totals: { initiatives: same },
      totals_before: { initiatives: same },
    } as unknown as Parameters<typeof rankInitiatives>[0]; // what is ranked by
    expect(rankInitiatives(overview, 'all', rank).map(({ id }) => id)).toEqual([101n, 102n, 103n]);
  },
);

it.each([
  [1, 'T1 (live).'],
  [12, 'T12 (live).'],
  [13, 'T12 (live) and 1 more.'],
  [20, 'T12 (live) and 8 more.'],
])(
  'twelve of %d initiatives without a figure are named at most, and the rest are counted',
  async (count, end) => {
    const none = Array.from({ length: count }, (_, index) => ({
      ...initiative(BigInt(index + 1)),
      now: NO_ENTRIES,
      change: 0n,
    }));
    const some = { ...initiative(99n), now: { ...NO_ENTRIES, freed_capacity: 1n }, change: 0n };
    const ranked = [some, ...none] as Ranked;
    const shown = textOf(String(await withoutFigures(ranked, String)));
    expect(shown).toContain(`Nothing recorded in this window: T1 (live)`);
    expect(shown).toContain(end);
    expect(shown).not.toContain('T99');
    expect(withoutFigures([some] as Ranked, String)).toBe('');
  },
);

const moved = { cost: 300n, cash_value: -700n, net_value: -1_000n };
const change = changeOf(NO_ENTRIES, { ...NO_ENTRIES, ...moved });
/** A rise of 2.00 and a fall of 9.00 of value, and 3.00 of cost. */
const steps = waterfallSteps(
  0n,
  [
    { reason: 'approved', cents: 200n, entries: 1 },
    { reason: 'archived', cents: -900n, entries: 2 },
  ],
  [{ reason: 'entry_added', cents: 300n, entries: 1 }],
);

const wordsOf = (...asked: Parameters<typeof heaviestReasons>) =>
  Promise.all(Object.values(heaviestReasons(...asked)).map(async (html) => textOf(String(await html))));

describe('the reason under a figure', () => {
  it('is that of its own entries that weighs most, also if it is a fall', async () => {
    expect(await wordsOf(change, steps)).toEqual([
      '1 cost recorded, +$3.00',
      'mostly 2 values archived, −$9.00',
      'mostly 2 values archived, −$9.00',
    ]);
  });

  it('is not there for a figure that did not move, and said to be coming while both snapshots are compared', async () => {
    const costAlone = changeOf(NO_ENTRIES, { ...NO_ENTRIES, cost: 300n, net_value: -300n });
    const waiting = 'the reasons are being worked out';
    expect(await wordsOf(costAlone, null)).toEqual([waiting, '', waiting]);
    expect(await wordsOf(null, steps)).toEqual(['', '', '']);
  });
});

it('nothing moved only if each figure of each window is known and stayed', () => {
  const still = changeOf({ ...NO_ENTRIES, roi: 0.5 }, { ...NO_ENTRIES, roi: 0.5 });
  expect(nothingMoved([changeOf(), still])).toBe(true);
  expect(nothingMoved([])).toBe(true);
  expect(nothingMoved([still, null])).toBe(false);
  for (const figure of ['cost', 'cash_value', 'net_value', 'freed_capacity', 'roi'] as const) {
    const one = changeOf(
      { ...NO_ENTRIES, roi: 0 },
      { ...NO_ENTRIES, roi: 0, [figure]: figure === 'roi' ? 1 : 1n },
    );
    expect([figure, nothingMoved([still, one])]).toEqual([figure, false]);
  }
});
