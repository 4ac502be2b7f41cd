/** Reads a CSV file of RFC 4180 row by row: an empty cell is null, `""` is an empty text. */
import { createReadStream } from 'node:fs';
import { CsvError, parse } from 'csv-parse';
import { watchUtf8 } from './utf8.ts';

// Without a limit, an unclosed quote would read the rest of the file into memory. A document in a cell fits.
const MAX_ROW_CHARACTERS = 64 * 1024 * 1024;
const REPLACEMENT = '\uFFFD';

export interface CsvRow {
  /** The line on which the row begins; the header is on line 1. */
  readonly line: number;
  readonly cells: readonly (string | null)[];
  /** The index of the first cell that is not UTF-8; its text shows U+FFFD there. */
  readonly malformed: number | null;
}

/** The file is not CSV from some row on. */
export class CsvBroken extends Error {
  readonly line: number;

  constructor(line: number, message: string, cause: unknown) {
    super(message, { cause });
    this.line = line;
  }
}

/** Yields the rows of a file, header first, with any number of cells. Throws `CsvBroken` at a wrong quote. */
export async function* readCsv(path: string): AsyncGenerator<CsvRow> {
  const malformed = new Set<number>();
  const file = createReadStream(path);
  const bytes = file.pipe(watchUtf8(malformed));
  const rows = bytes.pipe(
    parse({
      bom: true,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      max_record_size: MAX_ROW_CHARACTERS,
      cast: (text, context) => (text === '' && !context.quoting ? null : text),
    }),
  );
  // pipe() passes on data, not errors.
  file.on('error', (error) => rows.destroy(error));
  let line = 1;
  try {
    for await (const cells of rows as AsyncIterable<(string | null)[]>) {
      const end = line + cells.reduce((count, cell) => count + newlines(cell), 0);
      yield { line, cells, malformed: malformedCell(cells, malformed, line, end) };
      line = end + 1;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new CsvBroken(line, BROKEN[error.code] ?? error.message, error);
  } finally {
    file.destroy();
  }
}

function newlines(cell: string | null): number {
  let count = 0;
  for (let at = cell?.indexOf('\n') ?? -1; at !== -1; at = cell?.indexOf('\n', at + 1) ?? -1) count += 1;
  return count;
}

function malformedCell(
  cells: readonly (string | null)[],
  malformed: ReadonlySet<number>,
  from: number,
  through: number,
): number | null {
  if (malformed.size === 0 || !malformed.values().some((line) => line >= from && line <= through))
    return null;
  return cells.findIndex((cell) => cell?.includes(REPLACEMENT));
}

const BROKEN: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a closing quote before the end of the file',
  CSV_INVALID_CLOSING_QUOTE:
    'a comma or the end of the row after a closing quote; a quote within a cell is doubled',
  INVALID_OPENING_QUOTE:
    'a quote only at the beginning of a cell; a cell with quotes in it is quoted and they are doubled',
  CSV_MAX_RECORD_SIZE: `a row of at most ${MAX_ROW_CHARACTERS} characters; is a quote left open?`,
};
