/** A part of a table: a Parquet file of consecutive row groups, with the layout that our encoder writes. */
import { CrossfootError } from '../errors.ts';
import type { Table } from '../tables/table.ts';
import { ROW_GROUP_ROWS } from './batch.ts';
import type { ParquetSource } from './open-file.ts';
import { decodeStruct, type Struct } from './thrift.ts';
import { numberIn, optionalNumber, structIn, structsIn, textsIn } from './thrift-fields.ts';

/** A part as its writer left it. */
export interface FilePart {
  readonly source: ParquetSource;
  /** The rows that the part must have. */
  readonly rows: number;
}

/** Fields of the footer's structures, by their numbers in Parquet's own description of them. */
export const FILE = { schema: 2, rows: 3, groups: 4 } as const;
export const GROUP = { columns: 1, rows: 3, offset: 5, index: 7 } as const;
export const CHUNK = {
  offset: 2,
  meta: 3,
  offset_index: 4,
  offset_index_bytes: 5,
  column_index: 6,
  column_index_bytes: 7,
} as const;
export const META = { path: 3, codec: 4, values: 5, bytes: 7, data_page: 9, dictionary: 11 } as const;

const MAGIC = 'PAR1';
const TRAILER_BYTES = 8;
const ZSTD = 6;

/** Consecutive bytes of a file; `to` is not included. */
interface Bytes {
  readonly from: number;
  readonly to: number;
}

/** A part whose layout was checked. All its bytes are in one of these ranges, in the footer, or in a mark of the format. */
export interface OpenPart {
  /** As messages call it: `part 2 of 8`. */
  readonly name: string;
  readonly source: ParquetSource;
  readonly rows: number;
  readonly footer: Struct;
  readonly groups: readonly Struct[];
  readonly pages: Bytes;
  readonly column_indexes: Bytes;
}

/** Reads the footer of a part; throws `parts_refused` for any other file than the encoder writes for these rows. */
export async function openPart(part: FilePart, table: Table, name: string): Promise<OpenPart> {
  const refuse = (what: string): CrossfootError => refusePart(table, name, what);
  const { footer, from } = await readFooter(part.source, refuse);
  try {
    const groups = structsIn(footer, FILE.groups);
    const pages = { from: MAGIC.length, to: MAGIC.length };
    const column_indexes = { from: 0, to: 0 };
    const offset_indexes = { from: 0, to: 0 };
    const chunks = groups.flatMap((group) => structsIn(group, GROUP.columns));
    for (const [index, chunk] of chunks.entries()) {
      const meta = structIn(chunk, CHUNK.meta);
      const column = table.columns[index % table.columns.length]?.name;
      if (textsIn(meta, META.path).join('.') !== column) throw new RangeError(`lacks the column ${column}`);
      if (numberIn(meta, META.codec) !== ZSTD) throw refuse('has another codec than ZSTD');
      const first = optionalNumber(meta, META.dictionary) ?? numberIn(meta, META.data_page);
      follow(pages, first, numberIn(meta, META.bytes));
    }
    column_indexes.from = column_indexes.to = pages.to;
    for (const chunk of chunks) {
      const at = optionalNumber(chunk, CHUNK.column_index);
      if (at !== undefined) follow(column_indexes, at, numberIn(chunk, CHUNK.column_index_bytes));
    }
    offset_indexes.from = offset_indexes.to = column_indexes.to;
    for (const chunk of chunks)
      follow(offset_indexes, numberIn(chunk, CHUNK.offset_index), numberIn(chunk, CHUNK.offset_index_bytes));
    if (offset_indexes.to !== from) throw new RangeError('leaves bytes before itself undescribed');
    const rows = numberIn(footer, FILE.rows);
    if (rows !== part.rows) throw refuse(`has ${rows} rows, expected ${part.rows}`);
    requireGroups(groups, rows, table, refuse);
    return { name, source: part.source, rows, footer, groups, pages, column_indexes };
  } catch (error) {
    throw damaged(error, 'a damaged footer', refuse);
  }
}

/** The rows of a part are in whole row groups; only the last row group may be smaller. */
function requireGroups(
  groups: readonly Struct[],
  rows: number,
  { columns, group_rows = ROW_GROUP_ROWS }: Table,
  refuse: (what: string) => CrossfootError,
): void {
  let left = rows;
  for (const group of groups) {
    const expected = Math.min(group_rows, left);
    const found = numberIn(group, GROUP.rows);
    const chunks = structsIn(group, GROUP.columns);
    if (chunks.length !== columns.length) throw new RangeError('has another number of columns');
    const counts = chunks.map((chunk) => numberIn(structIn(chunk, CHUNK.meta), META.values));
    for (const count of [found, ...counts])
      if (count !== expected) throw refuse(`has a row group of ${count} rows, expected ${expected}`);
    left -= found;
  }
  if (left !== 0) throw refuse(`has row groups of ${rows - left} rows, expected ${rows}`);
}

/** Extends a range by its next piece; throws if the piece begins elsewhere. */
function follow(range: { from: number; to: number }, at: number, length: number): void {
  if (at !== range.to || length < 0) throw new RangeError('names another place for a piece of the file');
  range.to += length;
}

async function readFooter(
  source: ParquetSource,
  refuse: (what: string) => CrossfootError,
): Promise<{ footer: Struct; from: number }> {
  const { size_bytes } = source;
  if (size_bytes < MAGIC.length + TRAILER_BYTES)
    throw refuse(`is no Parquet file: it has ${size_bytes} bytes`);
  const head = await bytesOf(source, 0, MAGIC.length);
  const trailer = await bytesOf(source, size_bytes - TRAILER_BYTES, size_bytes);
  const from = size_bytes - TRAILER_BYTES - trailer.readUInt32LE();
  if (head.toString('latin1') !== MAGIC || trailer.toString('latin1', 4) !== MAGIC || from < MAGIC.length)
    throw refuse('is no whole Parquet file');
  try {
    return { footer: decodeStruct(await bytesOf(source, from, size_bytes - TRAILER_BYTES)), from };
  } catch (error) {
    throw damaged(error, 'a damaged footer', refuse);
  }
}

/** The bytes of a file from `from` to `to`, which is not included. */
export async function bytesOf(source: ParquetSource, from: number, to: number): Promise<Buffer> {
  if (from === to) return Buffer.alloc(0);
  const bytes = await source.read(from, to - 1);
  if (bytes.length !== to - from) throw new RangeError('ends too early');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** The error for a part that cannot be joined. */
export function refusePart(table: Table, name: string, what: string): CrossfootError {
  return new CrossfootError('parts_refused', `${table.name}: ${name} ${what}; nothing was kept.`, {
    hint: 'Build again. If it happens twice, see that all workers run the same version of this program.',
    data: { table: table.name },
  });
}

/** The error for what a decoder found wrong. Any other error stays as it is. */
export function damaged(error: unknown, what: string, refuse: (what: string) => CrossfootError): unknown {
  return error instanceof RangeError ? refuse(`has ${what}: it ${error.message}`) : error;
}
