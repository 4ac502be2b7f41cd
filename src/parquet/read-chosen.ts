/** Reads some rows of a row group: those of given numbers, and those whose values pass tests. */
import { parquetSchema } from 'hyparquet';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { getTreePath } from 'hyparquet/src/schema.js';
import { type ColumnPages, openPages, type StoredValue } from './column-pages.ts';
import { AS_STORED, type Chunk, chunksOf, type OpenFile, type ParquetSource } from './open-file.ts';

/** Rows, column by column. The caller may keep and change the arrays. */
export interface Piece {
  /** The numbers of the rows in the file; absent if they follow one another. */
  readonly numbers?: Uint32Array;
  readonly rows: number;
  readonly columns: readonly StoredValue[][];
}

// The rows of a page in our files: a piece that began within a page would decode that page twice.
const PIECE_ROWS = 20_480;

export interface ReadOptions {
  /** The file, if it is open already. */
  readonly file?: OpenFile;
  /** The first row; 0 if omitted. */
  readonly from?: number;
  /** The end of the rows, not included; the end of the file if omitted. */
  readonly to?: number;
  /** Only the rows of these numbers, which ascend. */
  readonly at?: Uint32Array | undefined;
  /** Only the rows whose values pass these tests, by column. */
  readonly where?: Readonly<Record<string, (value: StoredValue) => boolean>> | undefined;
}

interface GroupRead {
  readonly source: ParquetSource;
  readonly file: OpenFile;
  /** The number of the row group. */
  readonly index: number;
  readonly names: readonly string[];
  readonly turn: () => Promise<void>;
}

/** The chosen rows of a row group: values are read only if the tests left a row. */
export async function* readChosen(
  { source, file, index, names, turn }: GroupRead,
  { from, to, at, where = {} }: ReadOptions & { readonly from: number; readonly to: number },
): AsyncGenerator<Piece> {
  const { first = 0, rows: count = 0 } = file.groups[index] ?? {};
  const isChosen = at !== undefined || Object.keys(where).length > 0;
  const open = columnOpener(source, file, index, turn);
  let rows: Uint32Array | null = null;
  if (at !== undefined) {
    rows = at.subarray(firstFrom(at, from), firstFrom(at, to)).map((each) => each - first);
  }
  if (at === undefined && (from > first || to < first + count)) rows = numbered(from - first, to - first);
  if (rows?.length === 0) return;
  const tested = await open(Object.keys(where));
  for (const [name, test] of Object.entries(where)) {
    rows = tested.get(name)?.matching(test, rows) ?? rows;
    await turn();
    if (rows?.length === 0) return;
  }
  const chosen = rows ?? numbered(0, count);
  const shown = await open(names);
  for (let start = 0; start < chosen.length; start += PIECE_ROWS) {
    const own = chosen.slice(start, start + PIECE_ROWS);
    const columns: StoredValue[][] = [];
    for (const name of names) {
      columns.push(shown.get(name)?.valuesAt(own) ?? []);
      await turn();
    }
    const numbers = isChosen ? { numbers: own.map((row) => first + row) } : {};
    yield { ...numbers, rows: own.length, columns };
  }
}

/** The place of the first of these ascending numbers that is not less; their count if all are. */
function firstFrom(ascending: Uint32Array, least: number): number {
  let [place, end] = [0, ascending.length];
  while (place < end) {
    const middle = (place + end) >>> 1;
    if ((ascending[middle] ?? 0) < least) place = middle + 1;
    else end = middle;
  }
  return place;
}

function numbered(from: number, to: number): Uint32Array {
  const numbers = new Uint32Array(to - from);
  for (let ahead = 0; ahead < numbers.length; ahead += 1) numbers[ahead] = from + ahead;
  return numbers;
}

/** Opens each column of a row group once. A column that the file lacks is not among them. */
function columnOpener(
  source: ParquetSource,
  { metadata, groups }: OpenFile,
  index: number,
  turn: () => Promise<void>,
) {
  const group = metadata.row_groups[index];
  const tree = parquetSchema(metadata);
  const opened = new Map<string, ColumnPages>();
  return async (names: readonly string[]): Promise<ReadonlyMap<string, ColumnPages>> => {
    const missing = new Set(names.filter((name) => !opened.has(name)));
    const chunks = group === undefined ? [] : chunksOf(group).filter(({ name }) => missing.has(name));
    for (const [{ name, stored }, bytes] of await readChunks(source, chunks)) {
      const schemaPath = getTreePath(tree, stored.path_in_schema);
      const decoder = {
        ...stored,
        pathInSchema: stored.path_in_schema,
        schemaPath,
        element: (schemaPath.at(-1) ?? tree).element,
        compressors: AS_STORED.compressors,
        parsers: { ...DEFAULT_PARSERS, ...AS_STORED.parsers },
      };
      opened.set(name, openPages(bytes, decoder, groups[index]?.rows ?? 0));
      await turn();
    }
    return opened;
  };
}

/** The bytes of column chunks. Adjacent ones are read by one request: each request of a bucket takes long. */
async function readChunks(
  source: ParquetSource,
  chunks: readonly Chunk[],
): Promise<readonly (readonly [Chunk, Uint8Array<ArrayBuffer>])[]> {
  const ranges: { start: number; end: number; readonly chunks: Chunk[] }[] = [];
  for (const chunk of chunks.toSorted((a, b) => a.start - b.start)) {
    const last = ranges.at(-1);
    if (last?.end === chunk.start) {
      last.end = chunk.end;
      last.chunks.push(chunk);
    } else ranges.push({ start: chunk.start, end: chunk.end, chunks: [chunk] });
  }
  const read = ranges.map(async ({ start, end, chunks: own }) => {
    const bytes = await source.read(start, end - 1);
    return own.map((chunk) => [chunk, bytes.subarray(chunk.start - start, chunk.end - start)] as const);
  });
  return (await Promise.all(read)).flat();
}
