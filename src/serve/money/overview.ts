/** The figures of the overview page, all from the files of one snapshot, and the changes since the snapshot before. */
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';
import { type AiSpendSum, sumAiBills } from '../../figures/ai-spend.ts';
import type { Day } from '../../figures/calendar.ts';
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
import { unlessDamaged } from '../live/snapshot-sums.ts';
import type { RowLimit } from '../limits/row-limit.ts';
import { readUnsettledAmounts, type UnsettledAmounts } from '../live/unsettled-amounts.ts';
import type { KnownMoves } from '../rows/known-moves.ts';
import { readClosedMonths } from '../rows/months-of-close.ts';
import type { Moves } from '../rows/moves.ts';
import { readInitiative, readTotals, type ScopeTotals, type Windows } from '../rows/window-totals.ts';
import type { Months, SeriesOf } from './months.ts';

export interface InitiativeName {
  readonly id: bigint;
  readonly title: string;
  readonly stage: string;
  readonly owner: string | null;
  readonly department: string | null;
}

/** What a snapshot says without its totals and months: account, fiscal year, initiatives and AI spend. */
interface Described {
  readonly account_name: string;
  readonly sample_initiatives: number;
  readonly moment: FiscalMoment;
  /** The fiscal year of the snapshot's day. */
  readonly year: FiscalWindow;
  readonly initiatives: readonly InitiativeName[];
  readonly ai_rows: readonly AiSpendRow[];
  readonly ai_spend: AiSpendSum;
  /** The first days of the closed months, oldest first; null if no close was ever started. */
  readonly closed_months: readonly Day[] | null;
}

export interface DescribedSnapshot extends Described {
  readonly snapshot: ReadableSnapshot;
}

export interface Overview extends DescribedSnapshot {
  readonly unsettled: UnsettledAmounts;
  /** The snapshot before; null if none is kept or can be read. */
  readonly before: ReadableSnapshot | null;
  readonly totals: ScopeTotals;
  readonly totals_before: ScopeTotals | null;
  readonly months: ShownMonths | null;
  /** Why the totals changed; null if there is no snapshot before, or while the two are being compared. */
  readonly moves: Moves | null;
}

/** The figures of one initiative. */
export interface InitiativeOverview
  extends DescribedSnapshot, Pick<Overview, 'before' | 'moves' | 'unsettled'> {
  readonly windows: Windows;
  /** Null without a snapshot before that can be read. */
  readonly windows_before: Windows | null;
  /** Its months; null if no entry of the snapshot has a date. */
  readonly series: MonthSeries | null;
}

/** The months to show, of the portfolio and of each initiative. */
export interface ShownMonths {
  readonly span: MonthSpan;
  readonly portfolio: MonthSeries;
  readonly initiatives: (ids: readonly bigint[]) => Promise<SeriesOf>;
}

export interface Overviews {
  /** What pages without totals and months show. */
  readonly described: (account_id: bigint, snapshot: ReadableSnapshot) => Promise<DescribedSnapshot>;
  readonly read: (
    account_id: bigint,
    snapshot: ReadableSnapshot,
    before: ReadableSnapshot | null,
    /**
     * Called with the error if the snapshot before cannot be read or compared: the figures are then shown without
     * changes.
     */
    onUncompared: (error: unknown) => void,
  ) => Promise<Overview>;
  /** The figures of one initiative, without reading those of the others. */
  readonly ofInitiative: (id: bigint, ...asked: Parameters<Overviews['read']>) => Promise<InitiativeOverview>;
}

/** An initiative with its names, and a row of AI spend. */
const DESCRIBED_BYTES = 512;

