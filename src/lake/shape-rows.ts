/** The rows about tables, columns and their comments. A row holds until a version changes it. */
import type { FieldKind } from '../fields.ts';
import { fieldId } from '../tables/table.ts';
import type { Row, Rows } from './catalogue-tables.ts';
import type { LakeTable } from './lake.ts';
import { type Span, spansOf } from './spans.ts';

/** A table of a schema, with the versions that have it. */
export interface Shape {
  readonly schema: string;
  readonly schema_id: bigint;
  readonly name: string;
  readonly id: bigint;
  readonly uuid: string;
  readonly spans: readonly Span<LakeTable & { readonly seq: number; readonly snapshot_id: string }>[];
}

const TYPES: Readonly<Record<FieldKind, string>> = {
  id: 'int64',
  cents: 'int64',
  integer: 'int32',
  number: 'float64',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamptz',
  string: 'varchar',
  text: 'varchar',
  json: 'varchar',
};

/** The rows of all tables. */
export function shapeRows(shapes: readonly Shape[]): Rows {
  return {
    ducklake_table: shapes.flatMap((shape) =>
      tableSpans(shape).map(({ begin, end }): Row => ({
        table_id: shape.id,
        table_uuid: shape.uuid,
        begin_snapshot: begin,
        end_snapshot: end,
        schema_id: shape.schema_id,
        table_name: shape.name,
        path: `${shape.name}/`,
        path_is_relative: true,
      })),
    ),
    ducklake_column: shapes.flatMap(columnRows),
    ducklake_tag: shapes.flatMap(({ id: object_id, spans }) =>
      spansOf(spans, ({ comment }) => comment).map((span): Row => ({ object_id, ...commentRow(span) })),
    ),
    ducklake_column_tag: shapes.flatMap(({ id: table_id, spans }) =>
      columnsOf(spans).flatMap((name) => {
        const found = spansOf(spans, ({ columns }) => {
          const index = columns.findIndex((column) => column.name === name);
          return index === -1 ? undefined : { id: fieldId(index), text: columns[index]?.description ?? '' };
        });
        return found.map(({ value: { id: column_id, text }, ...span }): Row => ({
          table_id,
          column_id,
          ...commentRow({ ...span, value: text }),
        }));
      }),
    ),
  };
}

/** When the catalogue has the table. */
export function tableSpans({ spans }: Shape): readonly Span<true>[] {
  return spansOf(spans, () => true as const);
}

/** The versions from which on a table has other columns. */
export function changesOfColumns(shape: Shape): readonly number[] {
  return [...new Set(columnRows(shape).map((row) => Number(row['begin_snapshot'])))].toSorted(
    (a, b) => a - b,
  );
}

function columnRows({ id: table_id, spans }: Shape): readonly Row[] {
  return columnsOf(spans).flatMap((name) => {
    const found = spansOf(spans, ({ columns }) => {
      const index = columns.findIndex((column) => column.name === name);
      const { type, nullable } = columns[index] ?? {};
      return type === undefined ? undefined : { id: fieldId(index), type: TYPES[type], nullable };
    });
    return found.map(({ begin, end, value: { id, type, nullable = true } }): Row => ({
      column_id: id,
      begin_snapshot: begin,
      end_snapshot: end,
      table_id,
      column_order: id,
      column_name: name,
      column_type: type,
      default_value: 'NULL',
      nulls_allowed: nullable,
      default_value_type: 'literal',
      default_value_dialect: 'duckdb',
    }));
  });
}

function columnsOf(spans: Shape['spans']): readonly string[] {
  return [...new Set(spans.flatMap(({ value }) => value.columns.map(({ name }) => name)))];
}

function commentRow({ begin, end, value }: Span<string>): Row {
  return { begin_snapshot: begin, end_snapshot: end, key: 'comment', value };
}
