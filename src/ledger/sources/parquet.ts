/** Reads a Parquet file to load as rows of texts, some thousand rows at a time. */
import { zstdDecompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import {
  type AsyncBuffer,
  type FileMetaData,
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetRead,
} from 'hyparquet';
import { CsvBroken, type CsvRow } from '../staging/row.ts';
import { DAY, type Instant, MILLISECOND, SECOND, toMs } from '../../instant.ts';

const SLICE_ROWS = 20_000;
/** The limit of rows that are read together in a foreign file. The row groups of common writers have fewer rows. */
const FOREIGN_SLICE_ROWS = 131_072;
/** The texts of more rows at once would take more memory than their values. */
const ROWS_AT_ONCE = 500;
const NANOSECONDS = 1_000n;
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

const READING = {
  // Bytes that the file does not call text are decoded below: they may be the digits of a decimal.
  utf8: false,
  compressors: {
    ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes),
    GZIP: (bytes: Uint8Array) => gunzipSync(bytes),
    BROTLI: (bytes: Uint8Array) => brotliDecompressSync(bytes),
  },
  parsers: {
    timestampFromMilliseconds: (milliseconds: bigint) => isoTime(milliseconds * MILLISECOND),
    timestampFromMicroseconds: (microseconds: Instant) => isoTime(microseconds),
    // Nanoseconds are kept, and then refused as in CSV.
    timestampFromNanoseconds: (nanoseconds: bigint) => {
      const part = ((nanoseconds % NANOSECONDS) + NANOSECONDS) % NANOSECONDS;
      const time = isoTime((nanoseconds - part) / NANOSECONDS);
      return part === 0n ? time : time.replace('Z', `${String(part).padStart(3, '0')}Z`);
    },
    stringFromBytes: textOf,
    // Not parsed: that would lose digits, and all but the last value of a key.
    jsonFromBytes: textOf,
    dateFromDays: (days: number) => new Date(days * toMs(DAY)).toISOString().slice(0, 10),
  },
  useOffsetIndex: true,
};

/** How to read a file that another program wrote in its own format, such as FOCUS: only some columns are needed. */
export interface ForeignParquet {
  /** True for a column to read; the cells of other columns are null. */
  readonly wanted: (column: string) => boolean;
}

type Element = FileMetaData['schema'][number];

/** The codecs that are read. LZ4 has several incompatible forms. */
const CODECS = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD', 'BROTLI'];

/**
 * Yields the names of the columns, then the rows, some at once; the first row is line 2. Throws `CsvBroken` if a part of the
 * file cannot be read. A decimal keeps all its digits, and a number is marked as one. In a foreign file, a map becomes JSON
 * text, and a time without a zone is in UTC; in any other file it stays without an offset, and is refused like one in CSV.
 */
export async function* readParquet(
  path: string,
  foreign?: ForeignParquet,
): AsyncGenerator<readonly CsvRow[]> {
  const read = { line: 1 };
  try {
    const file = await asyncBufferFromFile(path);
    const metadata = await parquetMetadataAsync(file);
    refuseCodecs(metadata);
    const elements = topLevel(metadata.schema.slice(1));
    const nested = elements.find(({ num_children = 0 }) => num_children > 0);
    if (foreign === undefined && nested !== undefined)
      throw new CsvBroken(1, 'columns of plain values, not of lists', null, nested.name);
    yield [{ line: 1, cells: elements.map(({ name }) => name) }];
    yield* rowsOf({ file, metadata, elements }, foreign, read);
  } catch (error) {
    if (error instanceof CsvBroken) throw error;
    const why = error instanceof Error ? `; this one: ${error.message}` : '';
    throw new CsvBroken(read.line, `a Parquet file that can be read${why}`, error);
  }
}

function refuseCodecs({ row_groups }: FileMetaData): void {
  for (const { columns } of row_groups) {
    const codec = columns.find(
      ({ meta_data }) => !CODECS.includes(meta_data?.codec ?? 'UNCOMPRESSED'),
    )?.meta_data;
    if (codec === undefined) continue;
    const expected = `pages compressed with Snappy, gzip, Zstandard or Brotli, or not at all; these are compressed with ${codec.codec}: write the file again`;
    throw new CsvBroken(1, expected, null, codec.path_in_schema.join('.'));
  }
}

interface OpenParquet {
  readonly file: AsyncBuffer;
  readonly metadata: FileMetaData;
  readonly elements: readonly Element[];
}

