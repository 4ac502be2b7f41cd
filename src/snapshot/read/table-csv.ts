/**
 * A table as CSV (RFC 4180, UTF-8), made from the bytes that were audited. It is written for programs: every value is
 * what the Parquet file holds, an empty text is told from no value by its quotes, as PostgreSQL's COPY reads it.
 * A spreadsheet needs two things more, which would be wrong in data and so have to be asked for: a byte order mark,
 * without which Excel takes UTF-8 for an old encoding, and an apostrophe before texts that it would run as a formula.
 */
import { utcDay } from '../../figures/calendar.ts';
import { type ParquetSource, readColumns, type StoredValue } from '../../parquet/read-columns.ts';
import type { Column, Table } from '../../tables/table.ts';
import { formatInstant } from '../../time.ts';

const BYTE_ORDER_MARK = '\u{FEFF}';
/**
 * What begins a formula or a command in a spreadsheet, `|` among them and the full-width forms, alone or after characters
 * that it skips: blanks of every kind, control characters and characters without a width.
 */
const FORMULA = /^[\s\p{Cc}\p{Cf}\p{Z}]*[=+\-@|\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u;
const NEEDS_QUOTES = /[",\r\n]|^$/;
const DAY_MICROSECONDS = 86_400_000_000n;
/** Rows to a piece of the answer; so many take a few milliseconds. */
const CHUNK_ROWS = 512;

export interface CsvOptions {
  readonly forSpreadsheets: boolean;
}

/** The bytes of the table, a few hundred rows at a time. */
export async function* tableCsv(
  source: ParquetSource,
  table: Table,
  { forSpreadsheets }: CsvOptions,
  turn: () => Promise<void>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const names = table.columns.map(({ name }) => name);
  yield encoder.encode(`${forSpreadsheets ? BYTE_ORDER_MARK : ''}${names.join(',')}\r\n`);
  const cells = table.columns.map((column) => cellOf(column, forSpreadsheets));
  for await (const { rows, columns } of readColumns(source, names, turn)) {
    for (let row = 0; row < rows;) {
      let text = '';
      for (const end = Math.min(row + CHUNK_ROWS, rows); row < end; row += 1) {
        text += `${columns.map((values, place) => cells[place]?.(values[row]) ?? '').join(',')}\r\n`;
      }
      yield encoder.encode(text);
      await turn();
    }
  }
}

/** How the values of a column stand in a cell. */
function cellOf({ kind }: Column, forSpreadsheets: boolean): (value: StoredValue) => string {
  const shown: (value: NonNullable<StoredValue>) => string = {
    date: (value: NonNullable<StoredValue>) => utcDay(BigInt(value) * DAY_MICROSECONDS),
    timestamp: (value: NonNullable<StoredValue>) => formatInstant(BigInt(value)),
    number: String,
    integer: String,
    boolean: String,
    id: String,
    cents: String,
    string: textCell,
    text: textCell,
    json: textCell,
  }[kind];
  return (value) => (value === null || value === undefined ? '' : shown(value));

  function textCell(value: NonNullable<StoredValue>): string {
    const text = String(value);
    const safe = forSpreadsheets && FORMULA.test(text) ? `'${text}` : text;
    return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  }
}
