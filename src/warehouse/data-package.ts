/** The reporting tables as a Frictionless data package: the files with their columns, keys and references. */
import type { FieldKind } from '../fields.ts';
import { TABLES, tableNamed } from '../tables/all.ts';
import { SCHEMA_VERSION } from '../tables/describe.ts';
import type { Column, Table } from '../tables/table.ts';

const TYPES: Readonly<Record<FieldKind, string>> = {
  id: 'integer',
  cents: 'integer',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'datetime',
  string: 'string',
  text: 'string',
  json: 'string',
};

/** A table file of a snapshot. */
export interface DescribedFile {
  readonly name: string;
  readonly size_bytes: number;
  readonly sha256: string;
}

/** A published snapshot, for its own package. */
export interface DescribedSnapshot {
  readonly snapshot_id: string;
  /** The instant as text. */
  readonly generated_at: string;
  readonly tables: readonly DescribedFile[];
}

/** A package in the form of datapackage.org. */
interface DataPackage {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly created?: string;
  readonly resources: readonly object[];
}

/** The package of a snapshot, with sizes and digests of its files; without a snapshot, the package of all tables. */
export function dataPackage(snapshot?: DescribedSnapshot): DataPackage {
  const tables = describedTables(snapshot);
  return {
    name: 'crossfoot',
    title: 'Crossfoot reporting tables',
    description: `Audited reporting tables, ${SCHEMA_VERSION}: one consistent moment of the ledger.`,
    version: snapshot?.snapshot_id ?? SCHEMA_VERSION,
    ...(snapshot && { created: snapshot.generated_at }),
    resources: tables.map((table) => resource(table, tables, snapshot)),
  };
}

/** The tables that the snapshot has, as they are declared today; without a snapshot, every table. */
export function describedTables(snapshot?: DescribedSnapshot): readonly Table[] {
  if (snapshot === undefined) return TABLES;
  return snapshot.tables.flatMap(({ name }) => tableNamed(name) ?? []);
}

/** The column that a reference names: the first of the key of the referenced table. */
export function referencedColumn(references: string): string {
  return tableNamed(references)?.key[0] ?? 'snapshot_id';
}

/** True if no part of the key is nullable: only such a key is a primary key in these formats. */
export function hasPrimaryKey({ columns, key }: Table): boolean {
  return !columns.some(({ name, nullable }) => nullable && key.includes(name));
}

function resource(table: Table, tables: readonly Table[], snapshot: DescribedSnapshot | undefined): object {
  const { name, grain, description, columns, key } = table;
  const file = snapshot?.tables.find((each) => each.name === name);
  const foreignKeys = columns.flatMap((column) => foreignKey(column, tables));
  return {
    name,
    title: grain,
    description,
    // CSV, beside the package: readers of packages turn integers of Parquet that may be empty into floats.
    path: `${name}.csv`,
    format: 'csv',
    mediatype: 'text/csv',
    encoding: 'utf-8',
    ...(file && {
      parquet: { path: `${name}.parquet`, bytes: file.size_bytes, hash: `sha256:${file.sha256}` },
    }),
    schema: {
      fields: columns.map(field),
      ...(hasPrimaryKey(table) && { primaryKey: key }),
      ...(foreignKeys.length > 0 && { foreignKeys }),
    },
  };
}

function field({ name, kind, nullable, description, values }: Column): object {
  const constraints = { ...(!nullable && { required: true }), ...(values && { enum: values }) };
  return {
    name,
    type: TYPES[kind],
    description,
    ...(Object.keys(constraints).length > 0 && { constraints }),
  };
}

function foreignKey({ name, references }: Column, tables: readonly Table[]): object[] {
  if (references === undefined || !tables.some((table) => table.name === references)) return [];
  const reference = { resource: references, fields: [referencedColumn(references)] };
  return [{ fields: [name], reference }];
}
