/** The figures that differ between two snapshots, from totals that a test states: of one scope and one window. */
import { expect, it } from 'vitest';
import { movedFigures } from '../../../src/serve/live/moved-figures.ts';
import { snapshotFiles } from '../../../src/serve/live/snapshot-files.ts';
import { EARLIER, LATEST } from '../fake-parts.ts';
import { GivenSnapshots } from '../given-snapshots.ts';

const ACCOUNT = 7n;

const total = (initiative_id: bigint | null, window_key: string, cost_cents: bigint) => ({
  scope: initiative_id === null ? 'portfolio' : 'initiative',
  initiative_id,
  window_key,
  cost_cents,
});
/** Totals in the order of a file: 102 has no row for 2026 in the earlier snapshot, and 103 none at all. */
const TOTALS: Readonly<Record<string, readonly ReturnType<typeof total>[]>> = {
  [EARLIER]: [
    total(101n, 'all', 40n),
    total(101n, 'fy2026', 30n),
    total(102n, 'all', 9n),
    total(null, 'all', 49n),
    total(null, 'fy2026', 30n),
  ],
  [LATEST]: [
    total(101n, 'all', 55n),
    total(101n, 'fy2026', 30n),
    total(102n, 'all', 4n),
    total(102n, 'fy2026', 4n),
    total(103n, 'all', 7n),
    total(null, 'all', 66n),
    total(null, 'fy2026', 34n),
  ],
};

it.each([
  [101n, 'all', [40, 55]],
  [101n, 'fy2026', null],
  [102n, 'all', [9, 4]],
  [102n, 'fy2026', [0, 4]],
  [103n, 'all', [0, 7]],
  [104n, 'all', null],
  [null, 'all', [49, 66]],
  [null, 'fy2026', [30, 34]],
  [null, 'fy2025', null],
] as const)('the moved figures of initiative %s in %s are %j', async (initiative, window, cost) => {
  // Rows of an initiative, and those of the portfolio, lie in different row groups.
  const snapshots = new GivenSnapshots((_, id) => ({ reported_totals: TOTALS[id] ?? [] }), 2);
  const filesOf = async (id: string) => {
    const snapshot = await snapshots.pinned(ACCOUNT, id);
    if (snapshot === null) throw new Error('the snapshot is published');
    return snapshotFiles(snapshots, ACCOUNT, snapshot);
  };
  const both = [await filesOf(EARLIER), await filesOf(LATEST)] as const;
  const expected = cost && [
    { figure: 'cost_cents', before_cents: cost[0], after_cents: cost[1], because: [] },
  ];
  expect(await movedFigures(both, initiative, window)).toEqual(expected ?? []);
});
