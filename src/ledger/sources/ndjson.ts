/** Reads newline-delimited JSON: an object on each line. The fields of the first object are the columns. */
import { StringDecoder } from 'node:string_decoder';
import type { Readable } from 'node:stream';
import { CsvBroken, type CsvRow } from '../load/csv.ts';
import { watchUtf8 } from '../load/utf8.ts';

// Without a limit, a file without line ends would be read into memory.
const MAX_LINE_CHARACTERS = 64 * 1024 * 1024;

/**
 * Yields the fields of the first object as a header, then the rows. Throws `CsvBroken` at a line that is no object, has
 * other fields, or is too long.
 */
export async function* readNdjson(
  source: Readable,
  max_line_characters = MAX_LINE_CHARACTERS,
): AsyncGenerator<CsvRow> {
  const malformed = new Set<number>();
  const bytes = source.pipe(watchUtf8(malformed));
  // pipe() passes on data, not errors.
  source.on('error', (error) => bytes.destroy(error));
  // A set, because a line can have hundreds of thousands of keys.
  let columns: ReadonlySet<string> | null = null;
  let line = 0;
  for await (const text of linesOf(bytes, max_line_characters)) {
    line += 1;
    if (text.trim() === '') continue;
    const fields = parseLine(text, line);
    if (columns === null) {
      columns = new Set(fields.keys());
      yield { line: 1, cells: [...columns], malformed: null };
    }
    const strange = fields.keys().find((name) => columns?.has(name) !== true);
    if (strange !== undefined) {
      throw new CsvBroken(
        line,
        `the fields of the first line, without ${strange}; write an absent value as null`,
        null,
      );
    }
    const cells = Array.from(columns, (name) => fields.get(name) ?? null);
    const wrong = malformed.has(line) ? cells.findIndex((cell) => cell?.includes('\uFFFD')) : -1;
    yield { line, cells, malformed: wrong === -1 ? null : wrong };
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
  yield text + decoder.end();
}

/**
 * The fields as texts. A number keeps the digits of the file, because a JavaScript number would lose digits of a large
 * one.
 */
function parseLine(text: string, line: number): ReadonlyMap<string, string | null> {
  try {
    const read: unknown = JSON.parse(text, (_, value: unknown, { source }: { source?: string } = {}) =>
      typeof value === 'number' ? new Digits(source ?? String(value)) : value,
    );
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) {
      return new Map(Object.entries(read).map(([name, value]) => [name, cellOf(value)]));
    }
  } catch (error) {
    throw new CsvBroken(line, 'one JSON object on each line', error);
  }
  throw new CsvBroken(line, 'one JSON object on each line', null);
}

/** A JSON number, with its digits as the file has them. */
class Digits {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return Number(this.text);
  }
}

function cellOf(value: unknown): string | null {
  if (value === null) return null;
  if (value instanceof Digits) return value.text;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
