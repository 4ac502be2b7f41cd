/**
 * Reads a Parquet file, a few thousand rows at a time. Memory holds the requested columns of one stored row group and the
 * values of one piece, for a file of any length.
 */
import { zstdDecompressSync } from 'node:zlib';
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetRead } from 'hyparquet';

/** A file that can be read by ranges of bytes; `from` and `to` are both included. */
export interface ParquetSource {
  readonly size_bytes: number;
  readonly read: (from: number, to: number) => Promise<Uint8Array<ArrayBuffer>>;
}

/** A value as stored: a day is a number of days since 1970-01-01, an instant a number of microseconds. */
export type StoredValue = string | number | bigint | boolean | null | undefined;

/** Consecutive rows, column by column. The caller may keep and change the arrays. */
export interface Piece {
  readonly rows: number;
  readonly columns: readonly StoredValue[][];
}

// The rows of a page in our files: a piece that began within a page would decode that page twice.
const PIECE_ROWS = 20_480;

const AS_STORED = {
  compressors: { ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes) },
  parsers: {
    timestampFromMicroseconds: (microseconds: bigint) => microseconds,
    dateFromDays: (days: number) => days,
  },
  useOffsetIndex: true,
};

/** A file whose footer was read. It can be cached with the digest of the file, and read many times. */
export interface OpenFile {
  readonly rows: number;
  readonly groups: readonly RowGroup[];
  /** The estimated memory of this object, in bytes. */
  readonly held_bytes: number;
  readonly metadata: FileMetaData;
  /** The bytes after the last row group: they have the positions of the pages, which every column read needs. */
  readonly tail: Held;
}

export interface RowGroup {
  readonly first: number;
  readonly rows: number;
  /** The smallest and the largest value of a column; undefined if the file does not state them. */
  readonly bounds: (column: string) => { readonly least: StoredValue; readonly greatest: StoredValue };
}

/** Reads the footer of a file. */
export async function openFile(source: ParquetSource): Promise<OpenFile> {
  const slice = slicer(source);
  const parsed = await parquetMetadataAsync(
    { byteLength: source.size_bytes, slice },
    { ...AS_STORED, geoparquet: false },
  );
  const metadata = { ...parsed, schema: parsed.schema.map(withoutDecimal) };
  const end = Math.max(
    0,
    ...metadata.row_groups.flatMap((group) => chunksOf(group).map((chunk) => chunk.end)),
  );
  const tail = await held(source, end, source.size_bytes);
  let rows = 0;
  const groups = metadata.row_groups.map((group) => {
    const first = rows;
    rows += Number(group.num_rows);
    return { first, rows: Number(group.num_rows), bounds: (name: string) => boundsOf(group, name) };
  });
  // The parsed metadata takes several times its bytes in the file.
  return { rows, groups, held_bytes: 8 * (source.size_bytes - end), metadata, tail };
}

/** The library would return a decimal as a float, which cannot hold every cent: without its type, it is a whole number. */
function withoutDecimal(element: FileMetaData['schema'][number]): FileMetaData['schema'][number] {
  if (element.converted_type !== 'DECIMAL') return element;
  const { converted_type: _, logical_type: _type, ...plain } = element;
  return plain;
}

interface ReadOptions {
  /** The file, if it is open already. */
  readonly file?: OpenFile;
  /** The first row; 0 if omitted. */
  readonly from?: number;
  /** The end of the rows, not included; the end of the file if omitted. */
  readonly to?: number;
}

/**
 * The rows of these columns in the order of the file; a column that the file lacks has an empty array. `turn` is awaited
 * after each column, so that other work can run: decoding a column takes milliseconds. A piece never crosses two row groups.
 */
