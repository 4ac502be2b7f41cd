/** Reads newline-delimited JSON: an object on each line. The fields of the first object are the columns. */
import { StringDecoder } from 'node:string_decoder';
import { CsvBroken, type CsvRow } from './row.ts';
import type { Encoding } from '../load/mode.ts';
import { utf8Bytes } from './encodings.ts';
import { repeatedKey } from './json-keys.ts';

// Without a limit, a file without line ends would be read into memory.
const MAX_LINE_CHARACTERS = 64 * 1024 * 1024;

/**
 * Yields the fields of the first object as a header, then the rows; an empty line is an empty row. Throws `CsvBroken` at a
 * line that is no object, has other fields, has a key twice, or is too long.
 */
export async function* readNdjson(
  source: AsyncIterable<Buffer>,
  encoding: Encoding | null = null,
  max_line_characters = MAX_LINE_CHARACTERS,
): AsyncGenerator<CsvRow> {
  // A set, because a line can have hundreds of thousands of keys.
  let columns: ReadonlySet<string> | null = null;
  let line = 0;
  for await (const text of linesOf(utf8Bytes(source, encoding), max_line_characters)) {
    line += 1;
    if (text.trim() === '') {
      if (columns !== null) yield { line, cells: [] };
      continue;
    }
    const fields = parseLine(text, line);
    if (columns === null) {
      columns = new Set(fields.keys());
      yield { line: 1, cells: [...columns] };
    }
    const strange = fields.keys().find((name) => columns?.has(name) !== true);
    if (strange !== undefined) {
      throw new CsvBroken(
        line,
        `the fields of the first line, without ${strange}; write an absent value as null`,
        null,
      );
    }
    const cells: (string | null)[] = [];
    const numbers = new Set<number>();
    const nested = new Set<number>();
    for (const name of columns) {
      const value = fields.get(name) ?? null;
      if (isNumber(value)) numbers.add(cells.length);
      else if (typeof value === 'object' && value !== null) nested.add(cells.length);
      cells.push(cellOf(value));
    }
    yield { line, cells, numbers, ...(nested.size > 0 && { nested }) };
  }
}

async function* linesOf(bytes: AsyncIterable<Buffer>, max_characters: number): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let line = 1;
  let text = '';
  for await (const chunk of bytes) {
    // Only the new text is split: splitting a long line again with each chunk would copy it each time.
    for (const [index, part] of decoder.write(chunk).split('\n').entries()) {
      if (index > 0) {
        yield text;
        line += 1;
        text = '';
      }
      text += part;
      if (text.length > max_characters) {
        throw new CsvBroken(line, `lines of at most ${max_characters} characters`, null);
      }
    }
  }
  const last = text + decoder.end();
  // Behind the end of the last line there is no further line.
  if (last !== '') yield last;
}

/** The fields. A number keeps the digits of the file, because a JavaScript number would lose digits of a large one. */
function parseLine(text: string, line: number): ReadonlyMap<string, unknown> {
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
  return new Map(Object.entries(read));
}

function parsed(text: string, line: number): unknown {
  try {
    return JSON.parse(text, (_, value: unknown, { source }: { source?: string } = {}) =>
      typeof value === 'number' ? RAW_JSON.rawJSON(source ?? String(value)) : value,
    );
  } catch (error) {
    throw new CsvBroken(line, 'one JSON object on each line', error);
  }
}

/** The part of `JSON` that TypeScript does not declare yet: a number that is printed with the digits of its file. */
const RAW_JSON = JSON as unknown as {
  rawJSON(text: string): { readonly rawJSON: string };
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};

function isNumber(value: unknown): value is { readonly rawJSON: string } {
  return RAW_JSON.isRawJSON(value);
}

function cellOf(value: unknown): string | null {
  if (value === null) return null;
  if (isNumber(value)) return value.rawJSON;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
