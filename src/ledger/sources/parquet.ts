/** Reads a Parquet file to load as rows of texts, some thousand rows at a time. */
import { zstdDecompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import {
  type AsyncBuffer,
  type FileMetaData,
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetRead,
  parquetReadObjects,
} from 'hyparquet';
import { CsvBroken, type CsvRow } from '../load/csv.ts';

const SLICE_ROWS = 20_000;
/** The limit of rows that are read together in a foreign file. The row groups of common writers have fewer rows. */
const FOREIGN_SLICE_ROWS = 131_072;
/** A decimal of more digits is read as a float, which could lose some. */
const MAX_PRECISION = 15;
const MILLISECONDS_PER_DAY = 86_400_000;
const MICROSECONDS_PER_SECOND = 1_000_000n;

const READING = {
  compressors: {
    ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes),
    GZIP: (bytes: Uint8Array) => gunzipSync(bytes),
    BROTLI: (bytes: Uint8Array) => brotliDecompressSync(bytes),
  },
  parsers: {
    timestampFromMilliseconds: (milliseconds: bigint) => isoTime(milliseconds * 1_000n),
    timestampFromMicroseconds: (microseconds: bigint) => isoTime(microseconds),
    timestampFromNanoseconds: (nanoseconds: bigint) => isoTime(nanoseconds / 1_000n),
    dateFromDays: (days: number) => new Date(days * MILLISECONDS_PER_DAY).toISOString().slice(0, 10),
  },
  useOffsetIndex: true,
};

/** How to read a file that another program wrote in its own format, such as FOCUS: only some columns are needed. */
export interface ForeignParquet {
  /** True for a column to read; the cells of other columns are null. */
  readonly wanted: (column: string) => boolean;
}

type Element = FileMetaData['schema'][number];

/**
 * Yields the names of the columns, then the rows; the first row is line 2. Throws `CsvBroken` if a part of the file cannot be
 * read. In a foreign file, a map becomes JSON text, and a decimal may have any number of digits.
 */
export async function* readParquet(path: string, foreign?: ForeignParquet): AsyncGenerator<CsvRow> {
  let line = 1;
  try {
    const file = await asyncBufferFromFile(path);
    const metadata = await parquetMetadataAsync(file);
    const [root, ...all] = metadata.schema;
    if (foreign === undefined && root?.num_children !== all.length)
      throw new CsvBroken(1, 'columns of plain values, not of lists', null);
    const elements = topLevel(all);
    if (foreign !== undefined) {
      yield { line, cells: elements.map(({ name }) => name), malformed: null };
      yield* foreignRows({ file, metadata, elements }, foreign.wanted);
      return;
    }
    const scales = elements.map(({ name, converted_type, scale = 0, precision = 0 }) => {
      if (converted_type !== 'DECIMAL') return null;
      if (precision <= MAX_PRECISION) return scale;
      throw new CsvBroken(1, `decimals of at most ${MAX_PRECISION} digits in ${name}, or text`, null);
    });
    const columns = elements.map(({ name }) => name);
    yield { line, cells: columns, malformed: null };
    const rows = Number(metadata.num_rows);
    for (let rowStart = 0; rowStart < rows; rowStart += SLICE_ROWS) {
      const rowEnd = Math.min(rowStart + SLICE_ROWS, rows);
      for (const row of await parquetReadObjects({ file, metadata, rowStart, rowEnd, ...READING })) {
        line += 1;
        const cells = columns.map((name, index) => cellOf(row[name], scales[index] ?? null));
        yield { line, cells, malformed: null };
      }
    }
  } catch (error) {
    if (error instanceof CsvBroken) throw error;
    throw new CsvBroken(line, 'a Parquet file that can be read', error);
  }
}

interface OpenParquet {
  readonly file: AsyncBuffer;
  readonly metadata: FileMetaData;
  readonly elements: readonly Element[];
}

async function* foreignRows(
  { file, metadata, elements }: OpenParquet,
  wanted: (column: string) => boolean,
): AsyncGenerator<CsvRow> {
  // Without its type, a decimal is read as the whole number that the file holds, so that no digit is lost.
  const exact = { ...metadata, schema: metadata.schema.map(withoutDecimals) };
  const columns = elements.filter(({ name }) => wanted(name)).map(({ name }) => name);
  let line = 1;
  for (const { rowStart, rowEnd } of slicesOf(metadata)) {
    // Collect the values by column: an object for each row would take several times the memory.
    const values = new Map<string, unknown[]>(columns.map((name) => [name, []]));
    await parquetRead({
      ...READING,
      file,
      metadata: exact,
      columns,
      rowStart,
      rowEnd,
      onChunk({ columnName, columnData, rowStart: first, rowEnd: end }) {
        const column = values.get(columnName);
        for (let row = Math.max(first, rowStart); row < Math.min(end, rowEnd); row += 1) {
          column?.push(columnData[row - first]);
        }
      },
    });
    const short = columns.find((name) => values.get(name)?.length !== rowEnd - rowStart);
    if (short !== undefined) throw new CsvBroken(line, `a value of ${short} in each row`, null);
    for (let row = 0; row < rowEnd - rowStart; row += 1) {
      line += 1;
      const cells = elements.map((element) => exactCell(values.get(element.name)?.[row], element));
      yield { line, cells, malformed: null };
    }
  }
}

/** Slices of rows that end with each row group. A slice that begins within a group decodes the group from its start. */
function* slicesOf({ row_groups }: FileMetaData): Generator<{ rowStart: number; rowEnd: number }> {
  let rowStart = 0;
  for (const { num_rows } of row_groups) {
    const end = rowStart + Number(num_rows);
    for (; rowStart < end; rowStart = Math.min(rowStart + FOREIGN_SLICE_ROWS, end)) {
      yield { rowStart, rowEnd: Math.min(rowStart + FOREIGN_SLICE_ROWS, end) };
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

function withoutDecimals(element: Element): Element {
  if (element.converted_type !== 'DECIMAL') return element;
  if (element.type === 'BYTE_ARRAY')
    throw new CsvBroken(1, `decimals of a fixed length in ${element.name}, or text`, null);
  const { converted_type: _, logical_type: __, ...whole } = element;
  return whole;
}

function exactCell(value: unknown, { converted_type, scale = 0 }: Element): string | null {
  if (converted_type !== 'DECIMAL' || value === null || value === undefined) return cellOf(value, null);
  const whole = value instanceof Uint8Array ? wholeOf(value) : BigInt(value as number | bigint);
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0');
  const point = digits.length - scale;
  return `${whole < 0n ? '-' : ''}${digits.slice(0, point)}${scale === 0 ? '' : `.${digits.slice(point)}`}`;
}

/** The whole number of big-endian bytes in two's complement. */
function wholeOf(bytes: Uint8Array): bigint {
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
}

function cellOf(value: unknown, scale: number | null): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return scale === null ? String(value) : value.toFixed(scale);
  if (typeof value === 'string') return value;
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}

function isoTime(microseconds: bigint): string {
  const fraction =
    ((microseconds % MICROSECONDS_PER_SECOND) + MICROSECONDS_PER_SECOND) % MICROSECONDS_PER_SECOND;
  const seconds = (microseconds - fraction) / MICROSECONDS_PER_SECOND;
  const whole = new Date(Number(seconds) * 1_000).toISOString().slice(0, -'.000Z'.length);
  return `${whole}.${String(fraction).padStart(6, '0')}Z`;
}
