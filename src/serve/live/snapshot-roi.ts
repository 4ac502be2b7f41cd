/** The figures of `/roi` as of a snapshot, from its costs and its approved value. */
import { type Day, utcDay } from '../../figures/calendar.ts';
import { type EntryFold, type FrozenEntry, openEntryFold } from '../../figures/entry-fold.ts';
import type { EntryScope } from '../../ledger/moment/entry-scope.ts';
import type { FieldValue, RowPiece } from '../../snapshot/read/rows.ts';
import type { z } from '@hono/zod-openapi';
import { Cache } from '../../cache.ts';
import { countedDays, type WindowRequest } from '../../figures/requested-window.ts';
import { roiFiguresOf } from './roi-figures.ts';
import { type roiFigures, showRoi } from './roi-shape.ts';
import { fiscalMoment, requireFrozenInitiative, type SnapshotFiles } from './snapshot-files.ts';

const OF = 'initiative_id';
const COMMON = ['period_start', 'currency', 'amount_cents', 'usd_amount_cents'];
const COSTS = [...COMMON, 'cost_category', 'usd_rate_provisional'];
const VALUE = [...COMMON, 'entry_type', OF];

/** The maximum number of cached answers, of half a kilobyte each. */
const MAX_ANSWERS = 10_000;

type RoiAnswer = z.output<typeof roiFigures>;

/** Answers by the digests of the files that they were worked out from: they hold as long as these exist. */
export type FrozenRoi = Cache<string, RoiAnswer>;

/** The cache of one serving process. */
export function createFrozenRoi(): FrozenRoi {
  return new Cache({ max_entries: MAX_ANSWERS });
}

interface FrozenQuestion {
  readonly window: WindowRequest;
  readonly initiative_id?: bigint | undefined;
}

/** The tables that an answer depends on. */
const READ = new Set(['snapshot', 'initiatives', 'costs', 'reported_value']);

/** The answer as of the snapshot; concurrent equal questions share one computation. */
export async function answerFrozenRoi(
  cache: FrozenRoi,
  files: SnapshotFiles,
  question: FrozenQuestion,
): Promise<RoiAnswer> {
  const digests = files.snapshot.tables.filter(({ name }) => READ.has(name)).map(({ sha256 }) => sha256);
  const { window, initiative_id: id } = question;
  return await cache.get(JSON.stringify([digests, window, String(id)]), async () => {
    const initiative = id === undefined ? null : await requireFrozenInitiative(files, id);
    const moment = await fiscalMoment(files);
    const scope = { initiativeId: initiative?.id ?? null, days: countedDays(window, moment) };
    const fold = await foldEntries(files, scope);
    return showRoi(roiFiguresOf({ ...scope, window, moment }, fold.sums(), fold.unsettled()), initiative);
  });
}

/** Adds the entries of the scope. A snapshot holds no samples. */
async function foldEntries(
  files: SnapshotFiles,
  scope: Pick<EntryScope, 'days' | 'initiativeId'>,
): Promise<EntryFold> {
  const fold = openEntryFold();
  const dayOf = dayReader();
  // The costs of the portfolio are those of any initiative: one column less of a million rows.
  const costs = scope.initiativeId === null ? COSTS : [...COSTS, OF];
  for await (const piece of (await files.table('costs')).read(costs)) {
    const [categories = [], provisional = [], of = []] = piece.columns.slice(COMMON.length);
    eachEntry(piece, { ...scope, dayOf, of }, (entry, row) =>
      fold.addCost(entry, categories[row] === 'capex', provisional[row] === true),
    );
  }
  for await (const piece of (await files.table('reported_value')).read(VALUE)) {
    const [types = [], of = []] = piece.columns.slice(COMMON.length);
    eachEntry(piece, { ...scope, dayOf, of }, (entry, row) =>
      fold.addValue(entry, String(types[row]), BigInt(of[row] ?? 0)),
    );
  }
  return fold;
}

interface PieceScope extends Pick<EntryScope, 'days' | 'initiativeId'> {
  readonly dayOf: (instant: FieldValue | undefined) => Day | null;
  /** The initiative of each row; not read for the portfolio. */
  readonly of: readonly FieldValue[];
}

/** Calls `add` with each entry of the scope and the number of its row in the piece. */
function eachEntry(
  { rows, columns }: RowPiece,
  { initiativeId, days, dayOf, of }: PieceScope,
  add: (entry: FrozenEntry, row: number) => void,
): void {
  const [starts = [], currencies = [], amounts = [], dollars = []] = columns;
  for (let row = 0; row < rows; row += 1) {
    if (initiativeId !== null && of[row] !== initiativeId) continue;
    const day = dayOf(starts[row]);
    if (days !== null && (day === null || day < days.from || day > days.through)) continue;
    const usd = dollars[row];
    const entry = {
      day,
      currency: String(currencies[row]),
      amount_cents: BigInt(amounts[row] ?? 0),
      usd_amount_cents: typeof usd === 'bigint' ? usd : null,
    };
    add(entry, row);
  }
}

/** The UTC day of an instant. Entries begin on few different days, and to format one takes longer than to look it up. */
function dayReader(): (instant: FieldValue | undefined) => Day | null {
  const known = new Map<bigint, Day>();
  return (instant) => {
    if (typeof instant !== 'bigint') return null;
    let day = known.get(instant);
    if (day === undefined) known.set(instant, (day = utcDay(instant)));
    return day;
  };
}
