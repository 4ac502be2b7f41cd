/**
 * The tables of a DuckLake catalogue, format 1.0, in the order and with the columns that the format gives them. Most stay empty:
 * a reader wants them to exist.
 */

export const FORMAT = '1.0';

export type CellType = 'BIGINT' | 'BOOLEAN' | 'TIMESTAMPTZ' | 'UUID' | 'VARCHAR';

const COLUMNS = {
  ducklake_metadata: 'key VARCHAR, value VARCHAR, scope VARCHAR, scope_id BIGINT',
  ducklake_snapshot:
    'snapshot_id BIGINT, snapshot_time TIMESTAMPTZ, schema_version BIGINT, next_catalog_id BIGINT, next_file_id BIGINT',
  ducklake_snapshot_changes:
    'snapshot_id BIGINT, changes_made VARCHAR, author VARCHAR, commit_message VARCHAR, commit_extra_info VARCHAR',
  ducklake_schema:
    'schema_id BIGINT, schema_uuid UUID, begin_snapshot BIGINT, end_snapshot BIGINT, schema_name VARCHAR, path VARCHAR, path_is_relative BOOLEAN',
  ducklake_schema_versions: 'begin_snapshot BIGINT, schema_version BIGINT, table_id BIGINT',
  ducklake_table:
    'table_id BIGINT, table_uuid UUID, begin_snapshot BIGINT, end_snapshot BIGINT, schema_id BIGINT, table_name VARCHAR, path VARCHAR, path_is_relative BOOLEAN',
  ducklake_column:
    'column_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, table_id BIGINT, column_order BIGINT, column_name VARCHAR, column_type VARCHAR, initial_default VARCHAR, default_value VARCHAR, nulls_allowed BOOLEAN, parent_column BIGINT, default_value_type VARCHAR, default_value_dialect VARCHAR',
  ducklake_data_file:
    'data_file_id BIGINT, table_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, file_order BIGINT, path VARCHAR, path_is_relative BOOLEAN, file_format VARCHAR, record_count BIGINT, file_size_bytes BIGINT, footer_size BIGINT, row_id_start BIGINT, partition_id BIGINT, encryption_key VARCHAR, mapping_id BIGINT, partial_max BIGINT',
  ducklake_file_column_stats:
    'data_file_id BIGINT, table_id BIGINT, column_id BIGINT, column_size_bytes BIGINT, value_count BIGINT, null_count BIGINT, min_value VARCHAR, max_value VARCHAR, contains_nan BOOLEAN, extra_stats VARCHAR',
  ducklake_table_stats: 'table_id BIGINT, record_count BIGINT, next_row_id BIGINT, file_size_bytes BIGINT',
  ducklake_table_column_stats:
    'table_id BIGINT, column_id BIGINT, contains_null BOOLEAN, contains_nan BOOLEAN, min_value VARCHAR, max_value VARCHAR, extra_stats VARCHAR',
  ducklake_tag: 'object_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, key VARCHAR, value VARCHAR',
  ducklake_column_tag:
    'table_id BIGINT, column_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, key VARCHAR, value VARCHAR',
  ducklake_delete_file:
    'delete_file_id BIGINT, table_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, data_file_id BIGINT, path VARCHAR, path_is_relative BOOLEAN, format VARCHAR, delete_count BIGINT, file_size_bytes BIGINT, footer_size BIGINT, encryption_key VARCHAR, partial_max BIGINT',
  ducklake_inlined_data_tables: 'table_id BIGINT, table_name VARCHAR, schema_version BIGINT',
  ducklake_view:
    'view_id BIGINT, view_uuid UUID, begin_snapshot BIGINT, end_snapshot BIGINT, schema_id BIGINT, view_name VARCHAR, dialect VARCHAR, sql VARCHAR, column_aliases VARCHAR',
  ducklake_macro:
    'schema_id BIGINT, macro_id BIGINT, macro_name VARCHAR, begin_snapshot BIGINT, end_snapshot BIGINT',
  ducklake_macro_impl: 'macro_id BIGINT, impl_id BIGINT, dialect VARCHAR, sql VARCHAR, type VARCHAR',
  ducklake_macro_parameters:
    'macro_id BIGINT, impl_id BIGINT, column_id BIGINT, parameter_name VARCHAR, parameter_type VARCHAR, default_value VARCHAR, default_value_type VARCHAR',
  ducklake_partition_info: 'partition_id BIGINT, table_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT',
  ducklake_partition_column:
    'partition_id BIGINT, table_id BIGINT, partition_key_index BIGINT, column_id BIGINT, transform VARCHAR',
  ducklake_file_partition_value:
    'data_file_id BIGINT, table_id BIGINT, partition_key_index BIGINT, partition_value VARCHAR',
  ducklake_file_variant_stats:
    'data_file_id BIGINT, table_id BIGINT, column_id BIGINT, variant_path VARCHAR, shredded_type VARCHAR, column_size_bytes BIGINT, value_count BIGINT, null_count BIGINT, min_value VARCHAR, max_value VARCHAR, contains_nan BOOLEAN, extra_stats VARCHAR',
  ducklake_files_scheduled_for_deletion:
    'data_file_id BIGINT, path VARCHAR, path_is_relative BOOLEAN, schedule_start TIMESTAMPTZ',
  ducklake_column_mapping: 'mapping_id BIGINT, table_id BIGINT, type VARCHAR',
  ducklake_name_mapping:
    'mapping_id BIGINT, column_id BIGINT, source_name VARCHAR, target_field_id BIGINT, parent_column BIGINT, is_partition BOOLEAN',
  ducklake_sort_info: 'sort_id BIGINT, table_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT',
  ducklake_sort_expression:
    'sort_id BIGINT, table_id BIGINT, sort_key_index BIGINT, expression VARCHAR, dialect VARCHAR, sort_direction VARCHAR, null_order VARCHAR',
} as const;

export type CatalogueTable = keyof typeof COLUMNS;

export type Cell = string | number | bigint | boolean | null;
/** A row by its columns; a column that is left out is empty. */
export type Row = Readonly<Record<string, Cell>>;
export type Rows = Readonly<Partial<Record<CatalogueTable, readonly Row[]>>>;

export interface CatalogueColumn {
  readonly name: string;
  readonly type: CellType;
}

/** The columns of each table of the catalogue. */
export const CATALOGUE_TABLES: ReadonlyMap<CatalogueTable, readonly CatalogueColumn[]> = new Map(
  Object.entries(COLUMNS).map(([table, columns]) => [
    table as CatalogueTable,
    columns.split(', ').map((column): CatalogueColumn => {
      const [name = '', type] = column.split(' ');
      return { name, type: type as CellType };
    }),
  ]),
);

/** The columns that a reader may rely on to be unique. */
export const PRIMARY_KEYS: ReadonlyMap<CatalogueTable, string> = new Map([
  ['ducklake_snapshot', 'snapshot_id'],
  ['ducklake_snapshot_changes', 'snapshot_id'],
  ['ducklake_schema', 'schema_id'],
  ['ducklake_data_file', 'data_file_id'],
  ['ducklake_delete_file', 'delete_file_id'],
]);
