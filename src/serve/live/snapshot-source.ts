/** Answers from the files of a snapshot, as of its moment. */
import type { Position } from '../../ledger/lists/keyset.ts';
import type { FigureSlots } from '../limits/figure-slots.ts';
import { listFrozenComparisons } from './snapshot-budgets.ts';
import { fiscalMoment, requireFrozenInitiative, type SnapshotFiles } from './snapshot-files.ts';
import { aiSpendRows } from './snapshot-ai-spend.ts';
import { frozenLinks, readFrozenHeads, readFrozenInitiative } from './snapshot-initiatives.ts';
import { type FrozenPage, readFrozenLatest, readFrozenPage } from './snapshot-lists.ts';
import { answerFrozenRoi, type FrozenRoi, readFrozenFigures } from './snapshot-roi.ts';
import type { EntryList, List, MostEntries, Reads, Source } from './source.ts';
import type { Instant } from '../../instant.ts';

export interface SnapshotParts {
  readonly figureSlots: FigureSlots;
  readonly frozenRoi: FrozenRoi;
}

/** A snapshot as the source of an account's answers. Pages leave out rows changed at `horizon` or later, if that is given. */
export function snapshotSource(
  { figureSlots, frozenRoi }: SnapshotParts,
  files: SnapshotFiles,
  horizon?: Instant,
): Source {
  const { account_id, snapshot } = files;
  const rowsOf = async <Row extends Position, Filters>(
    { name }: List<Row, Filters>,
    page: FrozenPage,
    filters: Readonly<Record<string, unknown>>,
  ): Promise<readonly Row[]> => {
    const rows: readonly unknown[] = await readFrozenPage(files, name, page, filters);
    return rows as readonly Row[]; // the companion's columns are those of the list
  };
  const reads: Reads = {
    moment: () => fiscalMoment(files),
    initiative: ({ id }) => requireFrozenInitiative(files, id),
    page: (list, page, filters) => rowsOf(list, { ...page, horizon }, filters),
    // A record is the row of its list with that id.
    record: async (list, id) => (await rowsOf(list, { after: null, rows: 1 }, { id }))[0] ?? null,
    comparisons: (page, { initiative_id }) =>
      listFrozenComparisons(files, { ...page, horizon }, { initiative_id }),
    newest: async (list, rows) =>
      (await rowsOf(list, { after: null, rows: Infinity }, {})).toReversed().slice(0, rows),
    roi: (question) => answerFrozenRoi(frozenRoi, files, question),
    initiativeFigures: async (window) =>
      readFrozenFigures(frozenRoi, files, { window, moment: await fiscalMoment(files) }),
    heads: () => readFrozenHeads(files),
    initiativeRow: (id) => readFrozenInitiative(files, id),
    budget: async ({ id }) =>
      (await listFrozenComparisons(files, { after: null, rows: 1 }, { initiative_id: id }))[0] ?? null,
    latest: (list, initiative, most) => latestOf(files, list, initiative, most),
    notes: () => Promise.resolve(null),
    aiSpend: async (days) =>
      (await aiSpendRows(files)).filter(
        ({ month }) => days === null || (month >= days.from && month <= days.through),
      ),
    billsLeftOut: () => Promise.resolve(snapshot.left_out === null ? null : (snapshot.left_out.bills ?? [])),
    aiUsage: async (days) =>
      (await frozenRoi.usage(files))?.filter(
        ({ month }) => days === null || (month >= days.from && month <= days.through),
      ) ?? null,
    links: () => frozenLinks(files),
  };
  return {
    account_id,
    snapshot_id: snapshot.snapshot_id,
    read: ({ figures = false, lists = false }, work) =>
      figures || lists ? figureSlots.run(account_id, () => work(reads)) : work(reads),
    roi: (question) => figureSlots.run(account_id, () => answerFrozenRoi(frozenRoi, files, question)),
  };
}

async function latestOf<Row extends Position>(
  files: SnapshotFiles,
  { name }: EntryList<Row>,
  { id, app_url: page }: Parameters<Reads['latest']>[1],
  most: MostEntries,
): Promise<Readonly<Record<keyof MostEntries, readonly Row[]>>> {
  const { dated, undated } = await readFrozenLatest(files, name, id, most);
  const kind = name === 'cost_entries' ? 'costs' : 'value';
  const paged = (rows: readonly { readonly id: bigint }[]): readonly Row[] => {
    const read: readonly unknown[] = rows.map((row) => ({
      ...row,
      app_url: page === null ? null : `${page}/${kind}/${row.id}`,
    }));
    return read as readonly Row[]; // the companion has all columns of the list except the page
  };
  return { dated: paged(dated), undated: paged(undated) };
}
