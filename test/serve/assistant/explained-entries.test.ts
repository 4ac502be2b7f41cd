/** Which snapshots explain_change compares, and which entries it states: every edge of a page, a window and a figure. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Change } from '../../../src/diff/change.ts';
import type { Diffs } from '../../../src/diff/diff-cache.ts';
import type { ReadableSnapshot } from '../../../src/snapshot/format/served-manifest.ts';
import { fakeApp, FakeSnapshots } from '../fake-parts.ts';
import { namedInList } from '../named-in.ts';
import { askingOf, type Told } from './questions.ts';

const NIGHTS = ['20261120T020000Z', '20261119T020000Z', '20261118T020000Z'] as const;
const [NEWEST, SECOND, THIRD] = NIGHTS;
type Marks = Partial<Pick<ReadableSnapshot, 'pins' | 'quarantine' | 'retraction'>>;

const damaged: Marks = { quarantine: { at: 1n, files: ['costs.parquet'] } };
/** Damage of files whose figures other files have, too. */
const sumsDamaged: Marks = { quarantine: { at: 1n, files: ['month_sums.parquet'] } };
const pinned = (name: string): Marks => ({ pins: [{ name, at: 1n, until: 2n }] });

/** What the next call finds: the snapshots of the account, newest first, and what changed between any two. */
let nights: readonly string[] = NIGHTS;
let marks: Readonly<Record<string, Marks>> = {};
let changes: readonly Change[] = [];

class Nights extends FakeSnapshots {
  override readonly named = namedInList({ list: (account_id) => this.list(account_id) });

  override async list(account_id: bigint): Promise<readonly ReadableSnapshot[]> {
    const [any] = await super.list(account_id);
    if (any === undefined) throw new Error('the fake store is empty');
    return nights.map((snapshot_id) => ({ ...any, snapshot_id, ...marks[snapshot_id] }));
  }
}

const diffs: Diffs = {
  use: (_account, _from, _to, work) =>
    work({
      tables: [],
      page: async (_first, _limit, table) => ({
        changes: changes.filter((each) => each.table === table),
        next: null,
      }),
    }),
  close: async () => undefined,
};
const holder = { token_id: 1n, account_id: 7n, user_id: 1n, kind: 'personal' as const };
const { app } = fakeApp({
  snapshots: new Nights(),
  diffs,
  authenticate: async () => ({ ...holder, api_access: true, reporting_enabled: true }),
});
const unused = () => Promise.reject(new Error('unused'));
const asking = askingOf({ app, ask: unused, close: unused, database: undefined as never });
const ask = (tool: string, asked: Record<string, unknown> = {}): Promise<Told> => asking.call(tool, asked);
afterEach(() => {
  [nights, marks, changes] = [NIGHTS, {}, []];
});

async function sides(asked: Record<string, unknown>, marked: typeof marks) {
  marks = marked;
  const { structured, text } = await ask('explain_change', asked);
  if (structured === undefined) return text;
  const { from, to } = structured as Record<'from' | 'to', { readonly snapshot_id: string }>;
  return [from.snapshot_id, to.snapshot_id];
}

const refused = (id: string) => `${id} is damaged. Name another; list_snapshots shows which can be named.`;

describe('explain_change compares', () => {
  it('the two newest snapshots, or a named snapshot with the snapshot before it', async () => {
    expect(await sides({}, {})).toEqual([SECOND, NEWEST]);
    expect(await sides({ to_snapshot: SECOND }, {})).toEqual([THIRD, SECOND]);
    expect(await sides({ from_snapshot: THIRD }, {})).toEqual([THIRD, NEWEST]);
  });

  it('the newest snapshot of a pin that two have, and the id before a pin of that name', async () => {
    const close = { [SECOND]: pinned('close'), [THIRD]: pinned('close') };
    expect(await sides({ from_snapshot: 'close' }, close)).toEqual([SECOND, NEWEST]);
    expect(await sides({ from_snapshot: THIRD }, { [SECOND]: pinned(THIRD) })).toEqual([THIRD, NEWEST]);
  });

  it('no damaged snapshot: it takes an earlier whole snapshot or none, and refuses a named damaged snapshot', async () => {
    expect(await sides({}, { [SECOND]: damaged })).toEqual([THIRD, NEWEST]);
    expect(await sides({}, { [SECOND]: damaged, [THIRD]: damaged })).toContain(
      'No earlier snapshot is kept to compare this one with',
    );
    expect(await sides({}, { [NEWEST]: damaged })).toBe(refused(NEWEST));
    expect(await sides({ to_snapshot: SECOND }, { [SECOND]: damaged })).toBe(refused(SECOND));
    expect(await sides({ from_snapshot: THIRD }, { [THIRD]: damaged })).toBe(refused(THIRD));
    const close = { [SECOND]: { ...damaged, ...pinned('close') } };
    expect(await sides({ from_snapshot: 'close' }, close)).toBe(refused(SECOND));
  });

  it('a snapshot of which sums alone are damaged, because other files have its figures', async () => {
    expect(await sides({}, { [SECOND]: sumsDamaged })).toEqual([SECOND, NEWEST]);
    expect(await sides({ to_snapshot: SECOND }, { [SECOND]: sumsDamaged })).toEqual([THIRD, SECOND]);
    const both: Marks = { quarantine: { at: 1n, files: ['month_sums.parquet', 'costs.parquet'] } };
    expect(await sides({ to_snapshot: SECOND }, { [SECOND]: both })).toBe(refused(SECOND));
    expect(await sides({}, { [SECOND]: both })).toEqual([THIRD, NEWEST]);
    // Damage without a named file may be anywhere.
    expect(await sides({}, { [NEWEST]: { quarantine: { at: 1n, files: [] } } })).toBe(refused(NEWEST));
  });
});

