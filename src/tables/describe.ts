/**
 * The schema description of `/reporting/schema.json` and `schema/v1.tables.json`. It is generated from the declarations, so
 * it cannot differ from the files.
 */
import type { FieldKind } from '../fields.ts';
import { TABLES } from './all.ts';
import type { Agreement, Column, Table } from './table.ts';

/** The version of the published tables; within it columns are only added, last and nullable. */
export const SCHEMA_VERSION = 'v1';

interface ColumnDescription {
  readonly name: string;
  readonly type: FieldKind;
  readonly nullable: boolean;
  readonly description: string;
  readonly values?: readonly string[];
  readonly references?: string;
  readonly never_empty?: true;
}

export interface TableDescription {
  readonly name: string;
  readonly grain: string;
  readonly description: string;
  readonly key: readonly string[];
  readonly columns: readonly ColumnDescription[];
  /** Reporting tables have none. */
  readonly agreement?: Agreement;
}

export interface SchemaDescription {
  readonly version: string;
  readonly tables: readonly TableDescription[];
}

/** Describes every table, in published order; always with the same content. */
export function describeTables(): SchemaDescription {
  return { version: SCHEMA_VERSION, tables: TABLES.map(describeTable) };
}

/** A table as its description names it. */
export function describeTable(table: Table): TableDescription {
  const { name, grain, description, key, columns, agreement } = table;
  return {
    name,
    grain,
    description,
    key,
    columns: columns.map(describeColumn),
    ...(agreement && { agreement }),
  };
}

// Omits how a column is stored (`repeats`), which is no promise to readers.
function describeColumn(column: Column): ColumnDescription {
  const { name, kind, nullable, description, values, references, never_empty } = column;
  return {
    name,
    type: kind,
    nullable,
    description,
    ...(values && { values }),
    ...(references && { references }),
    ...(never_empty && { never_empty }),
  };
}
