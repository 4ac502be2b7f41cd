/** Pages of a list as of a snapshot, over rows of several row groups: every edge of a group, a page and a filter. */
import { describe, expect, it } from 'vitest';
import type { Position } from '../../../src/ledger/lists/keyset.ts';
import { type FrozenPage, readFrozenLatest, readFrozenPage } from '../../../src/serve/live/snapshot-lists.ts';
import type { SnapshotFiles } from '../../../src/serve/live/snapshot-files.ts';
import type { FieldValue, TableRows } from '../../../src/snapshot/read/rows.ts';

interface Row {
  readonly id: bigint;
  readonly updated_at: bigint;
  readonly initiative_id: bigint;
  readonly period_start: string | null;
}

/** The rows of one row group, and how often each group was read. */
function filesOf(groups: readonly (readonly Row[])[], bounded = true) {
  const all = groups.flat();
  const read = groups.map(() => 0);
  const firstOf = (at: number): number => groups.slice(0, at).flat().length;
  const rows: TableRows = {
    count: all.length,
    columns: [],
    groups: groups.map((group, at) => ({
      first: firstOf(at),
      rows: group.length,
      least: () => null,
      greatest: () => (bounded ? (group.at(-1)?.updated_at ?? null) : null),
    })),
    turn: async () => undefined,
    async *read(names, { from = 0, to = all.length } = {}) {
      // One row a piece: a page may begin and end within one.
      for (let first = from; first < to; first += 1) {
        const group = groups.findIndex((_, at) => first < firstOf(at + 1));
        read[group] = (read[group] ?? 0) + 1;
        const cell = (name: string): FieldValue => all[first]?.[name as keyof Row] ?? null;
        yield { first, rows: 1, columns: names.map((name) => [cell(name)]) };
      }
    },
  };
  const files = { companion: async () => rows } as unknown as SnapshotFiles; // a list reads nothing else
  return { files, read };
}

const row = (id: number, at: number, more: Partial<Row> = {}): Row => ({
  id: BigInt(id),
  updated_at: BigInt(at),
  initiative_id: 7n,
  period_start: null,
  ...more,
});
const day = (id: number, period_start: string | null, of = 7n): Row =>
  row(id, id, { period_start, initiative_id: of });
/** Six rows, of which three changed at one moment, on both sides of the edge of a group. */
const GROUPS = [
  [row(5, 10), row(2, 20)],
  [row(3, 20), row(9, 20)],
  [row(1, 30), row(4, 40)],
];

async function idsOf(
  page: Partial<FrozenPage>,
  filters: Readonly<Record<string, unknown>> = {},
  { files } = filesOf(GROUPS),
): Promise<readonly number[]> {
  const wanted = { after: null, updated_since: undefined, rows: 100, ...page };
  const found = await readFrozenPage(files, 'cost_entries', wanted, filters);
  return found.map(({ id }) => Number(id));
}

/** Every row, in pages of that size, each after the last row of the one before. */
async function walked(size: number): Promise<readonly number[]> {
  const ids: number[] = [];
  let after: Position | null = null;
  for (;;) {
    const { files } = filesOf(GROUPS);
    const page: readonly Position[] = await readFrozenPage(
      files,
      'cost_entries',
      { after, updated_since: undefined, rows: size },
      {},
    );
    ids.push(...page.map(({ id }) => Number(id)));
    const last = page.at(-1);
    if (last === undefined) return ids;
    after = { updated_at: last.updated_at, id: last.id };
  }
}

describe('a page of a list as of a snapshot', () => {
  it('walked in any size has each row once, also those of one moment on both sides of a group', async () => {
    for (const size of [1, 2, 3, 4, 5, 6, 7])
      expect([size, await walked(size)]).toEqual([size, [5, 2, 3, 9, 1, 4]]);
  });

  it('begins at updated_since, that very moment included, and ends before the horizon, that moment excluded', async () => {
    const since = (updated_since: bigint) => idsOf({ updated_since });
    expect([await since(20n), await since(21n), await since(40n), await since(41n)]).toEqual([
      [2, 3, 9, 1, 4],
      [1, 4],
      [4],
      [],
    ]);
    const before = (horizon: bigint) => idsOf({ horizon });
    expect([await before(20n), await before(21n), await before(40n)]).toEqual([
      [5],
      [5, 2, 3, 9],
      [5, 2, 3, 9, 1],
    ]);
    expect(await idsOf({ updated_since: 20n, horizon: 30n, after: { updated_at: 20n, id: 2n } })).toEqual([
      3, 9,
    ]);
  });

  it('reads no group whose changes are all older, and no group behind a full page; an unknown bound is read', async () => {
    const old = filesOf(GROUPS);
    await idsOf({ after: { updated_at: 20n, id: 9n } }, {}, old);
    expect(old.read[0]).toBeGreaterThan(0); // its greatest change is the very moment
    const older = filesOf(GROUPS);
    await idsOf({ updated_since: 30n }, {}, older);
    expect([older.read[0], older.read[1]]).toEqual([0, 0]);
    const full = filesOf(GROUPS);
    expect(await idsOf({ rows: 2 }, {}, full)).toEqual([5, 2]);
    expect([full.read[1], full.read[2]]).toEqual([0, 0]);
    expect(await idsOf({ updated_since: 30n }, {}, filesOf(GROUPS, false))).toEqual([1, 4]);
  });

  it('keeps rows that match all filters: the first and last day included, an entry without a period in neither', async () => {
    const dated = filesOf([
      [row(1, 1, { period_start: '2026-01-31' }), row(2, 2, { period_start: '2026-02-01' })],
      [row(3, 3), row(4, 4, { period_start: '2026-02-28', initiative_id: 8n })],
    ]);
    const ids = (filters: Readonly<Record<string, unknown>>) => idsOf({}, filters, dated);
    expect(await ids({ period_from: '2026-02-01' })).toEqual([2, 4]);
    expect(await ids({ period_to: '2026-02-01' })).toEqual([1, 2]);
    expect(await ids({ period_from: '2026-02-01', period_to: '2026-02-01' })).toEqual([2]);
    expect(await ids({ initiative_id: 8n, period_from: '2026-01-01' })).toEqual([4]);
    expect(await ids({ initiative_id: 9n })).toEqual([]);
    expect(await ids({ period_start: '2026-02-28' })).toEqual([4]); // the row without one is no match
    expect(await ids({ initiative_id: undefined, include_sample: false, updated_since: undefined })).toEqual([
      1, 2, 3, 4,
    ]);
  });
});

describe('the latest entries of an initiative as of a snapshot', () => {
  it('are those of the latest periods, and of one day the highest ids; those without a period stand apart', async () => {
    const { files } = filesOf([
      [day(1, '2026-03-01'), day(2, '2026-01-01'), day(3, null), day(4, '2026-03-01')],
      [
        day(5, '2026-02-01'),
        day(6, null),
        day(7, null),
        day(8, '2026-12-01', 8n),
        day(9, '2026-01-01'),
        day(10, null, 8n),
      ],
    ]);
    const latest = async (dated: number, undated: number) => {
      const found = await readFrozenLatest(files, 'cost_entries', 7n, { dated, undated });
      return [found.dated, found.undated].map((rows) => rows.map(({ id }) => Number(id)));
    };
    expect(await latest(10, 10)).toEqual([
      [4, 1, 5, 9, 2],
      [7, 6, 3],
    ]);
    expect(await latest(3, 2)).toEqual([
      [4, 1, 5],
      [7, 6],
    ]);
    expect(await latest(1, 0)).toEqual([[4], []]);
  });
});