export async function* readColumns(
  source: ParquetSource,
  names: readonly string[],
  turn: () => Promise<void>,
  { file, from = 0, to = Infinity }: ReadOptions = {},
): AsyncGenerator<Piece> {
  const { metadata, groups, tail } = file ?? (await openFile(source));
  const slice = slicer(source);
  const has = new Set(metadata.schema.map(({ name }) => name));
  for (const [index, { first, rows }] of groups.entries()) {
    const end = Math.min(first + rows, to);
    let rowStart = Math.max(first, from);
    if (rowStart >= end) continue;
    const group = metadata.row_groups[index];
    const parts = group === undefined ? [] : await heldChunks(source, group, names);
    const own = {
      byteLength: source.size_bytes,
      slice: (start: number, stop?: number) => find([...parts, tail], start, stop) ?? slice(start, stop),
    };
    while (rowStart < end) {
      const rowEnd = Math.min(rowStart + PIECE_ROWS, end);
      const columns: StoredValue[][] = [];
      for (const name of names) {
        if (!has.has(name)) {
          columns.push([]);
          continue;
        }
        columns.push(await readValues({ file: own, metadata, columns: [name], rowStart, rowEnd }));
        await turn();
      }
      yield { rows: rowEnd - rowStart, columns };
      rowStart = rowEnd;
    }
  }
}

interface ColumnRead {
  readonly file: AsyncBuffer;
  readonly metadata: FileMetaData;
  readonly columns: [string];
  readonly rowStart: number;
  readonly rowEnd: number;
}

/**
 * The values of one column, in a new array. They are copied page by page: an object for each row would take as long as the
 * decoding.
 */
async function readValues(read: ColumnRead): Promise<StoredValue[]> {
  const { rowStart, rowEnd } = read;
  const wanted = rowEnd - rowStart;
  let values: StoredValue[] = [];
  await parquetRead({
    ...read,
    ...AS_STORED,
    onChunk({ columnData, rowStart: first }) {
      // Most pieces are one page. Its array is new for this call, so it needs no copy.
      if (first === rowStart && columnData.length === wanted && Array.isArray(columnData)) {
        values = columnData as StoredValue[]; // the parsers give nothing else
        return;
      }
      const end = Math.min(columnData.length, rowEnd - first);
      for (let index = Math.max(0, rowStart - first); index < end; index += 1) {
        values.push(columnData[index] as StoredValue); // the same
      }
    },
  });
  if (values.length === wanted) return values;
  throw new RangeError(`${values.length} of ${wanted} values of a column were read`);
}

type StoredGroup = FileMetaData['row_groups'][number];

interface Chunk {
  readonly name: string;
  readonly start: number;
  /** Not included. */
  readonly end: number;
}

function chunksOf({ columns }: StoredGroup): readonly Chunk[] {
  return columns.flatMap(({ meta_data: chunk }) => {
    if (chunk === undefined) return [];
    const start = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
    return [
      { name: chunk.path_in_schema.join('.'), start, end: start + Number(chunk.total_compressed_size) },
    ];
  });
}

function boundsOf(group: StoredGroup, name: string) {
  const chunk = group.columns.find(({ meta_data }) => meta_data?.path_in_schema.join('.') === name);
  const { min_value: least, max_value: greatest } = chunk?.meta_data?.statistics ?? {};
  return { least: least as StoredValue, greatest: greatest as StoredValue }; // the parsers above give nothing else
}

/** The bytes of these columns in a row group. Adjacent column chunks are read by one request. */
async function heldChunks(
  source: ParquetSource,
  group: StoredGroup,
  names: readonly string[],
): Promise<readonly Held[]> {
  const ranges: { start: number; end: number }[] = [];
  for (const { start, end } of chunksOf(group)
    .filter(({ name }) => names.includes(name))
    .toSorted((a, b) => a.start - b.start)) {
    const last = ranges.at(-1);
    if (last !== undefined && last.end === start) last.end = end;
    else ranges.push({ start, end });
  }
  return await Promise.all(ranges.map(({ start, end }) => held(source, start, end)));
}

function slicer(source: ParquetSource): (from: number, to?: number) => Promise<ArrayBuffer> {
  return async (from, to = source.size_bytes) => {
    const bytes = await source.read(from, to - 1);
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  };
}

/** Returns a range of the bytes of a file part in memory; null for a range outside the part. */
type Held = (from: number, to: number) => ArrayBuffer | null;

async function held(source: ParquetSource, start: number, end: number): Promise<Held> {
  const bytes = await slicer(source)(start, end);
  return (from, to) => (from >= start && to <= end ? bytes.slice(from - start, to - start) : null);
}

function find(parts: readonly Held[], from: number, to = Infinity): ArrayBuffer | null {
  for (const part of parts) {
    const bytes = part(from, to);
    if (bytes !== null) return bytes;
  }
  return null;
}
