/** One suite over both sources: the ledger at the moment of a snapshot, and that snapshot's files. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAccount } from '../../../src/ledger/account-session.ts';
import { type CostEntryRow, listCostEntries } from '../../../src/ledger/lists/cost-entries.ts';
import { findInitiative, listInitiatives } from '../../../src/ledger/lists/initiatives.ts';
import type { Position } from '../../../src/ledger/lists/keyset.ts';
import { readChecksBeside } from '../../../src/run/builders/build-account.ts';
import { createFigureSlots } from '../../../src/serve/limits/figure-slots.ts';
import { createComparisonCache } from '../../../src/serve/live/budget-comparisons.ts';
import { createRoiCaches } from '../../../src/serve/live/ledger-roi.ts';
import { type LedgerParts, ledgerSource } from '../../../src/serve/live/ledger-source.ts';
import { snapshotFiles } from '../../../src/serve/live/snapshot-files.ts';
import { createFrozenRoi } from '../../../src/serve/live/snapshot-roi.ts';
import { type SnapshotParts, snapshotSource } from '../../../src/serve/live/snapshot-source.ts';
import type { EntryList, List, Reads, Source } from '../../../src/serve/live/source.ts';
import { COMPANION_SET } from '../../../src/tables/companions.ts';
import { readWorkedBudgets } from '../../fixtures/worked/budgets.ts';
import { readWorkedTotals } from '../../fixtures/worked/totals.ts';
import { readerAt } from '../../snapshot/builder/build-harness.ts';
import { AT, type BuildHarness, openBuildHarness } from '../../snapshot/builder/real-build.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { ID } from './as-of-walk.ts';

const TODAY = '2026-07-15';
const UNKNOWN = 999_999n;
const INITIATIVES: List<Position & { readonly title: string }, { readonly include_sample: boolean }> = {
  name: 'initiatives',
  read: listInitiatives,
  find: findInitiative,
};
const listNewest: List<Position, object>['read'] = (client, page) =>
  listInitiatives(client, page, { include_sample: false });
const COSTS: EntryList<CostEntryRow> = { name: 'cost_entries', read: listCostEntries };
const ALL = { kind: 'trailing', key: 'all' } as const;

let harness: BuildHarness;
const sources = new Map<string, Source>();
beforeAll(async () => {
  harness = await openBuildHarness();
  const store = memoryStore(new Map());
  await harness.build({ store, checksBeside: await readChecksBeside([COMPANION_SET]) });
  const snapshots = readerAt(store, () => AT);
  const snapshot = await snapshots.pinned(1n, ID);
  if (snapshot === null) throw new Error('no snapshot was built');
  const pool = harness.database.pool('cf_reader', 2);
  const parts: LedgerParts & SnapshotParts = {
    figureSlots: createFigureSlots(),
    inAccount: (session, run) => asAccount(pool, session, run),
    readToday: async () => TODAY,
    comparisons: createComparisonCache(),
    ...createRoiCaches(),
    frozenRoi: createFrozenRoi(),
  };
  sources.set('the ledger', ledgerSource(parts, 1n));
  sources.set('a snapshot', snapshotSource(parts, snapshotFiles(snapshots, 1n, snapshot)));
});
afterAll(() => harness.close());

const worked = readWorkedTotals().flatMap(({ total }) => (total.window_kind === 'all_time' ? [total] : []));

/** What the AI bills of these months cost, by month and currency, in cents. */
async function costsOfUse(read: ReadSource, from: string, through: string) {
  const sums = (await read((reads) => reads.aiUsage({ from, through }))) ?? [];
  const by = Map.groupBy(sums, ({ month, currency }) => `${month} ${currency}`);
  return Object.fromEntries(
    Array.from(by, ([key, some]) => [key, some.reduce((sum, { cost_cents }) => sum + cost_cents, 0n)]),
  );
}

type ReadSource = <Result>(work: (reads: Reads) => Promise<Result>) => Promise<Result>;

