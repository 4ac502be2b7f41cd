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

/** The smallest piece that Node takes. */
const MIN_CHUNK_BYTES = 64;

/** How values are decoded: none is changed on the way. */
export const AS_STORED = {
  compressors: { ZSTD: unpackZstd },
  parsers: {
    timestampFromMicroseconds: (microseconds: Instant) => microseconds,
    dateFromDays: (days: number) => days,
  },
};

/**
 * The bytes of a page that are `length` long unpacked. By default Node unpacks into pieces of 16 kB and joins them, which takes
 * twice as long; with a piece of the exact length it prepares another one.
 */
function unpackZstd(bytes: Uint8Array, length: number): Uint8Array {
  return zstdDecompressSync(bytes, { chunkSize: Math.max(MIN_CHUNK_BYTES, length + 1) });
}

/** A file whose footer was read. It can be cached with the digest of the file, and read many times. */
export interface OpenFile {
  readonly rows: number;
  readonly groups: readonly RowGroup[];
  /** The estimated memory of this object, in bytes. */
  readonly held_bytes: number;
  readonly metadata: FileMetaData;
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
  let rows = 0;
  const groups = metadata.row_groups.map((group) => {
    const first = rows;
    rows += Number(group.num_rows);
    return { first, rows: Number(group.num_rows), bounds: (name: string) => boundsOf(group, name) };
  });
  // The parsed metadata takes several times its bytes in the file.
  return { rows, groups, held_bytes: 8 * (source.size_bytes - end), metadata };
}

/** The library would return a decimal as a float, which cannot hold every cent: without its type, it is a whole number. */
function withoutDecimal(element: FileMetaData['schema'][number]): FileMetaData['schema'][number] {
  if (element.converted_type !== 'DECIMAL') return element;
  const { converted_type: _, logical_type: _type, ...plain } = element;
  return plain;
}

type StoredGroup = FileMetaData['row_groups'][number];

/** A column in a row group. */
export interface Chunk {
  readonly name: string;
  readonly stored: NonNullable<StoredGroup['columns'][number]['meta_data']>;
  readonly start: number;
  /** Not included. */
  readonly end: number;
}

export function chunksOf({ columns }: StoredGroup): readonly Chunk[] {
  return columns.flatMap(({ meta_data: chunk }) => {
    if (chunk === undefined) return [];
    const start = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
    return [
      {
        name: chunk.path_in_schema.join('.'),
        stored: chunk,
        start,
        end: start + Number(chunk.total_compressed_size),
      },
    ];
  });
}

function boundsOf(group: StoredGroup, name: string) {
  const chunk = group.columns.find(({ meta_data }) => meta_data?.path_in_schema.join('.') === name);
  const { min_value: least, max_value: greatest } = chunk?.meta_data?.statistics ?? {};
  return { least: least as StoredValue, greatest: greatest as StoredValue }; // the parsers above give nothing else
}

/** Reads ranges of the bytes of a file; the end is not included. */
function slicer(source: ParquetSource): (from: number, to?: number) => Promise<ArrayBuffer> {
  return async (from, to = source.size_bytes) => {
    const bytes = await source.read(from, to - 1);
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  };
}
