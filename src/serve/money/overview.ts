/** The figures of the overview page, all from the files of one snapshot, and the changes since the snapshot before. */
import { Cache } from '../../cache.ts';
import { type AiSpendSum, sumAiBills } from '../../figures/ai-spend.ts';
import type { MonthSeries, MonthSpan } from '../../figures/month-series.ts';
import { type FiscalMoment, type FiscalWindow, nearbyWindows } from '../../figures/windows.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import type { SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import { type AiSpendRow, aiSpendRows } from '../live/snapshot-ai-spend.ts';
import {
  digestsOf,
  fiscalMoment,
  frozenRows,
  type SnapshotFiles,
  snapshotFiles,
  snapshotRow,
} from '../live/snapshot-files.ts';
import type { KnownMoves } from '../rows/known-moves.ts';
import type { Moves } from '../rows/moves.ts';
import { readTotals, type ScopeTotals } from '../rows/window-totals.ts';
import type { Months } from './months.ts';

export interface InitiativeName {
  readonly id: bigint;
  readonly title: string;
  readonly stage: string;
  readonly owner: string | null;
  readonly department: string | null;
}

/**
 * What the overview reads from one snapshot besides totals and months: account, fiscal year, initiatives and AI spend.
 */
interface Described {
  readonly account_name: string;
  readonly sample_initiatives: number;
  readonly moment: FiscalMoment;
  /** The fiscal year of the snapshot's day. */
  readonly year: FiscalWindow;
  readonly initiatives: readonly InitiativeName[];
  readonly ai_rows: readonly AiSpendRow[];
  readonly ai_spend: AiSpendSum;
}

export interface Overview extends Described {
  readonly snapshot: ReadableSnapshot;
  /** The snapshot before; null if none is kept or can be read. */
  readonly before: ReadableSnapshot | null;
  readonly totals: ScopeTotals;
  readonly totals_before: ScopeTotals | null;
  readonly months: ShownMonths | null;
  /** Why the totals changed; null if there is no snapshot before, or while the two are being compared. */
  readonly moves: Moves | null;
}

/** The months to show, of the portfolio and of each initiative. */
export interface ShownMonths {
  readonly span: MonthSpan;
  readonly portfolio: MonthSeries;
  readonly initiative: (id: bigint) => MonthSeries;
}

export type Overviews = (
  account_id: bigint,
  snapshot: ReadableSnapshot,
  before: ReadableSnapshot | null,
  /**
   * Called with the error if the snapshot before cannot be read or compared: the figures are then shown without
   * changes.
   */
  onUncompared: (error: unknown) => void,
) => Promise<Overview>;

/** An initiative with its names, and a row of AI spend. */
const DESCRIBED_BYTES = 512;
const DESCRIBED_KEPT_BYTES = 33_554_432;
/** A page needs the totals of two snapshots: of 180,000 initiatives each. */
const TOTALS_KEPT_BYTES = 67_108_864;

/** Reads overviews; what was read of a file is cached by the file's digest. */
export function createOverviews(
  snapshots: Pick<SnapshotReader, 'openRows'>,
  known: KnownMoves,
  months: Months,
): Overviews {
  const described = new Cache<string, Described>({
    max_bytes: DESCRIBED_KEPT_BYTES,
    bytesOf: ({ initiatives, ai_rows }) => DESCRIBED_BYTES * (1 + initiatives.length + ai_rows.length),
  });
  const totals = new Cache<string, ScopeTotals>({
    max_bytes: TOTALS_KEPT_BYTES,
    bytesOf: ({ held_bytes }) => held_bytes,
  });

  function totalsOf(files: SnapshotFiles, year: string): Promise<ScopeTotals> {
    return totals.get(`${digestsOf(files, ['reported_totals'])} ${year}`, async () =>
      readTotals(await files.table('reported_totals'), ['all', year]),
    );
  }

  return async (account_id, snapshot, before, onUncompared) => {
    const files = snapshotFiles(snapshots, account_id, snapshot);
    const own = await described.get(digestsOf(files, ['snapshot', 'initiatives', 'ai_spend']), () =>
      describe(files),
    );
    const { window_key } = own.year;
    const uncompared = (error: unknown): null => {
      onUncompared(error);
      return null;
    };
    const [now, then, fold, moves] = await Promise.all([
      totalsOf(files, window_key),
      before === null
        ? null
        : totalsOf(snapshotFiles(snapshots, account_id, before), window_key).catch(uncompared),
      months(account_id, snapshot),
      before === null ? null : known.orProgress(account_id, before, snapshot).catch(uncompared),
    ]);
    const span = fold.span(own.moment.as_of);
    return {
      ...own,
      snapshot,
      before: then === null ? null : before,
      totals: now,
      totals_before: then,
      months:
        span === null
          ? null
          : { span, portfolio: fold.portfolio(span), initiative: (id) => fold.initiative(id, span) },
      moves,
    };
  };
}

async function describe(files: SnapshotFiles): Promise<Described> {
  const moment = await fiscalMoment(files);
  const own = await snapshotRow(files, ['account_name', 'sample_initiatives_excluded']);
  const initiatives = await Array.fromAsync(
    frozenRows(await files.table('initiatives'), [
      'initiative_id',
      'title',
      'stage',
      'owner_name',
      'department',
    ]),
    ({ initiative_id: id, owner_name: owner, ...named }) => ({ id, owner, ...named }),
  );
  const ai_rows = await aiSpendRows(files);
  return {
    account_name: own.account_name,
    sample_initiatives: own.sample_initiatives_excluded,
    moment,
    year: nearbyWindows(moment).year,
    initiatives,
    ai_rows,
    ai_spend: sumAiBills(ai_rows),
  };
}
