/**
 * The rows of a DuckLake catalogue, format 1.0. The number of a version is that of its log entry. Each version replaces every
 * file: a table has exactly one at a time. The same log, marks and readable snapshots give the same rows.
 */
import { columnStatistics } from './file-numbers.ts';
import { FORMAT, type Row, type Rows } from './catalogue-tables.ts';
import type { AddressOf, Lake, LakeTable } from './lake.ts';
import { idOf, uuidOf } from './lake-ids.ts';
import { type LakeSchema, schemasOf } from './lake-schemas.ts';
import { type Shape, shapeRows } from './shape-rows.ts';
import { partsOf } from './spans.ts';
import { versionRows } from './version-rows.ts';

interface CatalogueOptions {
  /** The address of the API, ending in /v1. */
  readonly base_url: string;
  readonly addressOf: AddressOf;
}

/** The name of a program's metadata in a catalogue: which log and marks it was derived from. */
export const METADATA = {
  account: 'crossfoot_account',
  log_entry: 'crossfoot_log_entry',
  marks: 'crossfoot_marks',
} as const;

/** Every row; throws `file_corrupt` if a footer contradicts what was audited. */
export function catalogueRows(lake: Lake, { base_url, addressOf }: CatalogueOptions): Rows {
  const schemas = schemasOf(lake);
  const shapes = schemas.flatMap((schema) => shapesOf(lake, schema));
  const files = shapes.flatMap((shape) => fileRows(shape, addressOf));
  const metadata = {
    version: FORMAT,
    created_by: 'Crossfoot',
    data_path: `${base_url}/reporting/snapshots/`,
    encrypted: 'false',
    [METADATA.account]: String(lake.account_id),
    [METADATA.log_entry]: String(lake.log_entry),
    [METADATA.marks]: String(lake.marks),
  };
  return {
    ducklake_metadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
    ducklake_schema: schemas.map(({ name, id, spans }) => ({
      schema_id: id,
      schema_uuid: uuidOf(lake.account_id, 'schema', name),
      begin_snapshot: spans[0]?.begin ?? null,
      schema_name: name,
      path: `${name}/`,
      path_is_relative: true,
    })),
    ...versionRows(lake, schemas, shapes),
    ...shapeRows(shapes),
    ducklake_data_file: files.map(({ file }) => file),
    ducklake_file_column_stats: files.flatMap(({ statistics }) => statistics),
    ducklake_table_stats: files.flatMap(({ file: { table_id = null, ...file } }) =>
      file['end_snapshot'] === null
        ? [
            {
              table_id,
              record_count: file['record_count'] ?? null,
              next_row_id: firstRowId((lake.versions.at(-1)?.seq ?? 0) + 1),
              file_size_bytes: file['file_size_bytes'] ?? null,
            },
          ]
        : [],
    ),
  };
}

/** The tables of a schema, each with the versions that have it. */
function shapesOf(
  { account_id }: Lake,
  { name: schema, id: schema_id, spans }: LakeSchema,
): readonly Shape[] {
  const names = new Set(spans.flatMap(({ value }) => value.tables.map(({ name }) => name)));
  return [...names].map((name) => ({
    schema,
    schema_id,
    name,
    id: idOf(account_id, 'table', schema, name),
    uuid: uuidOf(account_id, 'table', schema, name),
    spans: partsOf(spans, ({ seq, snapshot_id, tables }) => {
      const table = tables.find((each) => each.name === name);
      return table === undefined ? undefined : { seq, snapshot_id, ...table };
    }),
  }));
}

/** Rows that two versions have in common are not told apart: each version numbers its own. */
function firstRowId(seq: number): bigint {
  return BigInt(seq) << 32n;
}

function fileRows({ id: table_id, schema, name, spans }: Shape, addressOf: AddressOf) {
  return spans.map(({ begin, end, value: { seq, snapshot_id, ...table } }) => {
    const data_file_id = idOf(table_id, 'file', schema, snapshot_id);
    const file: Row = {
      data_file_id,
      table_id,
      begin_snapshot: begin,
      end_snapshot: end,
      path: addressOf(snapshot_id, name),
      path_is_relative: false,
      file_format: 'parquet',
      ...sizesOf(table),
      row_id_start: firstRowId(seq),
    };
    const statistics = columnStatistics(snapshot_id, table).map((column): Row => ({
      data_file_id,
      table_id,
      column_id: column.column_id,
      column_size_bytes: column.size_bytes,
      value_count: column.values,
      null_count: column.nulls,
      min_value: column.least,
      max_value: column.greatest,
    }));
    return { file, statistics };
  });
}

function sizesOf({ row_count, size_bytes, footer }: LakeTable): Row {
  return { record_count: row_count, file_size_bytes: size_bytes, footer_size: footer.footer_bytes };
}
