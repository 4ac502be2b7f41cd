/** The header of a FOCUS file: its version, the columns that are read, and what people should know of the others. */
import type { CsvRow } from '../staging/row.ts';
import type { LoadFaults } from '../staging/faults.ts';
import { USAGE_COLUMNS } from '../../focus/usage-columns.ts';
import { isEmpty } from './cells.ts';
import { FOCUS_NAMES, versionOf } from './versions.ts';

/** The columns that are read in every file, besides those of the mapping. */
const READ = [
  'BilledCost',
  'BillingAccountId',
  'BillingAccountName',
  'BillingCurrency',
  'BillingPeriodEnd',
  'BillingPeriodStart',
  'ChargePeriodEnd',
  'ChargePeriodStart',
  'InvoiceIssuerName',
  'ProviderName',
  'PublisherName',
  'ServiceCategory',
  'ServiceProviderName',
  'Tags',
  'x_SnapshotId',
  ...USAGE_COLUMNS,
];
/** Columns of JSON, which a Parquet file has as objects. */
const NESTED = ['SkuPriceDetails'];
/** The limit of names in a line for people. */
const SHOWN_NAMES = 10;

/** The names that columns may have in letters of any case: Athena writes only small ones. */
export interface ColumnNames {
  /** The name as FOCUS or the mapping writes it; a name that neither has is returned as it is. */
  readonly nameOf: (column: string) => string;
  /** The names of the columns that are read. */
  readonly read: ReadonlySet<string>;
  /** The names of those that say which initiative a charge belongs to. */
  readonly claiming: readonly string[];
}

export function columnNames(mapped: readonly string[]): ColumnNames {
  const read = new Set([...READ, ...mapped]);
  const known = new Map([...FOCUS_NAMES, ...read].map((name) => [name.toLowerCase(), name]));
  const nameOf = (column: string): string =>
    read.has(column) ? column : (known.get(column.trim().toLowerCase()) ?? column);
  return { nameOf, read, claiming: ['Tags', ...mapped] };
}

export interface Columns {
  /** The names as the file has them. */
  readonly names: readonly string[];
  readonly version: string;
  /** What people should know of the columns. */
  readonly notes: readonly string[];
  /** The indexes of the columns that are read and hold plain values: any but the tags and those of the mapping. */
  readonly plain: ReadonlySet<number>;
  /** The cell of a column; null for an empty one. */
  readonly cellOf: (row: CsvRow) => (column: string) => string | null;
  /** The name in the file of a column of FOCUS. */
  readonly inFile: (column: string) => string;
}

/** Reads the header; null if it has faults, which are added. */
export function readColumns(
  file: string,
  { cells, fault }: CsvRow,
  { nameOf, read, claiming }: ColumnNames,
  faults: LoadFaults,
): Columns | null {
  const names = cells.map((cell) => cell ?? '');
  if (fault !== undefined) {
    const name = cells[fault.place ?? -1] ?? null;
    faults.add({ file, line: 1, column: name, value: name, expected: fault.expected });
    return null;
  }
  const columns = names.map(nameOf);
  const found = versionOf(columns, claiming);
  if ('faults' in found) {
    for (const { column, expected } of found.faults)
      faults.add({ file, line: 1, column, value: columns.includes(column) ? column : null, expected });
    return null;
  }
  const indexes = new Map(columns.map((column, index) => [column, index]));
  const cellOf = (row: CsvRow) => (column: string) => {
    const cell = row.cells[indexes.get(column) ?? -1] ?? null;
    return isEmpty(cell) ? null : cell;
  };
  const renamed = names.filter((name, index) => name !== columns[index]);
  const notes: string[] = [];
  if (renamed.length > 0) {
    const [first = ''] = renamed;
    const count = `${renamed.length} ${renamed.length === 1 ? 'column' : 'columns'}`;
    notes.push(`${file}: read ${count} by a name in another case, such as ${first} as ${nameOf(first)}`);
  }
  if (found.unknown.length > 0)
    notes.push(`${file}: did not read ${shownNames(found.unknown)}, which FOCUS does not have`);
  const inFile = (column: string): string => names[indexes.get(column) ?? -1] ?? column;
  const plain = new Set(
    columns.flatMap((column, index) =>
      read.has(column) && ![...NESTED, ...claiming].includes(column) ? [index] : [],
    ),
  );
  return { names, version: found.version, notes, plain, cellOf, inFile };
}

function shownNames(names: readonly string[]): string {
  const more = names.length - SHOWN_NAMES;
  return `${names.slice(0, SHOWN_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
