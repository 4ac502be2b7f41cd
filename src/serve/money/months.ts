/** The months of a snapshot: cost and cash value by initiative, read from its stored tables once and then cached. */
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';
import { lastOfMonth } from '../../figures/calendar.ts';
import {
  type MonthFold,
  type MonthSeries,
  type MonthSpan,
  type MonthSums,
  openMonthFold,
} from '../../figures/month-series.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import type { SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import { cellAt, type RowPiece, type RowRange, type RowsOf } from '../../snapshot/read/rows.ts';
import type { Reporting } from '../../tables/all.ts';
import type { SUM_TABLES } from '../../tables/sums.ts';
import type { RowLimit } from '../limits/row-limit.ts';
import type { RowOf } from '../../tables/table.ts';
import { digestsOf, frozenRows, snapshotFiles } from '../live/snapshot-files.ts';
import { groupsOf, rangeOf, whereInitiative } from '../../snapshot/read/initiative-rows.ts';
import { unlessDamaged } from '../live/snapshot-sums.ts';

const COMMON = ['initiative_id', 'period_month', 'usd_amount_cents'] as const;
const SUMMED = ['month', 'cash_value_cents', 'capex_cents', 'opex_cents'] as const;

/** The months of an initiative; all zero without an entry. */
export type SeriesOf = (id: bigint) => MonthSeries;

interface SnapshotMonths extends Pick<MonthSums, 'portfolio' | 'span'> {
  /** Reads the months of these initiatives, and of no other if the snapshot has sums. */
  readonly initiatives: (ids: readonly bigint[], span: MonthSpan) => Promise<SeriesOf>;
}

/** Reads the months of a snapshot. */
export type Months = (account_id: bigint, snapshot: ReadableSnapshot) => Promise<SnapshotMonths>;

type Sums = RowsOf<typeof SUM_TABLES.month_sums>;

/** Caches months by the digests of both files: files with the same digests always give the same months. */
export function createMonths(snapshots: Pick<SnapshotReader, 'openRows'>, rowLimit: RowLimit): Months {
  const cache = new Cache<string, MonthSums>({
    max_bytes: MEMORY_BUDGET.months,
    bytesOf: ({ held_bytes }) => held_bytes,
  });
  return async (account_id, snapshot) => {
    const files = snapshotFiles(snapshots, account_id, snapshot);
    const key = digestsOf(files, ['costs', 'reported_value']);

    const fromRows = (): Promise<MonthSums> =>
      cache.get(key, async () => {
        const [costs, value] = [await files.table('costs'), await files.table('reported_value')];
        return await rowLimit.run(account_id, costs.count + value.count, () => foldRows(costs, value));
      });
    const ofPortfolio = (sums: Sums): Promise<MonthSums> =>
      cache.get(`${key} portfolio`, async () => {
        const range = await rangeOf(sums, null);
        return await rowLimit.run(account_id, range.to, () => foldPortfolio(sums, range));
      });
    const keyOf = (id: bigint): string => `${key} ${id}`;
    async function ofEach(sums: Sums, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, MonthSums>> {
      const missing = ids.filter((id) => !cache.has(keyOf(id)));
      const groups = groupsOf(sums, missing);
      const rows = groups.reduce((sum, group) => sum + group.rows, 0);
      const reading = rowLimit.run(account_id, rows, () => foldEach(sums, groups, missing));
      const folds = ids.map(async (id) => {
        const fold = await cache.get(
          keyOf(id),
          async () => (await reading).get(id) ?? openMonthFold().close(),
        );
        return [id, fold] as const;
      });
      return new Map(await Promise.all(folds));
    }

    const stored = await unlessDamaged(async () => {
      const sums = await files.sums('month_sums');
      return sums === null ? null : { sums, portfolio: await ofPortfolio(sums) };
    });
    const months = stored?.portfolio ?? (await fromRows());
    return {
      span: (as_of) => months.span(as_of),
      portfolio: (between) => months.portfolio(between),
      async initiatives(ids, between) {
        const folds = stored === null ? null : await unlessDamaged(() => ofEach(stored.sums, ids));
        const rows = folds === null ? await fromRows() : null;
        return (id) => (folds?.get(id) ?? rows ?? NO_MONTHS).initiative(id, between);
      },
    };
  };
}

const NO_MONTHS = openMonthFold().close();

async function foldRows(
  costs: RowsOf<Reporting['costs']>,
  value: RowsOf<Reporting['reported_value']>,
): Promise<MonthSums> {
  const fold = openMonthFold();
  for await (const piece of costs.read(COMMON)) eachEntry(piece, (entry) => fold.addCost(entry));
  for await (const piece of value.read([...COMMON, 'entry_type'])) {
    const [, , , types] = piece.columns;
    eachEntry(piece, (entry, row) => fold.addValue(entry, cellAt(types, row)));
  }
  return fold.close();
}

/** The months of all entries, from the rows of the portfolio: each month has rows of the whole month. */
async function foldPortfolio(sums: Sums, range: RowRange): Promise<MonthSums> {
  const fold = openMonthFold();
  for await (const row of frozenRows(sums, ['from_day', 'through_day', ...SUMMED], range)) {
    const { month, from_day, through_day } = row;
    if (month === null || (from_day === month && through_day === lastOfMonth(month))) {
      addSums(fold, { ...row, initiative_id: 0n });
    }
  }
  return fold.close();
}

/** The months of each of these initiatives that has an entry. */
async function foldEach(
  sums: Sums,
  groups: Sums['groups'],
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, MonthSums>> {
  const folds = new Map(ids.map((id) => [id, openMonthFold()] as const));
  const where = whereInitiative((id) => folds.has(id));
  for (const { first, rows: count } of groups) {
    const range = { from: first, to: first + count, where };
    for await (const { rows, columns } of sums.read(['initiative_id', ...SUMMED], range)) {
      const [initiatives, months, value, capex, opex] = columns;
      for (let row = 0; row < rows; row += 1) {
        const initiative_id = cellAt(initiatives, row);
        const fold = initiative_id === null ? undefined : folds.get(initiative_id);
        if (initiative_id === null || fold === undefined) continue;
        addSums(fold, {
          initiative_id,
          month: cellAt(months, row),
          cash_value_cents: cellAt(value, row),
          capex_cents: cellAt(capex, row),
          opex_cents: cellAt(opex, row),
        });
      }
    }
  }
  return new Map([...folds].map(([id, fold]) => [id, fold.close()]));
}

type Summed = Pick<RowOf<typeof SUM_TABLES.month_sums>, (typeof SUMMED)[number]>;

function addSums(fold: MonthFold, { month, ...sums }: Summed & Pick<Entry, 'initiative_id'>): void {
  const { initiative_id, cash_value_cents, capex_cents, opex_cents } = sums;
  fold.addCost({ initiative_id, month, usd_amount_cents: (capex_cents ?? 0n) + (opex_cents ?? 0n) });
  fold.addValue({ initiative_id, month, usd_amount_cents: cash_value_cents }, 'cash');
}

type Entry = Parameters<MonthFold['addCost']>[0];

/** The columns that both tables have. */
type Common = readonly [
  readonly bigint[],
  readonly (string | null)[],
  readonly (bigint | null)[],
  ...unknown[],
];

function eachEntry({ rows, columns }: RowPiece<Common>, add: (entry: Entry, row: number) => void): void {
  const [initiatives, months, dollars] = columns;
  for (let row = 0; row < rows; row += 1) {
    const entry = {
      initiative_id: cellAt(initiatives, row),
      month: cellAt(months, row),
      usd_amount_cents: cellAt(dollars, row),
    };
    add(entry, row);
  }
}