describe.each(['the ledger', 'a snapshot'])('the source %s', (name) => {
  function sourceOf(): Source {
    const source = sources.get(name);
    if (source === undefined) throw new Error(`${name} is not open`);
    return source;
  }
  const read: ReadSource = async (work) =>
    sourceOf().read({ timeout_ms: 10_000, figures: true, lists: true }, work);

  it('tells the day and the fiscal year', async () => {
    // The fiscal year of the company begins in April.
    expect(await read((reads) => reads.moment())).toEqual({ as_of: TODAY, fiscal_year_start_month: 4 });
  });

  it.each(worked)('gives the figures worked by hand: $scope $initiative_id', async (total) => {
    const question = { window: ALL, initiative_id: total.initiative_id ?? undefined, include_sample: false };
    const figures = {
      cash_value_cents: Number(total.cash_value_cents),
      freed_capacity_cents: Number(total.freed_capacity_cents),
      total_cost_cents: Number(total.cost_cents),
      net_value_cents: Number(total.net_value_cents),
    };
    expect(await sourceOf().roi(question)).toMatchObject(figures);
    expect(await read((reads) => reads.roi(question))).toMatchObject(figures);
    const id = total.initiative_id;
    if (id === null) return;
    const each = await read((reads) => reads.initiativeFigures(ALL));
    expect(Number(each.of(id).figures.net_value_cents)).toBe(figures.net_value_cents);
  });

  it('compares each initiative with its budget as worked by hand', async () => {
    const spent = readWorkedBudgets()
      .filter(({ as_of }) => as_of === TODAY)
      .map(({ initiative_id, status }) => [initiative_id, status]);
    const page = { after: null, rows: 500 };
    const compared = await read((reads) => reads.comparisons(page, { include_sample: false }));
    const found = compared.map(({ id, comparison }) => [id, comparison.status]);
    expect(new Map(found as [bigint, string][])).toEqual(new Map(spent as [bigint, string][]));
    for (const each of compared) expect(await read((reads) => reads.budget(each))).toEqual(each);
    expect(await read((reads) => reads.budget({ id: UNKNOWN, updated_at: 1n }))).toBeNull();
  });

  it('pages a list by the last change, and gives the newest first', async () => {
    const own = { include_sample: false };
    const onePage = await read((reads) => reads.page(INITIATIVES, { after: null, rows: 500 }, own));
    expect(onePage.map(({ updated_at }) => updated_at)).toEqual(
      onePage.map(({ updated_at }) => updated_at).toSorted((a, b) => Number(a - b)),
    );
    const paged: Position[] = [];
    for (let after: Position | null = null, more = true; more;) {
      const page = { after, rows: 2 };
      const rows: readonly Position[] = await read((reads) => reads.page(INITIATIVES, page, own));
      paged.push(...rows);
      [after, more] = [rows.at(-1) ?? null, rows.length === 2];
    }
    expect(paged.map(({ id }) => id)).toEqual(onePage.map(({ id }) => id));
    const newest = onePage.toReversed().map(({ id }) => id);
    const heads = await read((reads) => reads.heads());
    expect(heads.map(({ id }) => id)).toEqual(newest);
    const last = await read((reads) => reads.newest({ name: 'initiatives', read: listNewest }, 2));
    expect(last.map(({ id }) => id)).toEqual(newest.slice(0, 2));
  });

  it('finds an initiative and its row, and no initiative that the account cannot see', async () => {
    expect(await read((reads) => reads.record(INITIATIVES, 101n))).toMatchObject({ id: 101n });
    expect(await read((reads) => reads.initiativeRow(101n))).toMatchObject({ id: 101n, currency: 'USD' });
    // Initiative 115 is a sample; 201 is of another account.
    for (const id of [UNKNOWN, 115n, 201n]) {
      expect(await read((reads) => reads.record(INITIATIVES, id))).toBeNull();
      expect(await read((reads) => reads.initiativeRow(id))).toBeNull();
      await expect(read((reads) => reads.initiative({ id, include_sample: false }))).rejects.toMatchObject({
        code: 'not_found',
      });
    }
  });

  it('reads the entries of the latest periods, and those without a period', async () => {
    const initiative = await read((reads) => reads.initiativeRow(101n));
    if (initiative === null) throw new Error('the company has lost an initiative');
    const own = { initiative_id: 101n, include_sample: false };
    const all = await read((reads) => reads.page(COSTS, { after: null, rows: 500 }, own));
    const latest = await read((reads) => reads.latest(COSTS, initiative, { dated: 3, undated: 500 }));
    const days = all.flatMap(({ period_start: day }) => day ?? []).toSorted((a, b) => (a < b ? 1 : -1));
    expect(latest.dated.map(({ period_start }) => period_start)).toEqual(days.slice(0, 3));
    expect(latest.undated).toHaveLength(all.length - days.length);
    for (const { id, app_url } of [...latest.dated, ...latest.undated])
      expect(app_url).toBe(`${initiative.app_url}/costs/${id}`);
  });

  it('links to the page of an initiative, and reads the AI spend of some months', async () => {
    const link = await read((reads) => reads.links());
    const initiative = await read((reads) => reads.initiativeRow(101n));
    expect(link('/initiatives/101')).toBe(initiative?.app_url);
    const all = await read((reads) => reads.aiSpend(null));
    const [from = '', through = ''] = [...new Set(all.map(({ month }) => month))].slice(1);
    const some = await read((reads) => reads.aiSpend({ from, through }));
    expect(some).toHaveLength(all.filter(({ month }) => month === from || month === through).length);
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan(all.length);
  });

  it('reads what was used of AI bills of some months, the first and the last included, and nothing that is not AI', async () => {
    // fixtures/company/usage.csv by bill, without its rows of storage, which are not AI.
    const april = {
      '2026-04-01 EUR': 50_000n, // bill 807: 20,000 + 30,000
      '2026-04-01 USD': 252_000n, // 801: 60,000 + 90,000; 804: 36,000 + 54,000; 806: 4,800 + 7,200
    };
    expect(await costsOfUse(read, '2026-04-01', '2026-04-01')).toEqual(april);
    expect(await costsOfUse(read, '2026-03-01', '2026-05-01')).toEqual({
      '2026-03-01 EUR': 7_000n, // 811: 2,800 + 4,200
      '2026-03-01 USD': 120_000n, // 813: 48,000 + 72,000
      ...april,
      '2026-05-01 USD': 190_000n, // 802: 64,000 + 96,000; 803: a credit of 15,000; 805: 18,000 + 27,000
    });
  });
});
