/** The figures of `/roi` and of each initiative as of a snapshot: from its stored sums, else from its costs and approved value. */
import { type Day, utcDay } from '../../figures/calendar.ts';
import { type EntryFold, type FrozenEntry, openEntryFold } from '../../figures/entry-fold.ts';
import type { EntryScope } from '../../ledger/moment/entry-scope.ts';
import { settleBeside, type Unsettled } from '../../figures/unsettled.ts';
import { cellAt, type RowPiece } from '../../snapshot/read/rows.ts';
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';
import { countedDays, type WindowRequest } from '../../figures/requested-window.ts';
import { type InitiativeFigures, initiativeFiguresOf, rolledUp } from './initiative-figures.ts';
import { roiFiguresOf } from './roi-figures.ts';
import { showRoi } from './roi-shape.ts';
import { readScopeSums, readSumsOfEach, readUnsettled } from './snapshot-sums.ts';
import { createUsage } from './snapshot-usage.ts';
import type { RoiAnswer, RoiQuery } from './source.ts';
import type { FiscalMoment } from '../../figures/windows.ts';
import { digestsOf, fiscalMoment, requireFrozenInitiative, type SnapshotFiles } from './snapshot-files.ts';
import type { Instant } from '../../instant.ts';

const OF = 'initiative_id';
const COMMON = ['period_start', 'currency', 'amount_cents', 'usd_amount_cents'] as const;
const COSTS = [...COMMON, 'cost_category', 'usd_rate_provisional'] as const;
const VALUE = [...COMMON, 'entry_type', OF] as const;

/** An answer, or the figures of an initiative. */
const FIGURES_BYTES = 512;

/**
 * Cached figures, by the digests of the files from which they were computed: a digest always gives the same figures.
 */
export interface FrozenRoi {
  readonly answers: Cache<string, RoiAnswer>;
  readonly comparisons: Cache<string, InitiativeFigures>;
  readonly usage: ReturnType<typeof createUsage>;
}

/** The caches of one serving process. */
export function createFrozenRoi(): FrozenRoi {
  return {
    answers: new Cache({ max_bytes: MEMORY_BUDGET.answers_as_of, bytesOf: () => FIGURES_BYTES }),
    comparisons: new Cache({
      max_bytes: MEMORY_BUDGET.figures_as_of,
      bytesOf: ({ counted }) => FIGURES_BYTES * (1 + counted),
    }),
    usage: createUsage(MEMORY_BUDGET.usage_as_of),
  };
}

/** The tables that an answer depends on. */
const READ = ['snapshot', 'initiatives', 'costs', 'reported_value'] as const;

/** The answer as of the snapshot; concurrent equal questions share one computation. */
export async function answerFrozenRoi(
  cache: FrozenRoi,
  files: SnapshotFiles,
  question: Omit<RoiQuery, 'include_sample'>,
): Promise<RoiAnswer> {
  const { window, initiative_id: id } = question;
  return await cache.answers.get(JSON.stringify([digestsOf(files, READ), window, String(id)]), async () => {
    const initiative = id === undefined ? null : await requireFrozenInitiative(files, id);
    const moment = await fiscalMoment(files);
    const scope = { initiative_id: initiative?.id ?? null, days: countedDays(window, moment) };
    const { sums, unsettled } = (await readScopeSums(files, scope)) ?? (await foldScope(files, scope));
    return showRoi(roiFiguresOf({ ...scope, window, moment }, sums, unsettled), initiative);
  });
}

/** The figures of every initiative in one window as of the snapshot, so that initiatives can be compared. */
export async function readFrozenFigures(
  { comparisons }: FrozenRoi,
  files: SnapshotFiles,
  question: { readonly window: WindowRequest; readonly moment: FiscalMoment },
): Promise<InitiativeFigures> {
  const { window, moment } = question;
  return await comparisons.get(JSON.stringify([digestsOf(files, READ), window]), async () => {
    const days = countedDays(window, moment);
    const each = await readSumsOfEach(files, days);
    const unsettled = await readUnsettled(files, { initiative_id: null, days });
    if (each !== null && unsettled !== null) {
      return initiativeFiguresOf(
        question,
        new Map([...each].map(([of, sums]) => [of, rolledUp(sums)])),
        unsettled,
      );
    }
    const folds = new Map<bigint, EntryFold>();
    await foldEntries(files, { initiative_id: null, days }, (of) => {
      const fold = folds.get(of) ?? openEntryFold();
      folds.set(of, fold);
      return fold;
    });
    const rollups = new Map([...folds].map(([of, fold]) => [of, rolledUp(fold.sums())]));
    const left = [...folds.values()].flatMap((fold) => fold.unsettled());
    return initiativeFiguresOf(question, rollups, left);
  });
}

