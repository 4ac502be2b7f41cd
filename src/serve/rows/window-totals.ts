/** Rows of `reported_totals`: the figures of the portfolio, and of each initiative, in each window. */
import type { Day } from '../../figures/calendar.ts';
import { cash, cents } from '../../figures/cents.ts';
import { liveRoi } from '../../figures/roi.ts';
import { cellAt, numberOf, type RowRange, type RowsOf } from '../../snapshot/read/rows.ts';
import type { Reporting } from '../../tables/all.ts';
import { groupsOf } from '../../snapshot/read/initiative-rows.ts';

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
  /** A window of an initiative; undefined for one without it. */
  readonly initiatives: { readonly get: (id: bigint, window_key: string) => WindowTotals | undefined };
  /** The memory that they take, in bytes. */
  readonly held_bytes: number;
}

/** A window of the portfolio is an object. */
const WINDOW_BYTES = 512;

const FIGURES = ['cost_cents', 'cash_value_cents', 'net_value_cents', 'freed_capacity_cents'] as const;
const OF_INITIATIVE = ['initiative_id', 'window_key', 'through_date', ...FIGURES] as const;
const OF_WINDOW = [
  'initiative_id',
  'window_key',
  'window_label',
  'window_kind',
  'from_date',
  'through_date',
  'window_complete',
  ...FIGURES,
] as const;

type Rows = RowsOf<Reporting['reported_totals']>;

/** Every window of the portfolio. */
export async function readPortfolio(rows: Rows): Promise<Windows> {
  return await readWindows(rows, { from: await firstOfPortfolio(rows) }, null);
}

/** Every window of an initiative; none if it has no entry. */
export async function readInitiative(rows: Rows, id: bigint): Promise<Windows> {
  const windows = new Map<string, WindowTotals>();
  for (const { first, rows: count } of groupsOf(rows, [id])) {
    for (const each of await readWindows(rows, { from: first, to: first + count }, id)) windows.set(...each);
  }
  return windows;
}

/** The windows of an initiative, or of the portfolio for null, in a range. */
async function readWindows(rows: Rows, range: RowRange, id: bigint | null): Promise<Windows> {
  const windows = new Map<string, WindowTotals>();
  const where = { initiative_id: (value: unknown) => value === id };
  for await (const { rows: count, columns } of rows.read(OF_WINDOW, { ...range, where })) {
    const [ids, keys, labels, kinds, from, through, complete, ...figures] = columns;
    const [cost, cash_value, net_value, freed_capacity] = figures;
    for (let row = 0; row < count; row += 1) {
      if (cellAt(ids, row) !== id) continue;
      const totals = {
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
      };
      windows.set(totals.window_key, withRoi(totals));
    }
  }
  return windows;
}

/**
 * Every window of the portfolio, and the named windows of each initiative. Of an initiative, only columns that differ between
 * initiatives are read: it has no window that the portfolio does not have.
 */
export async function readTotals(rows: Rows, ofInitiatives: readonly string[]): Promise<ScopeTotals> {
  const to = await firstOfPortfolio(rows);
  const portfolio = await readWindows(rows, { from: to }, null);
  const windows = ofInitiatives.flatMap((key) => portfolio.get(key) ?? []);
  const indexes = new Map(windows.map(({ window_key }, index) => [window_key, index]));
  const initiatives = holdTotals(windows);
  const where = { window_key: (key: unknown) => indexes.has(String(key)) };
  for await (const { rows: count, columns } of rows.read(OF_INITIATIVE, { to, where })) {
    const [ids, keys, through, ...figures] = columns;
    for (let row = 0; row < count; row += 1) {
      const [id, window] = [cellAt(ids, row), indexes.get(cellAt(keys, row))];
      if (id === null || window === undefined) continue;
      initiatives.add({ id, window, through_date: cellAt(through, row) }, figures, row);
    }
  }
  return { portfolio, ...initiatives.close(WINDOW_BYTES * (1 + portfolio.size)) };
}

/** Rows that are read at once from the end of the file: more than the portfolio has windows in a century. */
const LAST_ROWS = 1_024;

/** The first row of the portfolio: its rows are the last of the file. */
async function firstOfPortfolio(rows: Rows): Promise<number> {
  const where = { initiative_id: (id: unknown) => id === null };
  for (let to = rows.count; to > 0; to -= LAST_ROWS) {
    const from = Math.max(0, to - LAST_ROWS);
    let begin = to;
    for await (const piece of rows.read(['initiative_id'], { from, to, where })) {
      const own = piece.columns[0].indexOf(null);
      if (own >= 0) begin = Math.min(begin, numberOf(piece, own));
    }
    if (begin > from) return begin;
  }
  return 0;
}

function withRoi(totals: Omit<WindowTotals, 'roi'>): WindowTotals {
  return { ...totals, roi: liveRoi(cash(totals.cash_value), cents(totals.cost)) };
}

/** A window of an initiative, by its index among those that are held. */
interface OwnWindow {
  readonly id: bigint;
  readonly window: number;
  readonly through_date: Day;
}

/** Four sums and the last day. */
const TOTALS_BYTES = 40;
const INITIATIVE_BYTES = 100;

/**
 * Holds the windows of initiatives in one array. As objects they would take five times the memory, and a page needs those of two
 * snapshots. Only the last day of all time differs between initiatives: the rest of a window is held once.
 */
function holdTotals(windows: readonly WindowTotals[]) {
  const numbers = new Map<bigint, number>();
  const through: Day[] = [];
  const sums: bigint[] = [];
  return {
    add({ id, window, through_date }: OwnWindow, figures: readonly (readonly bigint[])[], row: number): void {
      const number = numbers.get(id) ?? numbers.size;
      numbers.set(id, number);
      const index = number * windows.length + window;
      through[index] = through_date;
      for (const [at, values] of figures.entries()) sums[FIGURES.length * index + at] = cellAt(values, row);
    },
    close(more_bytes: number): Pick<ScopeTotals, 'held_bytes' | 'initiatives'> {
      // The audit refuses larger sums than a number holds exactly, so each fits.
      const held = BigInt64Array.from({ length: FIGURES.length * through.length }, (_, at) => sums[at] ?? 0n);
      return {
        initiatives: {
          get(id, window_key) {
            const number = numbers.get(id);
            const at = windows.findIndex((each) => each.window_key === window_key);
            const window = windows[at];
            if (number === undefined || window === undefined) return undefined;
            const index = number * windows.length + at;
            const through_date = through[index];
            if (through_date === undefined) return undefined;
            const [cost = 0n, cash_value = 0n, net_value = 0n, freed_capacity = 0n] = held.subarray(
              FIGURES.length * index,
            );
            return withRoi({ ...window, through_date, cost, cash_value, net_value, freed_capacity });
          },
        },
        held_bytes: more_bytes + TOTALS_BYTES * through.length + INITIATIVE_BYTES * numbers.size,
      };
    },
  };
}