const NONE = {
  initiative_id: 1,
  month: '2026-01-01',
  cash_value_cents: 0,
  freed_capacity_cents: 0,
  capex_cents: 0,
  opex_cents: 0,
  vendor_price_effect_cents: 0,
};
type Effect = Partial<typeof NONE> | { readonly month: null };

function changed(id: number, effects: readonly Effect[], more: Partial<Change> = {}): Change {
  const table = more.table ?? 'reported_value';
  return {
    table,
    change: 'added',
    key: { [table === 'costs' ? 'cost_entry_id' : 'value_entry_id']: id },
    reason: 'entry_added',
    before: null,
    after: {},
    effects: effects.map((effect) => ({ ...NONE, ...effect })),
    moved: [],
    ...more,
  };
}

interface Entries {
  readonly entries: readonly Record<string, unknown>[];
  readonly has_more: boolean;
}

async function entriesOf(found: readonly Change[], asked: Record<string, unknown> = {}): Promise<Entries> {
  changes = found;
  const { structured, text } = await ask('explain_change', asked);
  if (structured === undefined) throw new Error(text);
  return structured as unknown as Entries; // as the tool declares it
}
const ids = ({ entries }: Entries): readonly unknown[] => entries.map(({ id }) => id);

const movedOf = ({ entries }: Entries) =>
  entries.map((entry) => [entry['initiative_id'], entry['cost_cents']]);
const one = (id: number, table: string) => changed(id, [{ cash_value_cents: 1, opex_cents: 1 }], { table });