/** Reads overviews; what was read of a file is cached by the file's digest. */
export function createOverviews(
  snapshots: Pick<SnapshotReader, 'openRows'>,
  known: KnownMoves,
  months: Months,
  rowLimit: RowLimit,
): Overviews {
  const described = new Cache<string, Described>({
    max_bytes: MEMORY_BUDGET.described,
    bytesOf: ({ initiatives, ai_rows }) => DESCRIBED_BYTES * (1 + initiatives.length + ai_rows.length),
  });
  const totals = new Cache<string, ScopeTotals>({
    max_bytes: MEMORY_BUDGET.totals,
    bytesOf: ({ held_bytes }) => held_bytes,
  });

  const windows = new Cache<string, Windows>({
    max_bytes: MEMORY_BUDGET.windows,
    bytesOf: ({ size }) => DESCRIBED_BYTES * (1 + size),
  });

  const unsettled = new Cache<string, UnsettledAmounts>({
    max_bytes: MEMORY_BUDGET.unsettled,
    bytesOf: ({ left_out: { cost_left_out: cost, value_left_out: value } }) =>
      DESCRIBED_BYTES * (1 + cost.length + value.length),
  });

  function totalsOf(files: SnapshotFiles, year: string): Promise<ScopeTotals> {
    return totals.get(`${digestsOf(files, ['reported_totals'])} ${year}`, async () =>
      readTotals(await files.table('reported_totals'), ['all', year]),
    );
  }

  async function describedOf(account_id: bigint, snapshot: ReadableSnapshot): Promise<DescribedSnapshot> {
    const files = snapshotFiles(snapshots, account_id, snapshot);
    // The id, too: the names of those who billed stand in a file beside these.
    const key = `${snapshot.snapshot_id} ${digestsOf(files, ['snapshot', 'initiatives', 'ai_spend', 'accounting_periods'])}`;
    return { ...(await described.get(key, () => describe(files))), snapshot };
  }

  function windowsOf(files: SnapshotFiles, id: bigint): Promise<Windows> {
    return windows.get(`${digestsOf(files, ['reported_totals'])} ${id}`, async () =>
      readInitiative(await files.table('reported_totals'), id),
    );
  }

  /** Of one initiative, or of the portfolio for null. */
  function unsettledOf(
    files: SnapshotFiles,
    year: FiscalWindow,
    id: bigint | null,
  ): Promise<UnsettledAmounts> {
    const key = `${digestsOf(files, ['costs', 'reported_value'])} ${year.window_key} ${String(id)}`;
    return unsettled.get(key, () => readUnsettledAmounts(files, year, id, rowLimit));
  }

  /** The totals of both snapshots, the months and what moved, each read beside the others. */
  async function figuresOf<Totals>(
    [account_id, snapshot, before, onUncompared]: Parameters<Overviews['read']>,
    id: bigint | null,
    totalsIn: (files: SnapshotFiles, year: string) => Promise<Totals>,
  ) {
    const own = await describedOf(account_id, snapshot);
    const { window_key } = own.year;
    const read = (of: ReadableSnapshot): Promise<Totals> =>
      totalsIn(snapshotFiles(snapshots, account_id, of), window_key);
    const uncompared = (error: unknown): null => {
      onUncompared(error);
      return null;
    };
    const [now, beside, earlier, monthly, moves] = await Promise.all([
      read(snapshot),
      unsettledOf(snapshotFiles(snapshots, account_id, snapshot), own.year, id),
      before === null ? null : read(before).catch(uncompared),
      months(account_id, snapshot),
      before === null ? null : known.orProgress(account_id, before, snapshot).catch(uncompared),
    ]);
    const span = monthly.span(own.moment.as_of);
    const shown = { ...own, before: earlier === null ? null : before, moves, unsettled: beside };
    return { own: shown, now, earlier, monthly, span };
  }

  return {
    described: describedOf,
    async read(...asked) {
      const { own, now, earlier, monthly, span } = await figuresOf(asked, null, totalsOf);
      const shown = span && {
        span,
        portfolio: monthly.portfolio(span),
        initiatives: (ids: readonly bigint[]) => monthly.initiatives(ids, span),
      };
      return { ...own, totals: now, totals_before: earlier, months: shown };
    },
    async ofInitiative(id, ...asked) {
      const { own, now, earlier, monthly, span } = await figuresOf(asked, id, (files) =>
        windowsOf(files, id),
      );
      const series = span && (await monthly.initiatives([id], span))(id);
      return { ...own, windows: now, windows_before: earlier, series };
    },
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
    // A damaged file of months hides this note alone.
    closed_months: await unlessDamaged(async () => readClosedMonths(await files.table('accounting_periods'))),
  };
}
