/** Reads CSV of RFC 4180 row by row: a cell without quotes and text is null, `""` is an empty text. */
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { utf8Bytes } from '../sources/encodings.ts';
import type { Encoding } from './mode.ts';
import { CsvBroken, type CsvCells, type CsvRow } from '../sources/row.ts';

// Without a limit, an unclosed quote would read the rest of the file into memory. A document in a cell fits.
const MAX_ROW_CHARACTERS = 64 * 1024 * 1024;
const MAX_HEADER_CHARACTERS = 64 * 1024;
/** The possible separators of cells. The most frequent separator in the header counts; a comma if the header has no separator. */
const SEPARATORS = [',', ';', '\t'];
const SEPARATOR_LINE = /^"?sep=[^"]?"?\r?$/i;

/**
 * Yields the rows, header first, with any number of cells. Cells are separated as in the header: by commas, semicolons or
 * tabs. Throws `CsvBroken` at a wrong quote, and at a carriage return alone.
 */
export async function* readCsv(
  file: AsyncIterable<Buffer>,
  encoding: Encoding | null = null,
): AsyncGenerator<CsvRow> {
  const { delimiter, bytes } = await readDelimiter(utf8Bytes(file, encoding));
  // The parser runs ahead of the reader of its rows. Lines are counted where it stands, so that an error names its own.
  let line = 1;
  const begins: number[] = [];
  let header: CsvCells = [];
  const rows = bytes.pipe(
    parse({
      delimiter,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      max_record_size: MAX_ROW_CHARACTERS,
      cast: (text, context) => {
        if (context.quoting) return text;
        if (text.includes('\r')) throw returnAlone(line);
        return text === '' ? null : text;
      },
      on_record: (cells) => {
        if (line === 1) header = cells;
        begins.push(line);
        line += 1;
        for (const cell of cells as CsvCells) line += newlines(cell);
        return cells;
      },
    }),
  );
  bytes.on('error', (error) => rows.destroy(error));
  try {
    for await (const cells of rows as AsyncIterable<CsvCells>) yield { line: begins.shift() ?? line, cells };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const place = typeof error['column'] === 'number' ? error['column'] : null;
    const column = place === null ? null : (header[place] ?? null);
    throw new CsvBroken(line, BROKEN[error.code] ?? error.message, error, column);
  } finally {
    bytes.destroy();
  }
}

/** The separator of the header's cells, and all bytes again. */
async function readDelimiter(
  text: AsyncGenerator<Buffer>,
): Promise<{ readonly delimiter: string; readonly bytes: Readable }> {
  const head: Buffer[] = [];
  let start = '';
  while (!start.includes('\n') && start.length < MAX_HEADER_CHARACTERS) {
    const { value, done } = await text.next();
    if (done === true) break;
    head.push(value);
    start += value.toString('latin1');
  }
  const [header = ''] = start.replaceAll(/"[^"]*"/g, '').split('\n', 1);
  if (!start.includes('\n') && header.slice(0, -1).includes('\r')) throw returnAlone(1);
  if (SEPARATOR_LINE.test(start.split('\n', 1)[0] ?? '')) {
    const expected =
      'the names of the columns: delete the line that begins with sep=, which only Excel reads';
    throw new CsvBroken(1, expected, null);
  }
  const count = (separator: string): number => header.split(separator).length;
  const delimiter = SEPARATORS.toSorted((a, b) => count(b) - count(a))[0] ?? ',';
  async function* all(): AsyncGenerator<Buffer> {
    yield* head;
    yield* text;
  }
  return { delimiter, bytes: Readable.from(all()) };
}

function returnAlone(line: number): CsvBroken {
  const expected =
    'lines that end with a line feed; here a carriage return stands alone, as in "CSV (Macintosh)": save the file as CSV UTF-8';
  return new CsvBroken(line, expected, null);
}

function newlines(cell: string | null): number {
  let count = 0;
  for (let at = cell?.indexOf('\n') ?? -1; at !== -1; at = cell?.indexOf('\n', at + 1) ?? -1) count += 1;
  return count;
}

const BROKEN: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a closing quote before the end of the file',
  CSV_INVALID_CLOSING_QUOTE:
    'a comma or the end of the row after a closing quote; a quote within a cell is doubled',
  INVALID_OPENING_QUOTE:
    'a quote only at the beginning of a cell; a cell with quotes in it is quoted and they are doubled',
  CSV_MAX_RECORD_SIZE: `a row of at most ${MAX_ROW_CHARACTERS} characters; is a quote left open?`,
};
