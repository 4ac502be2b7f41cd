/** Reads newline-delimited JSON: an object on each line. The fields of the first object are the columns. */
import { StringDecoder } from 'node:string_decoder';
import { RAW_JSON } from '../../format.ts';
import { CsvBroken, type CsvRow } from '../staging/row.ts';
import type { Encoding } from '../staging/mode.ts';
import { utf8Bytes } from './encodings.ts';
import { repeatedKey } from './json-keys.ts';

// Without a limit, a file without line ends would be read into memory.
const MAX_LINE_CHARACTERS = 64 * 1024 * 1024;

/**
 * Yields the fields of the first object as a header, then the rows, some at once; an empty line is an empty row. Throws
 * `CsvBroken` at a line that is no object, has other fields, has a key twice, or is too long.
 */
export async function* readNdjson(
  source: AsyncIterable<Buffer>,
  encoding: Encoding | null = null,
  max_line_characters = MAX_LINE_CHARACTERS,
): AsyncGenerator<readonly CsvRow[]> {
  const rowsOf = rowReader();
  for await (const lines of linesOf(utf8Bytes(source, encoding), max_line_characters)) {
    const rows: CsvRow[] = [];
    try {
      for (const line of lines) rows.push(...rowsOf(line));
    } catch (error) {
      yield rows;
      throw error;
    }
    yield rows;
  }
}

/** Returns the reader of the next line: it is a row, the first one also the header. */
function rowReader(): (text: string) => readonly CsvRow[] {
  // A set, because a line can have hundreds of thousands of keys.
  let columns: ReadonlySet<string> | null = null;
  let line = 0;
  return (text) => {
    line += 1;
    if (text.trim() === '') return columns === null ? [] : [{ line, cells: [] }];
    const fields = parseLine(text, line);
    if (columns !== null) return [rowOf(fields, columns, line)];
    columns = new Set(Object.keys(fields));
    return [{ line: 1, cells: [...columns] }, rowOf(fields, columns, line)];
  };
}

type Fields = Readonly<Record<string, unknown>>;

function rowOf(fields: Fields, columns: ReadonlySet<string>, line: number): CsvRow {
  const strange = Object.keys(fields).find((name) => !columns.has(name));
  if (strange !== undefined) {
    const expected = `the fields of the first line, without ${strange}; write an absent value as null`;
    throw new CsvBroken(line, expected, null);
  }
  const cells: (string | null)[] = [];
  const numbers = new Set<number>();
  const nested = new Set<number>();
  for (const name of columns) {
    const value = Object.hasOwn(fields, name) ? fields[name] : null;
    if (isNumber(value)) numbers.add(cells.length);
    else if (typeof value === 'object' && value !== null) nested.add(cells.length);
    cells.push(cellOf(value));
  }
  return { line, cells, numbers, ...(nested.size > 0 && { nested }) };
}

async function* linesOf(
  bytes: AsyncIterable<Buffer>,
  max_characters: number,
): AsyncGenerator<readonly string[]> {
  const decoder = new StringDecoder('utf8');
  let line = 1;
  let text = '';
  for await (const chunk of bytes) {
    const lines: string[] = [];
    // Only the new text is split: splitting a long line again with each chunk would copy it each time.
    for (const [index, part] of decoder.write(chunk).split('\n').entries()) {
      if (index > 0) {
        lines.push(text);
        line += 1;
        text = '';
      }
      text += part;
      if (text.length > max_characters) {
        yield lines;
        throw new CsvBroken(line, `lines of at most ${max_characters} characters`, null);
      }
    }
    yield lines;
  }
  const last = text + decoder.end();
  // Behind the end of the last line there is no further line.
  if (last !== '') yield [last];
}

/** The fields. A number keeps the digits of the file, because a JavaScript number would lose digits of a large one. */
function parseLine(text: string, line: number): Fields {
  const read = parsed(text, line);
  if (typeof read !== 'object' || read === null || Array.isArray(read) || isNumber(read))
    throw new CsvBroken(line, 'one JSON object on each line', null);
  const key = repeatedKey(text);
  if (key !== null) {
    throw new CsvBroken(
      line,
      `objects that have each key once; ${JSON.stringify(key)} stands twice`,
      null,
      key,
    );
  }
  return read as Fields;
}

function parsed(text: string, line: number): unknown {
  try {
    // To look at each value takes several times as long as to parse the line.
    if (!OTHER_DIGITS.test(text)) return JSON.parse(text);
    return JSON.parse(text, (_, value: unknown, { source }: { source?: string } = {}) =>
      typeof value === 'number' ? RAW_JSON.rawJSON(source ?? String(value)) : value,
    );
  } catch (error) {
    throw new CsvBroken(line, 'one JSON object on each line', error);
  }
}

/** Finds every number that JavaScript may write with other digits: long, with an exponent, a zero at its end, or a minus zero. */
const OTHER_DIGITS = /[:,[]\s*(?:-?(?:[\d.]{16}|[\d.]+[eE]|0\.00000|\d+\.\d*0(?=\s*[,}\]]))|-0(?=\s*[,}\]]))/;

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || RAW_JSON.isRawJSON(value);
}

function cellOf(value: unknown): string | null {
  if (value === null) return null;
  if (RAW_JSON.isRawJSON(value)) return value.rawJSON;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
