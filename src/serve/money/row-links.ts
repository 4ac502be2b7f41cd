/**
 * The addresses of pages with the rows behind a figure. On such a page, the total of the cents column is the figure.
 */
import { lastOfMonth } from '../../figures/calendar.ts';
import { reported_value } from '../../tables/reported_value.ts';
import type { WindowTotals } from '../rows/window-totals.ts';

/** The types of value that are cash: all except freed capacity. */
export const CASH_TYPES = (
  reported_value.columns.find(({ name }) => name === 'entry_type')?.values ?? []
).filter((type) => type !== 'capacity');

export interface RowLinks {
  readonly costs: (filters?: RowFilters) => string;
  readonly cash: (filters?: RowFilters) => string;
  readonly freed: (filters?: RowFilters) => string;
  /** The row of `reported_totals` itself, for figures that no sum of entries gives. */
  readonly total: (window_key: string, initiative_id?: bigint) => string;
  readonly table: (name: string, filters?: readonly (readonly [string, string])[]) => string;
}

export interface RowFilters {
  readonly window?: Pick<WindowTotals, 'from_date' | 'through_date'> | undefined;
  /** The first day of a month; null for entries without one. */
  readonly month?: string | null;
  readonly initiative_id?: bigint;
  readonly currency?: string | undefined;
  /** Only entries without a dollar figure, with their amounts as recorded. */
  readonly left_out?: boolean;
  /** Only costs at a provisional rate. */
  readonly provisional?: boolean;
}

/** The columns of entries without a dollar figure: the usual columns have no amount as recorded. */
const AS_RECORDED = {
  costs:
    'cost_entry_id,initiative_id,amount_cents,currency,usd_amount_cents,period_month,vendor_id,description',
  reported_value:
    'value_entry_id,initiative_id,entry_type,amount_cents,currency,usd_amount_cents,period_month',
} as const;

/** Makes addresses below `root`, the path to the top. */
export function rowLinks(root: string, snapshot_id: string): RowLinks {
  const table: RowLinks['table'] = (name, filters = []) => {
    const query = new URLSearchParams(filters.map(([column, value]): [string, string] => [column, value]));
    return `${root}snapshots/${snapshot_id}/tables/${name}${filters.length === 0 ? '' : `?${query.toString()}`}`;
  };
  return {
    costs: (filters = {}) => table('costs', filtersOf('costs', filters)),
    cash: (filters = {}) =>
      table('reported_value', [
        ...CASH_TYPES.map((type) => ['entry_type', type] as const),
        ...filtersOf('reported_value', filters),
      ]),
    freed: (filters = {}) =>
      table('reported_value', [['entry_type', 'capacity'], ...filtersOf('reported_value', filters)]),
    total: (window_key, initiative_id) =>
      table('reported_totals', [
        ...(initiative_id === undefined
          ? [['scope', 'portfolio'] as const]
          : [['initiative_id', String(initiative_id)] as const]),
        ['window_key', window_key],
      ]),
    table,
  };
}

function filtersOf(
  of: keyof typeof AS_RECORDED,
  { window, month, initiative_id, currency, left_out = false, provisional = false }: RowFilters,
): readonly (readonly [string, string])[] {
  const [from, through] = [window?.from_date ?? null, window?.through_date ?? ''];
  // A list of money begins with the heaviest; without dollars there is no order of weight.
  const order = left_out ? [['columns', AS_RECORDED[of]] as const] : [['sort', '-usd_amount_cents'] as const];
  return [
    ...(initiative_id === undefined ? [] : [['initiative_id', String(initiative_id)] as const]),
    ...(month === undefined ? [] : [['period_month', month ?? ''] as const]),
    ...(from === null
      ? []
      : ([
          ['period_month_from', from],
          ['period_month_through', lastOfMonth(through)],
        ] as const)),
    ...(left_out ? [['usd_amount_cents', ''] as const] : []),
    ...(currency === undefined ? [] : [['currency', currency] as const]),
    ...(provisional ? [['usd_rate_provisional', 'true'] as const] : []),
    ...order,
  ];
}
