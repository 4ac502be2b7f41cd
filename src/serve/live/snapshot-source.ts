/** Answers from the files of a snapshot, as of its moment. */
import type { Place } from '../../ledger/lists/keyset.ts';
import type { FigureSlots } from '../limits/figure-slots.ts';
import { listFrozenComparisons } from './snapshot-budgets.ts';
import { fiscalMoment, requireFrozenInitiative, type SnapshotFiles } from './snapshot-files.ts';
import { type FrozenPage, readFrozenPage } from './snapshot-lists.ts';
import { answerFrozenRoi, type FrozenRoi } from './snapshot-roi.ts';
import type { List, Reads, Source } from './source.ts';

export interface SnapshotParts {
  readonly figureSlots: FigureSlots;
  readonly frozenRoi: FrozenRoi;
}

/** A snapshot as the source of an account's answers. Pages leave out rows changed at `horizon` or later, if that is given. */
export function snapshotSource(
  { figureSlots, frozenRoi }: SnapshotParts,
  files: SnapshotFiles,
  horizon?: bigint,
): Source {
  const { account_id, snapshot } = files;
  const rowsOf = async <Row extends Place, Filters>(
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
  };
  return {
    account_id,
    snapshot_id: snapshot.snapshot_id,
    read: ({ figures = false, lists = false }, work) =>
      figures || lists ? figureSlots.run(account_id, () => work(reads)) : work(reads),
    roi: (question) => figureSlots.run(account_id, () => answerFrozenRoi(frozenRoi, files, question)),
  };
}
