/** The data of the page of a table's rows, and the addresses of its other views. */
import type { FacetSum, RowTotal } from '../../figures/row-totals.ts';
import type { LeftOutReason } from '../../figures/left-out-reasons.ts';
import type { FieldValue } from '../../snapshot/read/rows.ts';
import type { Column, Table } from '../../tables/table.ts';
import type { Names } from '../../snapshot/read/sheet-cells.ts';
import type { RowQuery } from './row-query.ts';
import { viewOf } from './table-views.ts';

/** What the page shows. */
export interface ShownRows {
  readonly snapshot_id: string;
  readonly table: Table;
  /** The columns that the file has. */
  readonly columns: readonly Column[];
  readonly query: RowQuery;
  /** The number of all rows of the file. */
  readonly all: number;
  /** The number of rows that match the filters. */
  readonly count: number;
  readonly totals: readonly RowTotal[];
  readonly facets: ReadonlyMap<string, readonly FacetSum[]>;
  /** The columns of `rows`. */
  readonly read: readonly Column[];
  readonly rows: readonly (readonly FieldValue[])[];
  readonly idNames: Names;
  /** Why entries of the snapshot have no dollars; undefined if it does not record it. */
  readonly reasons: readonly LeftOutReason[] | undefined;
}

/** A parameter of an address that is wrong. */
export interface RefusedParameter {
  readonly name: string;
  readonly value: string;
  /** What is wrong, in words. */
  readonly message: string;
  /** For a filter from the form: how it compares. The name is that of its column. */
  readonly how?: string;
}

/** A view without its rows. */
export type View = Pick<ShownRows, 'snapshot_id' | 'table' | 'columns' | 'query' | 'idNames'>;

/** The columns of a view: those of the address, else the table's own choice, else all. */
export function shownColumns(query: RowQuery, table: Table, columns: readonly Column[]): readonly Column[] {
  const names = query.columns ?? viewOf(table).columns;
  const shown = names.flatMap((name) => columns.filter((column) => column.name === name));
  return shown.length > 0 ? shown : columns;
}

/** The address of another view of this table. */
export function here({ table }: Pick<ShownRows, 'table'>, parameters: string): string {
  return `${table.name}${parameters}`;
}
