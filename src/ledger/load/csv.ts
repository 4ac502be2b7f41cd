/** Reads CSV of RFC 4180 row by row: a cell without quotes and text is null, `""` is an empty text. */
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { watchUtf8 } from './utf8.ts';

// Without a limit, an unclosed quote would read the rest of the file into memory. A document in a cell fits.
const MAX_ROW_CHARACTERS = 64 * 1024 * 1024;
const MAX_HEADER_CHARACTERS = 64 * 1024;
/** The possible separators of cells. The most frequent separator in the header counts; a comma if the header has no separator. */
const SEPARATORS = [',', ';', '\t'];
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

/**
 * Yields the rows, header first, with any number of cells. Cells are separated as in the header: by commas, semicolons or
 * tabs. Throws `CsvBroken` at a wrong quote.
 */
export async function* readCsv(file: Readable): AsyncGenerator<CsvRow> {
  const malformed = new Set<number>();
  const watched = file.pipe(watchUtf8(malformed));
  // pipe() passes on data, not errors.
  file.on('error', (error) => watched.destroy(error));
  let line = 1;
  try {
    const { delimiter, bytes } = await readDelimiter(watched);
    const rows = bytes.pipe(
      parse({
        bom: true,
        delimiter,
        record_delimiter: ['\r\n', '\n'],
        relax_column_count: true,
        max_record_size: MAX_ROW_CHARACTERS,
        cast: (text, context) => (text === '' && !context.quoting ? null : text),
      }),
    );
    bytes.on('error', (error) => rows.destroy(error));
    for await (const cells of rows as AsyncIterable<(string | null)[]>) {
      const end = line + cells.reduce((count, cell) => count + newlines(cell), 0);
      yield { line, cells, malformed: malformedCell(cells, malformed, line, end) };
      line = end + 1;
    }
  } catch (error) {
    if (isZlibError(error)) throw new CsvBroken(line, 'a whole gzip file', error);
    if (!(error instanceof CsvError)) throw error;
    throw new CsvBroken(line, BROKEN[error.code] ?? error.message, error);
  } finally {
    file.destroy();
  }
}

/** The separator of the header's cells, and all bytes again. */
async function readDelimiter(watched: Readable): Promise<{ delimiter: string; bytes: Readable }> {
  const chunks = watched[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const head: Buffer[] = [];
  let text = '';
  while (!text.includes('\n') && text.length < MAX_HEADER_CHARACTERS) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    head.push(value);
    text += value.toString('latin1');
  }
  const [header = ''] = text.replaceAll(/"[^"]*"/g, '').split('\n', 1);
  const count = (separator: string): number => header.split(separator).length;
  const delimiter = SEPARATORS.toSorted((a, b) => count(b) - count(a))[0] ?? ',';
  async function* all(): AsyncGenerator<Buffer> {
    yield* head;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  return { delimiter, bytes: Readable.from(all()) };
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
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
