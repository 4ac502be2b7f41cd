/**
 * A table as CSV (RFC 4180, UTF-8), made from the audited bytes. By default it is for programs: every value is that of the
 * Parquet file, and quotes distinguish an empty text from no value, as in PostgreSQL's COPY. On request it is for
 * spreadsheets, with two additions that would be wrong in data: a byte order mark, without which Excel misreads UTF-8,
 * and an apostrophe before a text that a spreadsheet would run as a formula. A sheet for people has other heads, amounts
 * with decimals, days, and titles beside ids, too.
 */
import { utcDay } from '../../figures/calendar.ts';
import type { StoredValue } from '../../parquet/column-pages.ts';
import type { ParquetSource } from '../../parquet/open-file.ts';
import { readColumns } from '../../parquet/read-columns.ts';
import type { Column, Table } from '../../tables/table.ts';
import { DAY } from '../../instant.ts';
import { formatInstant } from '../../time.ts';
import { CENT_DIGITS, decimalText, namesIn, type Sheet, sheetMoment } from './sheet-cells.ts';

const BYTE_ORDER_MARK = '\u{FEFF}';
/**
 * Text that a spreadsheet may run as a formula or a command: it begins with `=`, `+`, `-`, `@`, `|` or a full-width form,
 * also after characters that a spreadsheet skips: white space, control characters and zero-width characters.
 */
const FORMULA = /^[\s\p{Cc}\p{Cf}\p{Z}]*[=+\-@|\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u;
const NEEDS_QUOTES = /[",\r\n]|^$/;
/** Rows in one piece of the response; converting them takes a few milliseconds. */
const CHUNK_ROWS = 512;

export interface CsvOptions {
  readonly forSpreadsheets: boolean;
  /** For people: as the pages show the table. */
  readonly sheet?: Sheet | undefined;
  /** Which columns, in this order; all columns if omitted. */
  readonly columns?: readonly string[];
  /**
   * A column that the file does not have: its name in `columns`, which may lack it (it is then the last), its head, and its cell of
   * a row by the number of the row in the file.
   */
  readonly beside?: {
    readonly name: string;
    readonly head: string;
    readonly cellOf: (row: number) => string;
  };
  /** The numbers of the rows, ascending; all rows if omitted. */
  readonly rows?: Uint32Array;
  /** The same numbers in the order of the lines; the order of the file if omitted. Then all lines are in memory at once. */
  readonly order?: Uint32Array;
}

/** The bytes of the table, a few hundred rows at a time. */
export async function* tableCsv(
  source: ParquetSource,
  table: Table,
  options: CsvOptions,
  turn: () => Promise<void>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { forSpreadsheets, rows: only, order } = options;
  const encoder = new TextEncoder();
  const { names, writers } = columnsOf(table, options);
  const heads = writers.map(({ head }) => head);
  yield encoder.encode(headLine(heads, forSpreadsheets));
  const held = order === undefined ? null : new Map<number, string>();
  let first = only?.[0] ?? 0;
  let next = 0;
  const to = only === undefined ? Infinity : (only.at(-1) ?? -1) + 1;
  for await (const { rows, columns } of readColumns(source, names, turn, { from: first, to })) {
    let text = '';
    let written = 0;
    for (let row = 0; row < rows; row += 1) {
      if (only !== undefined && only[next] !== first + row) continue;
      next += 1;
      written += 1;
      const cells = writers.map(({ index, cell }) => cell(columns[index]?.[row], first + row)).join(',');
      if (held === null) text += `${cells}\r\n`;
      else held.set(first + row, `${cells}\r\n`);
      if (written < CHUNK_ROWS) continue;
      if (held === null) yield encoder.encode(text);
      await turn();
      text = '';
      written = 0;
    }
    if (text !== '') yield encoder.encode(text);
    first += rows;
  }
  if (held === null || order === undefined) return;
  for (let from = 0; from < order.length; from += CHUNK_ROWS) {
    const lines = Array.from(order.subarray(from, from + CHUNK_ROWS), (row) => held.get(row) ?? '');
    yield encoder.encode(lines.join(''));
    await turn();
  }
}

/** The columns to read, and those to write. */
function columnsOf(
  table: Table,
  { columns: chosen, beside, ...options }: CsvOptions,
): { readonly names: readonly string[]; readonly writers: readonly Written[] } {
  const wanted = chosen ?? table.columns.map(({ name }) => name);
  const named = wanted.flatMap((name) => table.columns.filter((column) => column.name === name));
  const names = named.map(({ name }) => name);
  const writers = named.map((column, index) => writtenOf(column, index, options));
  if (beside === undefined) return { names, writers: writers.flat() };
  const { head, cellOf: textOf } = beside;
  const index = wanted.includes(beside.name) ? wanted.indexOf(beside.name) : writers.length;
  const cell = (_: StoredValue, row: number): string => textCell(textOf(row), options.forSpreadsheets);
  return { names, writers: writers.toSpliced(index, 0, [{ head, index: -1, cell }]).flat() };
}

/** A column of the CSV. */
interface Written {
  readonly head: string;
  /** The index of the column of the file that its cells are made of; none has -1. */
  readonly index: number;
  /** The cell of a value, by the number of its row, too. */
  readonly cell: (value: StoredValue, row: number) => string;
}

/** The columns that are written of one column of the file; the names of its ids are the second one. */
function writtenOf(
  column: Column,
  index: number,
  { forSpreadsheets, sheet }: CsvOptions,
): readonly Written[] {
  const cell = cellOf(column, forSpreadsheets, sheet !== undefined);
  if (sheet === undefined) return [{ head: column.name, index, cell }];
  const head = sheet.headOf(column);
  const names = namesIn(column, sheet.names);
  if (names === null) return [{ head: textCell(head, true), index, cell }];
  const name = (value: StoredValue): string => textCell(names.get(value) ?? '', true);
  return [
    { head: textCell(`${head} id`, true), index, cell },
    { head: textCell(head, true), index, cell: name },
  ];
}

/** Formats the values of a column as cells. */
function cellOf(
  { kind, decimals, whole_seconds }: Column,
  forSpreadsheets: boolean,
  forPeople: boolean,
): (value: StoredValue) => string {
  const digits = decimals ?? (forPeople ? CENT_DIGITS : undefined);
  const shown: (value: NonNullable<StoredValue>) => string = {
    date: (value: NonNullable<StoredValue>) => utcDay(BigInt(value) * DAY),
    timestamp: (value: NonNullable<StoredValue>) => instantCell(formatInstant(BigInt(value))),
    number: String,
    integer: String,
    boolean: String,
    id: String,
    cents:
      digits === undefined ? String : (value: NonNullable<StoredValue>) => decimalText(BigInt(value), digits),
    string: text,
    text,
    json: text,
  }[kind];
  return (value) => (value === null || value === undefined ? '' : shown(value));

  function instantCell(instant: string): string {
    if (forPeople) return sheetMoment(instant);
    return whole_seconds === true ? instant.replace('.000000Z', 'Z') : instant;
  }

  function text(value: NonNullable<StoredValue>): string {
    return textCell(String(value), forSpreadsheets);
  }
}

/** A text as a cell. */
export function textCell(text: string, forSpreadsheets: boolean): string {
  const safe = forSpreadsheets && FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The first line of a CSV, with the byte order mark that a spreadsheet needs. */
export function headLine(names: readonly string[], forSpreadsheets: boolean): string {
  return `${forSpreadsheets ? BYTE_ORDER_MARK : ''}${names.join(',')}\r\n`;
}
