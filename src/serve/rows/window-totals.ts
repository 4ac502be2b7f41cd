/** Rows of `reported_totals`: the figures of the portfolio, and of each initiative, in each window. */
import type { Day } from '../../figures/calendar.ts';
import type { FieldValue, TableRows } from '../../snapshot/read/rows.ts';

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
  readonly roi: number | null;
}

/** Windows by their keys. */
export type Windows = ReadonlyMap<string, WindowTotals>;

export interface ScopeTotals {
  readonly portfolio: Windows;
  readonly initiatives: ReadonlyMap<bigint, Windows>;
}

const COLUMNS = [
  'scope',
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
  'roi',
] as const;

/** Every window of the portfolio. */
export async function readPortfolio(rows: TableRows): Promise<Windows> {
  return (await readTotals(rows, [])).portfolio;
}

/** Every window of the portfolio, and the named windows of each initiative. */
export async function readTotals(rows: TableRows, ofInitiatives: readonly string[]): Promise<ScopeTotals> {
  const portfolio = new Map<string, WindowTotals>();
  const initiatives = new Map<bigint, Map<string, WindowTotals>>();
  for await (const { rows: count, columns } of rows.read(COLUMNS)) {
    const cell = (name: (typeof COLUMNS)[number], row: number): FieldValue =>
      columns[COLUMNS.indexOf(name)]?.[row] ?? null;
    for (let row = 0; row < count; row += 1) {
      const window_key = String(cell('window_key', row));
      if (cell('scope', row) === 'portfolio') {
        portfolio.set(
          window_key,
          totalsOf((name) => cell(name, row)),
        );
      } else if (ofInitiatives.includes(window_key)) {
        const id = BigInt(cell('initiative_id', row) ?? 0);
        const windows = initiatives.get(id) ?? new Map<string, WindowTotals>();
        initiatives.set(
          id,
          windows.set(
            window_key,
            totalsOf((name) => cell(name, row)),
          ),
        );
      }
    }
  }
  return { portfolio, initiatives };
}

function totalsOf(cell: (name: (typeof COLUMNS)[number]) => FieldValue): WindowTotals {
  const amount = (name: (typeof COLUMNS)[number]): bigint => BigInt(String(cell(name) ?? 0));
  const [from, roi] = [cell('from_date'), cell('roi')];
  return {
    window_key: String(cell('window_key')),
    window_label: String(cell('window_label')),
    window_kind: String(cell('window_kind')),
    from_date: from === null ? null : String(from),
    through_date: String(cell('through_date')),
    complete: cell('window_complete') === true,
    cost: amount('cost_cents'),
    cash_value: amount('cash_value_cents'),
    net_value: amount('net_value_cents'),
    freed_capacity: amount('freed_capacity_cents'),
    roi: typeof roi === 'number' ? roi : null,
  };
}
