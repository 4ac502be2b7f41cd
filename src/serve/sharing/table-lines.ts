/** The lines of the protocol about a table, in its Parquet format. */
import type { FieldKind } from '../../fields.ts';
import type { StoredTable } from '../../snapshot/format/manifest.ts';
import { type Instant, toMs } from '../../instant.ts';
import { formatInstant } from '../../time.ts';
import type { SharedTable } from '../../tables/file-sets.ts';
import { DECIMAL_DIGITS, type Table } from '../../tables/table.ts';
import type { ColumnDigest, TableDigest } from '../../warehouse/digests.ts';
import type { ChosenVersion } from './chosen-version.ts';

/** The types of the protocol, which are those of Spark. */
const TYPES: Readonly<Record<FieldKind, string>> = {
  id: 'long',
  cents: 'long',
  integer: 'integer',
  number: 'double',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
  string: 'string',
  text: 'string',
  json: 'string',
};

/**
 * Kinds whose values are numbers in JSON; all other values are texts. They may be above 2^53, so this program does not
 * parse them.
 */
const BARE: readonly FieldKind[] = ['id', 'cents', 'integer'];

/** The first line of every answer about a table. */
export const PROTOCOL_LINE = { protocol: { minReaderVersion: 1 } } as const;

/** The second line: the table and all its columns. Clients read a column that an older file does not have as empty. */
export function metadataLine(
  { name, table }: Pick<SharedTable, 'name' | 'table'>,
  { seq }: ChosenVersion,
  {
    id,
    size_bytes,
    changes,
  }: { readonly id: string; readonly size_bytes: number; readonly changes: boolean },
) {
  return {
    metaData: {
      id,
      name,
      description: `${table.grain}: ${table.description}`,
      format: { provider: 'parquet' },
      schemaString: schemaString(table),
      partitionColumns: [],
      configuration: changes ? { enableChangeDataFeed: 'true' } : {},
      version: seq,
      size: size_bytes,
      numFiles: 1,
      accessModes: ['url'],
    },
  };
}

function schemaString({ columns }: Table): string {
  const fields = columns.map(({ name, kind, nullable, description, decimals }) => ({
    name,
    type: decimals === undefined ? TYPES[kind] : `decimal(${DECIMAL_DIGITS},${decimals})`,
    nullable,
    metadata: { comment: description },
  }));
  return JSON.stringify({ type: 'struct', fields });
}

/** An address of a file, which works until then. */
export interface FileAddress {
  readonly url: string;
  readonly expires_at: Instant;
}

/**
 * The line about the single file of a table. Its id is the digest: a file with the same bytes has the same id in every
 * version.
 */
export function fileFields(
  { sha256, size_bytes }: Pick<StoredTable, 'sha256' | 'size_bytes'>,
  { seq, snapshot }: ChosenVersion,
  { url, expires_at }: FileAddress,
) {
  return {
    url,
    id: sha256,
    partitionValues: {},
    size: size_bytes,
    version: seq,
    timestamp: toMs(snapshot.generated_at),
    expirationTimestamp: toMs(expires_at),
  };
}

/**
 * The statistics of a file as JSON: its number of rows, and the statistics of its columns from the snapshot's digests.
 */
export function statistics(table: Table, row_count: number, digest: TableDigest | undefined): string {
  if (digest === undefined) return JSON.stringify({ numRecords: row_count });
  const of = new Map(digest.columns.map((column) => [column.name, column]));
  const ends = (side: 'least' | 'greatest'): string =>
    membersOf(table, ({ name, kind }) => valueText(of.get(name)?.[side], kind));
  const nulls = membersOf(table, ({ name, nullable }) => (nullable ? of.get(name)?.nulls : '0'));
  const members = [
    `"numRecords":${row_count}`,
    `"minValues":{${ends('least')}}`,
    `"maxValues":{${ends('greatest')}}`,
    `"nullCount":{${nulls}}`,
  ];
  return `{${members.join(',')}}`;
}

type Column = Table['columns'][number];

function membersOf({ columns }: Table, textOf: (column: Column) => ColumnDigest['sum']): string {
  return columns
    .flatMap((column) => {
      const text = textOf(column) ?? null;
      return text === null ? [] : `${JSON.stringify(column.name)}:${text}`;
    })
    .join(',');
}

function valueText(value: string | null | undefined, kind: FieldKind): string | null {
  if (value === null || value === undefined) return null;
  if (BARE.includes(kind)) return value;
  return JSON.stringify(kind === 'timestamp' ? formatInstant(BigInt(value)) : value);
}