describe('explain_change states an entry', () => {
  it('that moved freed capacity, cash value or cost alone, and no entry that moved no figure', async () => {
    const found = await entriesOf([
      changed(1, [{ freed_capacity_cents: 5 }]),
      changed(2, [{ cash_value_cents: -5 }]),
      changed(3, [{ vendor_price_effect_cents: 5 }]),
      changed(4, []),
      changed(5, [{ capex_cents: 5 }, { opex_cents: -5 }], { table: 'costs' }),
      changed(6, [{ capex_cents: 3 }, { opex_cents: 4 }], { table: 'costs' }),
    ]);
    expect(ids(found)).toEqual([6, 1, 2]); // costs first
    expect(found.entries[0]).toMatchObject({ table: 'costs', cost_cents: 7 });
    expect(found.entries[1]).toMatchObject({ freed_capacity_cents: 5, cash_value_cents: 0, cost_cents: 0 });
  });

  it('once for each initiative that it moved, and of one initiative alone if that is asked', async () => {
    const moved = [
      changed(
        1,
        [
          { initiative_id: 1, opex_cents: -9 },
          { initiative_id: 101, opex_cents: 9 },
        ],
        { table: 'costs' },
      ),
    ];
    expect(movedOf(await entriesOf(moved))).toEqual([
      [1, -9],
      [101, 9],
    ]);
    expect(movedOf(await entriesOf(moved, { initiative_id: 101 }))).toEqual([[101, 9]]);
    const ofAnother = [changed(1, [{ initiative_id: 1, opex_cents: -9 }], { table: 'costs' })];
    expect(movedOf(await entriesOf(ofAnother, { initiative_id: 101 }))).toEqual([]);
  });

  it('of the first and the last month of the window, of none beside it, and undated ones in all time alone', async () => {
    const months = ['2025-12-01', '2026-01-01', '2026-03-01', '2026-04-01'];
    const dated = months.map((month, at) => changed(at + 1, [{ month, cash_value_cents: 1 }]));
    const all = [...dated, changed(9, [{ month: null, cash_value_cents: 1 } as Effect])];
    expect(ids(await entriesOf(all, { window: 'fy2026-q1' }))).toEqual([2, 3]);
    expect(ids(await entriesOf(all, { window: 'fy2026' }))).toEqual([2, 3, 4]);
    expect(ids(await entriesOf(all))).toEqual([1, 2, 3, 4, 9]);
    const both = [changed(1, [{ cash_value_cents: 1 }, { month: '2025-12-01', cash_value_cents: 2 }])];
    expect((await entriesOf(both, { window: 'fy2026' })).entries[0]).toMatchObject({ cash_value_cents: 1 });
  });

  it('on its page of twenty, across both tables, and says whether there are more', async () => {
    const all = Array.from({ length: 41 }, (_, at) => one(at + 1, at < 15 ? 'costs' : 'reported_value'));
    const page = async (count: number, number: number) => {
      const found = await entriesOf(all.slice(0, count), { page: number });
      return [ids(found).at(0), ids(found).at(-1), ids(found).length, found.has_more];
    };
    expect(await page(20, 1)).toEqual([1, 20, 20, false]);
    expect(await page(21, 1)).toEqual([1, 20, 20, true]);
    expect(await page(21, 2)).toEqual([21, 21, 1, false]);
    expect(await page(41, 2)).toEqual([21, 40, 20, true]);
    expect(await page(41, 3)).toEqual([41, 41, 1, false]);
    expect(await page(41, 4)).toEqual([undefined, undefined, 0, false]);
  });

  it('with its page: of its row, of the row that it was, or of its initiative', async () => {
    const effects = [{ initiative_id: 101, cash_value_cents: 1 }];
    const found = await entriesOf([
      changed(1, effects, { after: { app_url: 'https://app.example/1' } }),
      changed(2, effects, { change: 'removed', before: { app_url: 'https://app.example/2' }, after: null }),
      changed(3, effects, { change: 'changed', before: {}, after: {} }),
      changed(4, [{ initiative_id: 5, cash_value_cents: 1 }]),
    ]);
    // The one initiative of the fake store is 101, whose page is the text of each of its columns.
    expect(found.entries.map(({ app_url }) => app_url)).toEqual([
      'https://app.example/1',
      'https://app.example/2',
      expect.any(String),
      null,
    ]);
  });
});

describe('list_snapshots', () => {
  it('shows fifty and says whether there are more, and marks a damaged one', async () => {
    const many = Array.from(
      { length: 51 },
      (_, at) => `202610${String(10 + (at % 20))}T0${Math.floor(at / 20)}0000Z`,
    );
    const shown = async (count: number) => {
      nights = many.slice(0, count);
      const { structured, text } = await ask('list_snapshots');
      const { snapshots, has_more } = structured as { snapshots: unknown[]; has_more: boolean };
      return [snapshots.length, has_more, text.includes('There are older ones.')];
    };
    expect([await shown(50), await shown(51)]).toEqual([
      [50, false, false],
      [50, true, true],
    ]);
    [nights, marks] = [NIGHTS, { [SECOND]: damaged }];
    const { structured, text } = await ask('list_snapshots');
    expect(structured).toMatchObject({
      snapshots: [{ damaged: false }, { snapshot_id: SECOND, damaged: true }, { damaged: false }],
    });
    expect(text.match(/damaged: nothing is answered from it/g)).toHaveLength(1);
    marks = { [SECOND]: sumsDamaged };
    expect((await ask('list_snapshots')).text).not.toContain('nothing is answered from it');
  });

  it.each([
    [500, 0],
    [501, 1],
  ])(
    'gives at most 500 characters of the reason of a retraction: of %i it cuts %i',
    async (length, cut_characters) => {
      const retraction = { reason: 'x'.repeat(length), at: 1n, replaced_by: null };
      [nights, marks] = [NIGHTS, { [SECOND]: { retraction } }];
      const { structured } = await ask('list_snapshots');
      const { snapshots } = structured as { snapshots: { retracted: { reason: unknown } | null }[] };
      expect(snapshots[1]?.retracted?.reason).toEqual({ text: 'x'.repeat(500), cut_characters });
    },
  );
});
