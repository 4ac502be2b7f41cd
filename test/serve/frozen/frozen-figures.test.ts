/** The figures of all initiatives of a snapshot, from sums and entries that a test states. */
import { expect, it } from 'vitest';
import { parseWindow, type WindowRequest } from '../../../src/figures/requested-window.ts';
import { fiscalMoment, type SnapshotFiles, snapshotFiles } from '../../../src/serve/live/snapshot-files.ts';
import { answerFrozenRoi, createFrozenRoi, readFrozenFigures } from '../../../src/serve/live/snapshot-roi.ts';
import { instantOf } from '../../support/instant-of.ts';
import { LATEST } from '../fake-parts.ts';
import { GivenSnapshots } from '../given-snapshots.ts';

const ACCOUNT = 1n;
/** The day of the snapshot. */
const AS_OF = '2026-11-20';

/** The stored cost of a whole month, of the portfolio for null. */
const cost = (initiative_id: bigint | null, month: string, last: string, opex_cents: bigint) => ({
  initiative_id,
  month,
  from_day: month,
  through_day: last,
  opex_cents,
});
const SUMS = [
  cost(null, '2025-11-01', '2025-11-30', 1_600n),
  cost(null, '2026-01-01', '2026-01-31', 50n),
  cost(101n, '2025-11-01', '2025-11-30', 700n),
  cost(101n, '2026-01-01', '2026-01-31', 50n),
  cost(102n, '2025-11-01', '2025-11-30', 300n),
  cost(103n, '2025-11-01', '2025-11-30', 600n),
];
const paid = (initiative_id: bigint, day: string, usd_amount_cents: bigint) => ({
  initiative_id,
  period_start: instantOf(`${day}T00:00:00.000000Z`),
  currency: 'USD',
  amount_cents: usd_amount_cents,
  usd_amount_cents,
  cost_category: 'opex',
});
/** The entries of these sums, on both sides of the ends of the last 12 months, which begin on 21 November 2025. */
const COSTS = [
  paid(101n, '2025-11-20', 600n),
  paid(101n, '2025-11-21', 100n),
  paid(101n, '2026-01-31', 50n),
  paid(102n, '2025-11-01', 300n),
  paid(103n, '2025-11-20', 200n),
  paid(103n, '2025-11-21', 400n),
];

/** The files of the newest snapshot with these tables, in row groups of two rows. */
async function filesOf(more: object = {}): Promise<SnapshotFiles> {
  const tables = {
    snapshot: [{ fiscal_year_start_month: 1 }],
    initiatives: [101n, 102n, 103n].map((id) => ({ initiative_id: id, title: `Initiative ${id}` })),
    costs: COSTS,
    month_sums: SUMS,
    month_sums_unsettled: [],
    ...more,
  };
  const snapshots = new GivenSnapshots(() => tables, 2);
  const snapshot = await snapshots.pinned(ACCOUNT, LATEST);
  if (snapshot === null) throw new Error('the snapshot is published');
  return snapshotFiles(snapshots, ACCOUNT, snapshot);
}

const windowOf = (text: string): WindowRequest => parseWindow(text) ?? { kind: 'trailing', key: 'all' };

async function costsIn(text: string, files: SnapshotFiles, cache = createFrozenRoi()) {
  const moment = await fiscalMoment(files);
  const { of, counted } = await readFrozenFigures(cache, files, { window: windowOf(text), moment });
  return { costs: [101n, 102n, 103n, 104n].map((id) => of(id).figures.cost_cents), counted };
}

it('the figures of each initiative are its stored sums, also of the first and of the last in the file', async () => {
  expect(await costsIn('all', await filesOf())).toEqual({ costs: [750n, 300n, 600n, 0n], counted: 3 });
  expect(await costsIn('fy2026', await filesOf())).toEqual({ costs: [50n, 0n, 0n, 0n], counted: 1 });
});

