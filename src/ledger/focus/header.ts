/** The header of a FOCUS file: its version, the columns that are read, and what people should know of the others. */
import type { CsvRow } from '../staging/row.ts';
import type { LoadFaults } from '../staging/faults.ts';
import { USAGE_COLUMNS } from '../../focus/usage-columns.ts';
import { isEmpty } from './cells.ts';
import { FOCUS_NAMES, INCOMPLETE_EXPORTS, versionOf } from './versions.ts';

/** The columns that incomplete exports have in place of `Tags`. */
const TAG_LISTS = INCOMPLETE_EXPORTS.flatMap(({ tags }) => tags);

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
  ...TAG_LISTS,
  ...USAGE_COLUMNS,
];
/** Columns of JSON, which a Parquet file has as objects. */
const NESTED = ['SkuPriceDetails', ...TAG_LISTS];
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
  const marks = INCOMPLETE_EXPORTS.flatMap((each) => each.marks);
  const known = new Map([...FOCUS_NAMES, ...marks, ...read].map((name) => [name.toLowerCase(), name]));
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
  /** True if the tags of a charge stand in several lists, of which the last that has a key counts. */
  readonly joinsTags: boolean;
  /** The name in the file of a column of FOCUS. */
  readonly inFile: (column: string) => string;
  /** The name of the export if it says of no charge whether it is AI; null for any other. */
  readonly withoutCategory: string | null;
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
    const name = cells[fault.index ?? -1] ?? null;
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
  const { version, unknown, incomplete } = found;
  const indexes = new Map(columns.map((column, index) => [column, index]));
  const ownCell = (row: CsvRow, column: string): string | null => {
    const cell = row.cells[indexes.get(column) ?? -1] ?? null;
    return isEmpty(cell) ? null : cell;
  };
  const lists = indexes.has('Tags') ? [] : (incomplete?.tags ?? []);
  const cellOf = (row: CsvRow) => (column: string) =>
    column === 'Tags' && lists.length > 0
      ? joined(lists.map((list) => ownCell(row, list)))
      : ownCell(row, column);
  const renamed = names.filter((name, index) => name !== columns[index]);
  const notes: string[] = [];
  if (renamed.length > 0) {
    const [first = ''] = renamed;
    const count = `${renamed.length} ${renamed.length === 1 ? 'column' : 'columns'}`;
    notes.push(`${file}: read ${count} by a name in another case, such as ${first} as ${nameOf(first)}`);
  }
  if (unknown.length > 0)
    notes.push(`${file}: did not read ${shownNames(unknown)}, which FOCUS does not have`);
  const inFile = (column: string): string => names[indexes.get(column) ?? -1] ?? column;
  const lacks = incomplete?.lacks ?? [];
  const plain = new Set(
    columns.flatMap((column, index) =>
      read.has(column) && ![...NESTED, ...lacks, ...claiming].includes(column) ? [index] : [],
    ),
  );
  const withoutCategory = lacks.includes('ServiceCategory') ? (incomplete?.name ?? null) : null;
  return { names, version, notes, plain, cellOf, joinsTags: lists.length > 0, inFile, withoutCategory };
}

/** Lists of JSON as one. Of a key that stands twice, the last value counts. */
function joined(lists: readonly (string | null)[]): string | null {
  const entries = lists.flatMap((list) => /^\s*\[(.*\S)\s*\]\s*$/s.exec(list ?? '')?.[1] ?? []);
  return entries.length === 0 ? null : `[${entries.join(',')}]`;
}

function shownNames(names: readonly string[]): string {
  const more = names.length - SHOWN_NAMES;
  return `${names.slice(0, SHOWN_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
