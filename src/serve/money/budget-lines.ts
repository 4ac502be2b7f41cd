/** The newest comparison of each budget of a snapshot with what was spent. */
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';
import { endedOn } from '../../figures/budget.ts';
import type { Day } from '../../figures/calendar.ts';
import { cellAt, numberOf } from '../../snapshot/read/rows.ts';
import type { LeftOut } from '../../figures/unsettled.ts';
import { compareBegun } from '../live/snapshot-budgets.ts';
import { digestsOf, type FrozenRow, frozenRows, type SnapshotFiles } from '../live/snapshot-files.ts';
import { readLeftOutCosts } from '../live/snapshot-sums.ts';

const COLUMNS = [
  'initiative_id',
  'as_of',
  'status',
  'capex_budget_cents',
  'capex_actual_cents',
  'opex_budget_to_date_cents',
  'opex_actual_cents',
  'budget_to_date_cents',
  'actual_to_date_cents',
  'variance_cents',
  'currency',
] as const;

export type Comparison = FrozenRow<'budget_vs_actual', typeof COLUMNS> & {
  /** The last day of a budget that has ended by the day of the snapshot. */
  readonly ended_on?: Day | null;
  /** The initiative's costs without dollars: an amount spent has only those in the currency of the budget. */
  readonly left_out?: readonly LeftOut[];
};

/** A comparison is an object of twelve values. */
const COMPARISON_BYTES = 512;

/** Reads the comparisons of a snapshot. */
export type Comparisons = (files: SnapshotFiles) => Promise<readonly Comparison[]>;

/** Keeps the comparisons that people look at, by the digest of their file. */
export function createComparisons(): Comparisons {
  const cache = new Cache<string, readonly Comparison[]>({
    max_bytes: MEMORY_BUDGET.budgets,
    bytesOf: (rows) => COMPARISON_BYTES * (1 + rows.length),
  });
  return async (files) =>
    await cache.get(digestsOf(files, ['budget_vs_actual', 'budgets', 'costs']), () =>
      newestComparisons(files),
    );
}

/**
 * The comparison of each initiative on the day of the snapshot: budgets that are over first, then by currency, the furthest over
 * first. A budget that has ended is compared on that day, too; without companion tables, on the last day that the table has.
 */
async function newestComparisons(files: SnapshotFiles): Promise<readonly Comparison[]> {
  const rows = await files.table('budget_vs_actual');
  // Most rows are of earlier days: of them, only the day is read.
  const last = new Map<bigint, { readonly as_of: Day; readonly number: number }>();
  for await (const piece of rows.read(['initiative_id', 'as_of'])) {
    const [ids, days] = piece.columns;
    for (let row = 0; row < piece.rows; row += 1) {
      const [id, as_of] = [cellAt(ids, row), cellAt(days, row)];
      const known = last.get(id);
      if (known === undefined || as_of > known.as_of) last.set(id, { as_of, number: numberOf(piece, row) });
    }
  }
  const newest = new Map<bigint, Comparison>();
  const at = Uint32Array.from(last.values(), ({ number }) => number).toSorted();
  for await (const row of frozenRows(rows, COLUMNS, { at })) {
    if (row.as_of === last.get(row.initiative_id)?.as_of) newest.set(row.initiative_id, row);
  }
  const ended = await compareBegun(files, (id) => newest.get(id)?.as_of !== files.as_of);
  for (const each of ended) {
    const { status } = each;
    if (status === 'within' || status === 'over')
      newest.set(each.initiative_id, { ...each, status, ended_on: endedOn(each) });
  }
  const hasLeftOut = (files.snapshot.left_out?.cost ?? []).length > 0;
  const left_out = hasLeftOut ? await readLeftOutCosts(files, files.as_of) : null;
  const compared = [...newest.values()].map((each) => ({
    ...each,
    left_out: left_out?.get(each.initiative_id) ?? [],
  }));
  return compared.toSorted((a, b) => {
    if (isOver(a) !== isOver(b)) return isOver(a) ? -1 : 1;
    if (a.currency !== b.currency) return a.currency < b.currency ? -1 : 1;
    return a.variance_cents === b.variance_cents ? 0 : a.variance_cents < b.variance_cents ? -1 : 1;
  });
}

export function isOver({ status }: Comparison): boolean {
  return status === 'over';
}