async function* rowsOf(
  { file, metadata, elements }: OpenParquet,
  foreign: ForeignParquet | undefined,
  read: { line: number },
): AsyncGenerator<readonly CsvRow[]> {
  // Without its type, a decimal is read as the whole number that the file holds, so that no digit is lost.
  const exact = { ...metadata, schema: metadata.schema.map(withoutDecimals) };
  const wanted = elements.filter(({ name }) => foreign?.wanted(name) ?? true);
  const columns = wanted.map(({ name }) => name);
  const numbers = new Set(elements.flatMap((element, index) => (isNumber(element) ? [index] : [])));
  const nested = new Set(
    elements.flatMap(({ num_children = 0 }, index) => (num_children > 0 ? [index] : [])),
  );
  const cellsOf = elements.map((element) => cellReader(element, foreign !== undefined));
  for (const { rowStart, rowEnd } of slicesOf(
    metadata,
    foreign === undefined ? SLICE_ROWS : FOREIGN_SLICE_ROWS,
  )) {
    // Collect the values by column: an object for each row would take several times the memory.
    const values = new Map<string, ArrayLike<unknown>>();
    await parquetRead({
      ...READING,
      file,
      metadata: exact,
      columns,
      rowStart,
      rowEnd,
      onChunk({ columnName, columnData, rowStart: first, rowEnd: end }) {
        // Most chunks are a slice, which needs no copy.
        if (first === rowStart && end === rowEnd) {
          values.set(columnName, columnData);
          return;
        }
        const part = values.get(columnName);
        const column: unknown[] = Array.isArray(part) ? part : [];
        values.set(columnName, column);
        for (let row = Math.max(first, rowStart); row < Math.min(end, rowEnd); row += 1) {
          column.push(columnData[row - first]);
        }
      },
    });
    const short = columns.find((name) => values.get(name)?.length !== rowEnd - rowStart);
    if (short !== undefined) throw new CsvBroken(read.line, 'a value in each row', null, short);
    const byIndex = elements.map(({ name }) => values.get(name));
    let rows: CsvRow[] = [];
    for (let row = 0; row < rowEnd - rowStart; row += 1) {
      read.line += 1;
      const cells = cellsOf.map((textOfCell, index) => textOfCell(byIndex[index]?.[row]));
      rows.push({ line: read.line, cells, numbers, ...(nested.size > 0 && { nested }) });
      if (rows.length < ROWS_AT_ONCE) continue;
      yield rows;
      rows = [];
    }
    yield rows;
  }
}

/** Slices of rows that end with each row group. A slice that begins within a group decodes the group from its start. */
function* slicesOf(
  { row_groups }: FileMetaData,
  most: number,
): Generator<{ rowStart: number; rowEnd: number }> {
  let rowStart = 0;
  for (const { num_rows } of row_groups) {
    const end = rowStart + Number(num_rows);
    for (; rowStart < end; rowStart = Math.min(rowStart + most, end)) {
      yield { rowStart, rowEnd: Math.min(rowStart + most, end) };
    }
  }
}

/** The elements of a schema that are columns, without the elements that are parts of a column. */
function topLevel(elements: readonly Element[]): readonly Element[] {
  const columns: Element[] = [];
  let below = 0;
  for (const element of elements) {
    if (below === 0) columns.push(element);
    else below -= 1;
    below += element.num_children ?? 0;
  }
  return columns;
}

function isDecimal({ converted_type, logical_type }: Element): boolean {
  return converted_type === 'DECIMAL' || logical_type?.type === 'DECIMAL';
}

function withoutDecimals(element: Element): Element {
  if (!isDecimal(element)) return element;
  const { converted_type: _, logical_type: __, ...rest } = element;
  return rest;
}

/** True for a column of numbers, which are no days, times or truth values. */
function isNumber(element: Element): boolean {
  if (isDecimal(element)) return true;
  const { type, converted_type = 'INT_64', logical_type } = element;
  const isWhole = (type === 'INT32' || type === 'INT64') && /^U?INT_/.test(converted_type);
  const isTime = logical_type !== undefined && logical_type.type !== 'INTEGER';
  return type === 'FLOAT' || type === 'DOUBLE' || logical_type?.type === 'FLOAT16' || (isWhole && !isTime);
}

/** How the values of a column become texts. */
function cellReader(element: Element, isForeign: boolean): (value: unknown) => string | null {
  if (isDecimal(element)) {
    const { logical_type } = element;
    const scale = element.scale ?? (logical_type?.type === 'DECIMAL' ? logical_type.scale : 0);
    return (value) => (value === null || value === undefined ? null : decimalText(value, scale));
  }
  if (isForeign || !lacksZone(element)) return cellOf;
  return (value) => cellOf(value)?.replace(/Z$/, '') ?? null;
}

/** True for times that do not say their zone: local times, and the times of old writers, which mean now this, now that. */
function lacksZone({ type, logical_type }: Element): boolean {
  if (type === 'INT96') return true;
  if (logical_type?.type === 'TIMESTAMP') return !logical_type.isAdjustedToUTC;
  return false;
}

function decimalText(value: unknown, scale: number): string {
  const unscaled = value instanceof Uint8Array ? wholeOf(value) : BigInt(value as number | bigint);
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const point = digits.length - scale;
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, point)}${scale === 0 ? '' : `.${digits.slice(point)}`}`;
}

/** The whole number of big-endian bytes in two's complement. */
function wholeOf(bytes: Uint8Array): bigint {
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes && UTF8.decode(bytes);
}

function cellOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return value instanceof Uint8Array ? UTF8.decode(value) : JSON.stringify(value);
}

function isoTime(microseconds: Instant): string {
  const fraction = ((microseconds % SECOND) + SECOND) % SECOND;
  const seconds = (microseconds - fraction) / SECOND;
  const second = new Date(Number(seconds) * 1_000).toISOString().slice(0, -'.000Z'.length);
  return `${second}.${String(fraction).padStart(6, '0')}Z`;
}
