/** Reads CSV of RFC 4180: a cell without quotes and text is null, `""` is an empty text. */
import { type BrokenRow, type RowText, cellsOfRow, rowTexts } from './csv-rows.ts';
import { utf8Bytes } from './encodings.ts';
import type { Encoding } from '../staging/mode.ts';
import { CsvBroken, type CsvCells, type CsvRow } from '../staging/row.ts';
import { isWholeText } from './whole-rows.ts';

// Without a limit, an unclosed quote would read the rest of the file into memory. A document in a cell fits.
const MAX_ROW_BYTES = 64 * 1024 * 1024;
const MAX_HEADER_CHARACTERS = 64 * 1024;
/** The possible separators of cells. The most frequent separator in the header counts; a comma if the header has no separator. */
const SEPARATORS = [',', ';', '\t'];
const SEPARATOR_LINE = /^"?sep=[^"]?"?\r?$/i;

/**
 * Yields the rows, header first, as many at once as a piece of the file has; each with any number of cells. Cells are separated
 * as in the header: by commas, semicolons or tabs. Throws `CsvBroken` at a wrong quote, and at a carriage return alone.
 */
export async function* readCsv(
  file: AsyncIterable<Buffer>,
  encoding: Encoding | null = null,
  max_row_bytes = MAX_ROW_BYTES,
): AsyncGenerator<readonly CsvRow[]> {
  const text = utf8Bytes(file, encoding);
  try {
    yield* rowsOf(await readDelimiter(text), max_row_bytes);
  } finally {
    await text.return(undefined);
  }
}

interface Delimited {
  readonly delimiter: string;
  readonly bytes: AsyncIterable<Buffer>;
}

async function* rowsOf(
  { delimiter, bytes }: Delimited,
  max_row_bytes: number,
): AsyncGenerator<readonly CsvRow[]> {
  let line = 1;
  let header: CsvCells = [];
  const rowOf = ({ text, isCut }: RowText): CsvRow => {
    const read = cellsOfRow(text, delimiter);
    if ('broken' in read) {
      const why = isCut && read.broken === 'open quote' ? 'too long' : read.broken;
      throw brokenRow(line, why, header[read.index]);
    }
    if (isCut) throw brokenRow(line, 'too long', header[read.cells.length - 1]);
    const { cells } = read;
    if (line === 1) header = cells;
    const row = { line, cells, isWhole: isWholeText(text) };
    line += 1 + newlines(text);
    return row;
  };
  for await (const texts of rowTexts(bytes, max_row_bytes)) {
    const rows: CsvRow[] = [];
    try {
      for (const each of texts) rows.push(rowOf(each));
    } catch (error) {
      yield rows;
      throw error;
    }
    yield rows;
  }
}

/** The separator of the header's cells, and all bytes again. */
async function readDelimiter(text: AsyncGenerator<Buffer>): Promise<Delimited> {
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
  return { delimiter, bytes: all() };
}

function returnAlone(line: number): CsvBroken {
  const expected =
    'lines that end with a line feed; here a carriage return stands alone, as in "CSV (Macintosh)": save the file as CSV UTF-8';
  return new CsvBroken(line, expected, null);
}

function brokenRow(line: number, why: BrokenRow | 'too long', column: string | null = null): CsvBroken {
  return why === 'return alone' ? returnAlone(line) : new CsvBroken(line, BROKEN[why], null, column);
}

function newlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

const BROKEN: Readonly<Record<Exclude<BrokenRow, 'return alone'> | 'too long', string>> = {
  'open quote': 'a closing quote before the end of the file',
  'text after a quote':
    'a comma or the end of the row after a closing quote; a quote within a cell is doubled',
  'quote within text':
    'a quote only at the beginning of a cell; a cell with quotes in it is quoted and they are doubled',
  'too long': `a row of at most ${MAX_ROW_BYTES} characters; is a quote left open?`,
};
