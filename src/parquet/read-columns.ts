/**
 * Reads a Parquet file, a few thousand rows at a time. Memory holds one stored row group and the values of one piece,
 * for a file of any length.
 */
import { zstdDecompressSync } from 'node:zlib';
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';

/** A file by its ranges; both ends are inclusive. */
export interface ParquetSource {
  readonly size_bytes: number;
  readonly read: (from: number, to: number) => Promise<Uint8Array<ArrayBuffer>>;
}

/** A value as stored: days are numbers from 1970-01-01, instants are microseconds. */
export type StoredValue = string | number | bigint | boolean | null | undefined;

/** Consecutive rows, column by column. */
export interface Piece {
  readonly rows: number;
  readonly columns: readonly (readonly StoredValue[])[];
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

/**
 * The rows of these columns in the order of the file; a column that the file lacks has no values. `turn` yields to other
 * work between two columns, because decoding one takes milliseconds.
 */
export async function* readColumns(
  source: ParquetSource,
  names: readonly string[],
  turn: () => Promise<void>,
): AsyncGenerator<Piece> {
  const whole = { byteLength: source.size_bytes, slice: slicer(source) };
  const metadata = await parquetMetadataAsync(whole);
  const groups = groupRanges(metadata);
  // Read the part after the last row group once: it has the positions of the pages and is needed for every column.
  const tail = await held(source, groups.at(-1)?.end ?? 0, source.size_bytes);
  const has = new Set(metadata.schema.map(({ name }) => name));
  let rowStart = 0;
  for (const { start, end, rows } of groups) {
    const group = await held(source, start, end);
    const file = {
      byteLength: source.size_bytes,
      slice: (from: number, to?: number) => group(from, to) ?? tail(from, to) ?? whole.slice(from, to),
    };
    const groupEnd = rowStart + rows;
    while (rowStart < groupEnd) {
      const rowEnd = Math.min(rowStart + PIECE_ROWS, groupEnd);
      const columns: StoredValue[][] = [];
      for (const name of names) {
        if (!has.has(name)) {
          columns.push([]);
          continue;
        }
        const read = { file, metadata, columns: [name], rowStart, rowEnd, ...AS_STORED };
        const values = await parquetReadObjects(read);
        columns.push(values.map((row) => row[name] as StoredValue)); // the parsers above give nothing else
        await turn();
      }
      yield { rows: rowEnd - rowStart, columns };
      rowStart = rowEnd;
    }
  }
}

interface GroupRange {
  readonly start: number;
  /** Not included. */
  readonly end: number;
  readonly rows: number;
}

function groupRanges({ row_groups }: FileMetaData): readonly GroupRange[] {
  return row_groups.map(({ columns, num_rows }) => {
    const chunks = columns.flatMap(({ meta_data: chunk }) => {
      if (chunk === undefined) return [];
      const start = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
      return [{ start, end: start + Number(chunk.total_compressed_size) }];
    });
    return {
      start: Math.min(...chunks.map(({ start }) => start)),
      end: Math.max(...chunks.map(({ end }) => end)),
      rows: Number(num_rows),
    };
  });
}

function slicer(source: ParquetSource): AsyncBuffer['slice'] {
  return async (from, to = source.size_bytes) => {
    const bytes = await source.read(from, to - 1);
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  };
}

/** A part of the file, read once; undefined for a range outside it. */
async function held(source: ParquetSource, start: number, end: number) {
  const bytes = await slicer(source)(start, end);
  return (from: number, to = source.size_bytes): ArrayBuffer | null =>
    from >= start && to <= end ? bytes.slice(from - start, to - start) : null;
}
