/** Compares every window of `reported_totals` with the sums of the entries. */
import type { Bytes } from './bytes.ts';
import { type Column, readColumns } from './columns.ts';
import { addCosts, addValue, COST_COLUMNS, type Entries, VALUE_COLUMNS } from './entries.ts';
import { expectedWindows, type Fiscal, type Window } from './windows.ts';

/** The tables whose files a check of the totals reads. */
export const TOTAL_TABLES = [
  'snapshot',
  'initiatives',
  'costs',
  'reported_value',
  'reported_totals',
] as const;
export type TotalFiles = Readonly<Record<(typeof TOTAL_TABLES)[number], Bytes>>;

/** The figures of a window that follow from the entries. */
export const FIGURES = [
  'cash_value_cents',
  'freed_capacity_cents',
  'cost_cents',
  'net_value_cents',
  'roi',
  'capex_cents',
  'opex_cents',
  'vendor_price_effect_cents',
] as const;
const NAMES = ['window_kind', 'window_label', 'from_date', 'through_date', 'window_complete'] as const;
const COMPARED = [...NAMES, ...FIGURES] as const;
type Compared = (typeof COMPARED)[number];

/** What differs: `figure` is the column, or `rows` for a window too many or too few. */
export interface Difference {
  /** Null: the portfolio. */
  readonly initiative_id: bigint | null;
  readonly window_key: string;
  readonly figure: Compared | 'rows';
  /** The sum of the entries, and what the file says. */
  readonly expected: string;
  readonly found: string;
}

/** A window of the portfolio as the entries give it; `differs` names the columns in which the file differs. */
export interface ComparedWindow {
  readonly expected: Window;
  readonly differs: readonly Compared[];
}

export interface ComparedTotals {
  readonly entries: number;
  readonly windows: number;
  readonly portfolio: readonly ComparedWindow[];
  readonly differences: readonly Difference[];
  /** The number of further differences, which `differences` does not list. */
  readonly more: number;
}

/** Called with the number of rows read so far; it may throw to stop. */
export type Turn = (rows: number) => Promise<void>;

const MAX_LISTED_DIFFERENCES = 1_000;
const MS_PER_DAY = 86_400_000;

/** Adds up the entries and compares. Throws if a file cannot be read or lacks a column. */
export async function compareTotals(files: TotalFiles, turn: Turn): Promise<ComparedTotals> {
  const fiscal = await readFiscal(files.snapshot);
  const entries: Entries = new Map();
  let rows = 0;
  for await (const group of readColumns(files.costs, COST_COLUMNS)) {
    addCosts(entries, group.rows, group.columns);
    await turn((rows += group.rows));
  }
  for await (const group of readColumns(files.reported_value, VALUE_COLUMNS)) {
    addValue(entries, group.rows, group.columns);
    await turn((rows += group.rows));
  }
  const initiatives: bigint[] = [];
  for await (const { columns } of readColumns(files.initiatives, ['initiative_id'])) {
    for (const id of Array.from(columns.initiative_id)) if (typeof id === 'bigint') initiatives.push(id);
  }
  const found = await readFound(files.reported_totals, turn, rows);
  return { entries: rows, ...compareWindows(expectedWindows(entries, initiatives, fiscal), found) };
}

type FoundRow = Readonly<Record<Compared, string>>;

/** Rows of the file by initiative and window, with their cells as text. */
export type FoundRows = Map<string, FoundRow[]>;

/** Compares each window. A row of `found` without an expected window is a difference, too. Empties `found`. */
export function compareWindows(
  expected: Iterable<readonly [initiative: bigint | null, windows: readonly Window[]]>,
  found: FoundRows,
): Omit<ComparedTotals, 'entries'> {
  const portfolio: ComparedWindow[] = [];
  const differences: Difference[] = [];
  let more = 0;
  let count = 0;
  const say = (difference: Difference): void => {
    if (differences.length < MAX_LISTED_DIFFERENCES) differences.push(difference);
    else more += 1;
  };
  for (const [initiative_id, windows] of expected) {
    for (const window of windows) {
      count += 1;
      const key = keyOf(initiative_id, window.window_key);
      const [row, ...others] = found.get(key) ?? [];
      found.delete(key);
      const at = { initiative_id, window_key: window.window_key };
      if (row === undefined || others.length > 0) {
        say({
          ...at,
          figure: 'rows',
          expected: '1',
          found: String(row === undefined ? 0 : 1 + others.length),
        });
      }
      const differs = COMPARED.filter((name) => row === undefined || shown(window[name], name) !== row[name]);
      if (row !== undefined) {
        for (const figure of differs) {
          say({ ...at, figure, expected: shown(window[figure], figure), found: row[figure] });
        }
      }
      if (initiative_id === null) portfolio.push({ expected: window, differs });
    }
  }
  for (const [key, rows] of found) {
    const [id = '', window_key = ''] = key.split(' ');
    const initiative_id = id === '' ? null : BigInt(id);
    say({ initiative_id, window_key, figure: 'rows', expected: '0', found: String(rows.length) });
  }
  return { windows: count, portfolio, differences, more };
}

async function readFound(bytes: Bytes, turn: Turn, before: number): Promise<FoundRows> {
  const found: FoundRows = new Map();
  let read = before;
  for await (const { rows, columns } of readColumns(bytes, ['initiative_id', 'window_key', ...COMPARED])) {
    for (let row = 0; row < rows; row += 1) {
      const initiative = columns.initiative_id[row];
      const key = keyOf(
        typeof initiative === 'bigint' ? initiative : null,
        shown(columns.window_key[row], 'window_key'),
      );
      const cells = Object.fromEntries(COMPARED.map((name) => [name, shown(columns[name][row], name)]));
      found.set(key, [...(found.get(key) ?? []), cells as FoundRow]); // each name was set
    }
    await turn((read += rows));
  }
  return found;
}

async function readFiscal(bytes: Bytes): Promise<Fiscal> {
  for await (const { columns } of readColumns(bytes, ['as_of', 'fiscal_year_start_month'])) {
    const [as_of, start] = [columns.as_of[0], Number(columns.fiscal_year_start_month[0])];
    if (typeof as_of === 'number' && start >= 1 && start <= 12) return { as_of, start_month: start };
  }
  throw new Error('does not say the day of the snapshot and the month in which the fiscal year starts');
}

function keyOf(initiative: bigint | null, window_key: string): string {
  return `${initiative ?? ''} ${window_key}`;
}

/** A cell as text; a day as a date. */
function shown(cell: Column[number], column: string): string {
  if (cell === null || cell === undefined) return 'empty';
  const isDay = typeof cell === 'number' && column.endsWith('_date');
  return isDay ? new Date(cell * MS_PER_DAY).toISOString().slice(0, 10) : String(cell);
}
