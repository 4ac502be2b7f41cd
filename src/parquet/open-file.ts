/** Opens Parquet files: reads their footers, and gives ranges of their bytes. */
import { zstdDecompressSync } from 'node:zlib';
import { type FileMetaData, parquetMetadataAsync } from 'hyparquet';
import type { Instant } from '../instant.ts';
import type { StoredValue } from './column-pages.ts';

/** A file that can be read by ranges of bytes; `from` and `to` are both included. */
export interface ParquetSource {
  readonly size_bytes: number;
  readonly read: (from: number, to: number) => Promise<Uint8Array<ArrayBuffer>>;
}

/** How values are decoded: none is changed on the way. */
export const AS_STORED = {
  compressors: { ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes) },
  parsers: {
    timestampFromMicroseconds: (microseconds: Instant) => microseconds,
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

export type StoredGroup = FileMetaData['row_groups'][number];

interface Chunk {
  readonly name: string;
  readonly start: number;
  /** Not included. */
  readonly end: number;
}

export function chunksOf({ columns }: StoredGroup): readonly Chunk[] {
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

/** Reads ranges of the bytes of a file; the end is not included. */
export function slicer(source: ParquetSource): (from: number, to?: number) => Promise<ArrayBuffer> {
  return async (from, to = source.size_bytes) => {
    const bytes = await source.read(from, to - 1);
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  };
}

/** Returns a range of the bytes of a file part in memory; null for a range outside the part. */
export type Held = (from: number, to: number) => ArrayBuffer | null;

/** Keeps a range of the bytes of a file in memory. */
export async function held(source: ParquetSource, start: number, end: number): Promise<Held> {
  const bytes = await slicer(source)(start, end);
  return (from, to) => (from >= start && to <= end ? bytes.slice(from - start, to - start) : null);
}

/** The range in the first of these parts that has it; null if none has. */
export function find(parts: readonly Held[], from: number, to = Infinity): ArrayBuffer | null {
  for (const part of parts) {
    const bytes = part(from, to);
    if (bytes !== null) return bytes;
  }
  return null;
}