/** What `/roi` states beside the figures of a scope of a snapshot: amounts without dollars, and cost at a provisional rate. `limit` runs the fold over all rows. */
export async function frozenUnsettled(
  files: SnapshotFiles,
  scope: Pick<EntryScope, 'days' | 'initiative_id'>,
  limit: <Result>(fold: () => Promise<Result>) => Promise<Result> = (fold) => fold(),
): Promise<Unsettled> {
  const stored = await readUnsettled(files, scope);
  return settleBeside(stored ?? (await limit(() => foldScope(files, scope))).unsettled);
}

/** The sums of a scope of a snapshot without stored sums, or of a window that ends within one of their segments. */
async function foldScope(files: SnapshotFiles, scope: Pick<EntryScope, 'days' | 'initiative_id'>) {
  const fold = openEntryFold();
  await foldEntries(files, scope, fold);
  return { sums: fold.sums(), unsettled: fold.unsettled() };
}

/**
 * Adds the entries of the scope to one roll-up, or each entry to the roll-up of its initiative. A snapshot holds no
 * samples.
 */
async function foldEntries(
  files: SnapshotFiles,
  scope: Pick<EntryScope, 'days' | 'initiative_id'>,
  into: EntryFold | ((initiative: bigint) => EntryFold),
): Promise<void> {
  const foldOf = (of: readonly bigint[], row: number): EntryFold =>
    typeof into === 'function' ? into(cellAt(of, row)) : into;
  const dayOf = dayReader();
  // For the portfolio the initiative of a cost does not matter, so one column of a million rows is not read.
  const costs: readonly [...typeof COSTS, ...(typeof OF)[]] =
    scope.initiative_id === null && typeof into !== 'function' ? COSTS : [...COSTS, OF];
  for await (const piece of (await files.table('costs')).read(costs)) {
    const [, , , , categories, provisional, of = []] = piece.columns;
    eachEntry(piece, { ...scope, dayOf, of }, (entry, row) =>
      foldOf(of, row).addCost(entry, categories[row] === 'capex', provisional[row] === true),
    );
  }
  for await (const piece of (await files.table('reported_value')).read(VALUE)) {
    const [, , , , types, of] = piece.columns;
    eachEntry(piece, { ...scope, dayOf, of }, (entry, row) =>
      foldOf(of, row).addValue(entry, cellAt(types, row), cellAt(of, row)),
    );
  }
}

interface PieceScope extends Pick<EntryScope, 'days' | 'initiative_id'> {
  readonly dayOf: (instant: Instant | null) => Day | null;
  /** The initiative of each row; not read for the portfolio. */
  readonly of: readonly bigint[];
}

/** The columns that both tables have. */
type Integers<Empty = never> = readonly (bigint | Empty)[];
type Common = readonly [Integers<null>, readonly string[], Integers, Integers<null>, ...unknown[]];

/** Calls `add` with each entry of the scope and the number of its row in the piece. */
function eachEntry(
  { rows, columns }: RowPiece<Common>,
  { initiative_id, days, dayOf, of }: PieceScope,
  add: (entry: FrozenEntry, row: number) => void,
): void {
  const [starts, currencies, amounts, dollars] = columns;
  for (let row = 0; row < rows; row += 1) {
    if (initiative_id !== null && of[row] !== initiative_id) continue;
    const day = dayOf(cellAt(starts, row));
    if (days !== null && (day === null || day < days.from || day > days.through)) continue;
    const entry = {
      day,
      currency: cellAt(currencies, row),
      amount_cents: cellAt(amounts, row),
      usd_amount_cents: cellAt(dollars, row),
    };
    add(entry, row);
  }
}

/**
 * Gives the UTC day of an instant, from a cache: entries begin on few days, and a look-up is faster than formatting.
 */
function dayReader(): (instant: Instant | null) => Day | null {
  const known = new Map<bigint, Day>();
  return (instant) => {
    if (instant === null) return null;
    let day = known.get(instant);
    if (day === undefined) known.set(instant, (day = utcDay(instant)));
    return day;
  };
}
