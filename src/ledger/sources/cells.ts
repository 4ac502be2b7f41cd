/** How the cells of a column are read from a file, before the database types them. */
import type { LoadColumn, LoadTable } from '../staging/load-table.ts';
import type { DecimalSign } from '../staging/mode.ts';
import { SOURCE_REF } from '../staging/spellings.ts';
import { centsOf, centsOfNumber, decimalOf, plainNumber } from './decimals.ts';
import { repeatedKey } from './json-keys.ts';
import { dayOfMonth } from './months.ts';
import { isBlank } from './whole-rows.ts';

/** A cell as it is staged; or, for a text that cannot be read, what was expected. */
export type ReadCell = string | null | { readonly expected: string };

/** The types whose values may have decimals. */
const DECIMALS = /^(?:numeric|double precision)/;
const INTEGERS = /^(?:bigint|integer)$/;
/** The limit of a text that names a row: PostgreSQL keeps it in an index, whose entries have at most 2,704 bytes. */
export const MAX_INDEXED_BYTES = 2_000;
/** What may be a number with groups or a comma. The database tells of every other text whether it is a number. */
const DIGITS = /^-?[\d.,]+$/;

/** Returns the reader of a column; `isAmount` for a column of cents that the file has as amounts with decimals. */
export function cellReader(
  table: LoadTable,
  column: LoadColumn,
  { isAmount, decimal }: { readonly isAmount: boolean; readonly decimal: DecimalSign | null },
): (cell: string, isNumber: boolean) => ReadCell {
  // A required text may be `""`; nothing else can be meant by blanks.
  const canBeBlank = column.base === 'text' && column.notNull && column.default === null;
  const read = typedReader(table, column, { isAmount, decimal });
  return (cell, isNumber) => (!canBeBlank && isBlank(cell) ? null : read(cell, isNumber));
}

function typedReader(
  table: LoadTable,
  column: LoadColumn,
  { isAmount, decimal }: { readonly isAmount: boolean; readonly decimal: DecimalSign | null },
): (cell: string, isNumber: boolean) => ReadCell {
  if (isAmount) {
    return (cell, isNumber) => {
      const read = isNumber ? centsOfNumber(cell) : centsOf(cell, decimal);
      return 'expected' in read ? read : read.cents;
    };
  }
  if (column.base === 'date') return (cell) => dayOfMonth(column.name, cell);
  // Published rates always have a point and no groups: --decimal is about the other files.
  if (DECIMALS.test(column.base) && table.name !== 'euro_reference_rates') {
    return (cell, isNumber) => {
      if (isNumber) return plainNumber(cell);
      if (!DIGITS.test(cell)) return cell;
      const read = decimalOf(cell, decimal);
      return 'expected' in read ? read : read.number;
    };
  }
  // Programs write 1200.0 for a whole number that was calculated.
  if (INTEGERS.test(column.base))
    return (cell, isNumber) => (isNumber ? plainNumber(cell).replace(/\.0+$/, '') : cell);
  if (holdsJson(column)) return readJson;
  const trimmed = namesByRef(table, column.name)
    ? (cell: string): string => cell.trim()
    : (cell: string): string => cell;
  if (!isIndexed(table, column)) return trimmed;
  return (cell) =>
    Buffer.byteLength(cell) > MAX_INDEXED_BYTES
      ? { expected: `a text of at most ${MAX_INDEXED_BYTES} bytes: a row is found again by it` }
      : trimmed(cell);
}

/** True for a text by which a row is found again. */
function isIndexed(table: LoadTable, { name, base }: LoadColumn): boolean {
  const unique = new Set([table.key, ...table.uniques.map(({ columns }) => columns)].flat());
  return (
    base === 'text' &&
    (namesByRef(table, name) || name === 'vendor_name' || unique.has(name) || unique.has(`${name}_key`))
  );
}

/** True for a column of JSON, which alone may hold an object or a list. */
export function holdsJson({ base, json }: LoadColumn): boolean {
  return json || base === 'jsonb';
}

/** True for a column with names that `source_ref` gives: blanks at their ends, which spreadsheets add, do not count. */
function namesByRef(table: LoadTable, name: string): boolean {
  return (
    name === SOURCE_REF ||
    name === 'load_ref' ||
    table.spellings.some((spelling) => spelling.name === name && spelling.by === 'load_ref')
  );
}

function readJson(cell: string): ReadCell {
  const key = repeatedKey(cell);
  return key === null
    ? cell
    : { expected: `JSON whose objects have each key once; ${JSON.stringify(key)} stands twice` };
}
