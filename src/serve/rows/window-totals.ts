/** Rows of `reported_totals`: the figures of the portfolio, and of each initiative, in each window. */
import type { Day } from '../../figures/calendar.ts';
import { cash, cents } from '../../figures/cents.ts';
import { liveRoi } from '../../figures/roi.ts';
import { cellAt, type RowsOf } from '../../snapshot/read/rows.ts';
import type { Reporting } from '../../tables/all.ts';

/** The totals of the portfolio, or of one initiative, in one window of one snapshot. */
export interface WindowTotals {
  readonly window_key: string;
  readonly window_label: string;
  readonly window_kind: string;
  /** Null for all time. */
  readonly from_date: Day | null;
  readonly through_date: Day;
  readonly complete: boolean;
  readonly cost: bigint;
  readonly cash_value: bigint;
  readonly net_value: bigint;
  readonly freed_capacity: bigint;
  /** By the rule of `/roi`: the column `roi` of the table is also empty without cash value. */
  readonly roi: number | null;
}

/** Windows by their keys. */
export type Windows = ReadonlyMap<string, WindowTotals>;

export interface ScopeTotals {
  readonly portfolio: Windows;
  readonly initiatives: ReadonlyMap<bigint, Windows>;
}

const COLUMNS = [
  'initiative_id',
  'window_key',
  'window_label',
  'window_kind',
  'from_date',
  'through_date',
  'window_complete',
  'cost_cents',
  'cash_value_cents',
  'net_value_cents',
  'freed_capacity_cents',
] as const;

type Rows = RowsOf<Reporting['reported_totals']>;

/** Every window of the portfolio. */
export async function readPortfolio(rows: Rows): Promise<Windows> {
  return (await readTotals(rows, [])).portfolio;
}

/** Every window of the portfolio, and the named windows of each initiative. */
export async function readTotals(rows: Rows, ofInitiatives: readonly string[]): Promise<ScopeTotals> {
  const portfolio = new Map<string, WindowTotals>();
  const initiatives = new Map<bigint, Map<string, WindowTotals>>();
  for await (const { rows: count, columns } of rows.read(COLUMNS)) {
    const [ids, keys, labels, kinds, from, through, complete, ...figures] = columns;
    const [cost, cash_value, net_value, freed_capacity] = figures;
    const totalsAt = (row: number): WindowTotals => ({
      window_key: cellAt(keys, row),
      window_label: cellAt(labels, row),
      window_kind: cellAt(kinds, row),
      from_date: cellAt(from, row),
      through_date: cellAt(through, row),
      complete: cellAt(complete, row),
      cost: cellAt(cost, row),
      cash_value: cellAt(cash_value, row),
      net_value: cellAt(net_value, row),
      freed_capacity: cellAt(freed_capacity, row),
      roi: liveRoi(cash(cellAt(cash_value, row)), cents(cellAt(cost, row))),
    });
    for (let row = 0; row < count; row += 1) {
      const [id, window_key] = [cellAt(ids, row), cellAt(keys, row)];
      if (id === null) portfolio.set(window_key, totalsAt(row));
      else if (ofInitiatives.includes(window_key)) {
        const windows = initiatives.get(id) ?? new Map<string, WindowTotals>();
        initiatives.set(id, windows.set(window_key, totalsAt(row)));
      }
    }
  }
  return { portfolio, initiatives };
}
