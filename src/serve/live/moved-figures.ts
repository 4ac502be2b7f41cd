/** The figures of a window that differ between two snapshots, from the totals of both: no comparison of entries is needed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { groupsOf } from '../../snapshot/read/initiative-rows.ts';
import type { FieldValue } from '../../snapshot/read/rows.ts';
import { reported_totals } from '../../tables/reported_totals.ts';
import type { SnapshotFiles } from './snapshot-files.ts';

/** So long a caller waits for a new comparison. The comparison goes on, and the next caller has it. */
const COMPARED_WITHIN_MS = 8_000;

/** Ends when a caller of a comparison has waited long enough. */
export async function comparisonPatience(): Promise<void> {
  await sleep(COMPARED_WITHIN_MS, undefined, { ref: false });
}

interface MovedFigure {
  readonly figure: string;
  readonly before_cents: number;
  readonly after_cents: number;
  /** Only a comparison gives reasons. */
  readonly because: never[];
}

/** The figures, in the order of a comparison. */
const FIGURES = reported_totals.columns.filter(({ kind }) => kind === 'cents').map(({ name }) => name);

/**
 * What differs in a window of an initiative, or of the portfolio for null, without reasons. A window that is missing counts as
 * zero.
 */
export async function movedFigures(
  [before, after]: readonly [SnapshotFiles, SnapshotFiles],
  initiative: bigint | null,
  window_key: string,
): Promise<readonly MovedFigure[]> {
  const [was, is] = await Promise.all(
    [before, after].map((files) => figuresOf(files, initiative, window_key)),
  );
  return FIGURES.map((figure) => ({
    figure,
    before_cents: Number(was?.get(figure) ?? 0n),
    after_cents: Number(is?.get(figure) ?? 0n),
    because: [],
  })).filter(({ before_cents, after_cents }) => before_cents !== after_cents);
}

async function figuresOf(
  files: SnapshotFiles,
  initiative: bigint | null,
  window: string,
): Promise<ReadonlyMap<string, FieldValue>> {
  const rows = await files.table('reported_totals');
  const where = {
    initiative_id: (id: FieldValue) => id === initiative,
    window_key: (key: FieldValue) => key === window,
  };
  const names = ['initiative_id', 'window_key', ...FIGURES];
  for (const { first, rows: count } of initiative === null ? rows.groups : groupsOf(rows, [initiative])) {
    for await (const piece of rows.read(names as never, { from: first, to: first + count, where })) {
      const columns: readonly (readonly FieldValue[])[] = piece.columns;
      for (let row = 0; row < piece.rows; row += 1) {
        const cells = new Map(names.map((name, index) => [name, columns[index]?.[row] ?? null]));
        if (cells.get('initiative_id') === initiative && cells.get('window_key') === window) return cells;
      }
    }
  }
  return new Map();
}
