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
  /** The windows of an initiative; undefined for one without any. */
  readonly initiatives: { readonly get: (id: bigint) => Windows | undefined };
  /** The memory that they take, in bytes. */
  readonly held_bytes: number;
}

/** A window of the portfolio is an object. */
const WINDOW_BYTES = 512;

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
  const initiatives = holdTotals(ofInitiatives);
  for await (const { rows: count, columns } of rows.read(COLUMNS)) {
    const [ids, keys, labels, kinds, from, through, complete, ...figures] = columns;
    const [cost, cash_value, net_value, freed_capacity] = figures;
    const totalsAt = (row: number): WindowTotals =>
      withRoi({
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
      });
    for (let row = 0; row < count; row += 1) {
      const [id, window_key] = [cellAt(ids, row), cellAt(keys, row)];
      if (id === null) portfolio.set(window_key, totalsAt(row));
      else if (ofInitiatives.includes(window_key)) initiatives.add(id, totalsAt(row));
    }
  }
  return { portfolio, ...initiatives.close(WINDOW_BYTES * (1 + portfolio.size)) };
}

function withRoi(totals: Omit<WindowTotals, 'roi'>): WindowTotals {
  return { ...totals, roi: liveRoi(cash(totals.cash_value), cents(totals.cost)) };
}

/** Four sums and the last day. */
const TOTALS_BYTES = 40;
const INITIATIVE_BYTES = 100;

/**
 * Holds the windows of initiatives in one array. As objects they would take five times the memory, and a page needs those of two
 * snapshots. Only the last day of all time differs between initiatives: the rest of a window is held once.
 */
function holdTotals(keys: readonly string[]) {
  const numbers = new Map<bigint, number>();
  const windows = new Map<string, WindowTotals>();
  const through: Day[] = [];
  const sums: bigint[] = [];
  return {
    add(id: bigint, totals: WindowTotals): void {
      const number = numbers.get(id) ?? numbers.size;
      numbers.set(id, number);
      if (!windows.has(totals.window_key)) windows.set(totals.window_key, totals);
      const place = number * keys.length + keys.indexOf(totals.window_key);
      through[place] = totals.through_date;
      const { cost, cash_value, net_value, freed_capacity } = totals;
      for (const [at, sum] of [cost, cash_value, net_value, freed_capacity].entries())
        sums[4 * place + at] = sum;
    },
    close(more_bytes: number): Pick<ScopeTotals, 'held_bytes' | 'initiatives'> {
      // The audit refuses larger sums than a number holds exactly, so each fits.
      const held = BigInt64Array.from({ length: 4 * through.length }, (_, at) => sums[at] ?? 0n);
      const windowAt = (key: string, place: number): readonly (readonly [string, WindowTotals])[] => {
        const [window, through_date] = [windows.get(key), through[place]];
        if (window === undefined || through_date === undefined) return [];
        const [cost = 0n, cash_value = 0n, net_value = 0n, freed_capacity = 0n] = held.subarray(4 * place);
        return [[key, withRoi({ ...window, through_date, cost, cash_value, net_value, freed_capacity })]];
      };
      return {
        initiatives: {
          get(id) {
            const number = numbers.get(id);
            if (number === undefined) return undefined;
            return new Map(keys.flatMap((key, at) => windowAt(key, number * keys.length + at)));
          },
        },
        held_bytes: more_bytes + TOTALS_BYTES * through.length + INITIATIVE_BYTES * numbers.size,
      };
    },
  };
}