it('the figures are added up from the entries if the window cuts a stored month of any initiative', async () => {
  const expected = { costs: [150n, 0n, 400n, 0n], counted: 2 };
  expect(await costsIn('1yr', await filesOf())).toEqual(expected);
  // The month that is cut is that of the first initiative alone, or of the last alone.
  const later = [cost(103n, '2026-01-01', '2026-01-31', 400n)];
  const first = { month_sums: [...SUMS.slice(0, 4), ...later], costs: COSTS.slice(0, 3) };
  expect(await costsIn('1yr', await filesOf(first))).toEqual({ costs: [150n, 0n, 0n, 0n], counted: 1 });
  const last = { month_sums: SUMS.slice(5), costs: COSTS.slice(4) };
  expect(await costsIn('1yr', await filesOf(last))).toEqual({ costs: [0n, 0n, 400n, 0n], counted: 1 });
});

it('the figures of one window are not those of another that was asked before', async () => {
  const [files, cache] = [await filesOf(), createFrozenRoi()];
  for (const [window, first] of [['all', 750n] as const, ['fy2026', 50n] as const, ['1yr', 150n] as const]) {
    expect([window, (await costsIn(window, files, cache)).costs[0]]).toEqual([window, first]);
    const asked = { window: windowOf(window), initiative_id: 101n };
    expect([window, (await answerFrozenRoi(cache, files, asked)).total_cost_cents]).toEqual([
      window,
      Number(first),
    ]);
  }
});

it('a window counts the entries of its first and of its last day', async () => {
  const costs = [
    paid(101n, '2025-11-20', 1n),
    paid(101n, '2025-11-21', 10n),
    paid(101n, AS_OF, 100n),
    paid(101n, '2026-11-21', 1_000n),
  ];
  const files = await filesOf({ costs, month_sums: undefined, month_sums_unsettled: undefined });
  expect((await costsIn('1yr', files)).costs[0]).toBe(110n);
  const asked = { window: windowOf('1yr'), initiative_id: 101n };
  expect((await answerFrozenRoi(createFrozenRoi(), files, asked)).total_cost_cents).toBe(110);
});

/** The same files: the named tables have a digest of this letter, and all others one digest. */
function digested(files: SnapshotFiles, own: Readonly<Record<string, string>>): SnapshotFiles {
  const tables = files.snapshot.tables.map((table) => ({
    ...table,
    sha256: (own[table.name] ?? 'f').repeat(64),
  }));
  return { ...files, snapshot: { ...files.snapshot, tables } };
}

it('a snapshot with the same entries has its own fiscal year and titles', async () => {
  const cache = createFrozenRoi();
  const january = digested(await filesOf(), {});
  // FY2026 is July 2025 to June 2026.
  const july = digested(await filesOf({ snapshot: [{ fiscal_year_start_month: 7 }] }), { snapshot: 'e' });
  const titles = { initiatives: [{ initiative_id: 101n, title: 'Renamed' }] };
  const renamed = digested(await filesOf(titles), { initiatives: 'e' });
  const asked = { window: windowOf('fy2026'), initiative_id: 101n };
  const answers = await Array.fromAsync([january, july, renamed], (files) =>
    answerFrozenRoi(cache, files, asked),
  );
  expect(answers.map(({ scope, total_cost_cents }) => [scope.title, total_cost_cents])).toEqual([
    ['Initiative 101', 50],
    ['Initiative 101', 750],
    ['Renamed', 50],
  ]);
  const third = await answerFrozenRoi(cache, january, { ...asked, initiative_id: 103n });
  expect(third.scope).toEqual({ type: 'initiative', id: 103, title: 'Initiative 103' });
  expect((await costsIn('fy2026', january, cache)).costs).toEqual([50n, 0n, 0n, 0n]);
  expect((await costsIn('fy2026', july, cache)).costs).toEqual([750n, 300n, 600n, 0n]);
});
