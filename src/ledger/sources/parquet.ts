/** Reads a Parquet file as rows of texts, a slice of rows at a time. */
import { zstdDecompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { CsvBroken, type CsvRow } from '../load/csv.ts';

const SLICE_ROWS = 20_000;
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

/** Yields the names of the columns, then the rows; the first row is line 2. Throws `CsvBroken` at what cannot be read. */
export async function* readParquet(path: string): AsyncGenerator<CsvRow> {
  let line = 1;
  try {
    const file = await asyncBufferFromFile(path);
    const metadata = await parquetMetadataAsync(file);
    const [root, ...elements] = metadata.schema;
    if (root?.num_children !== elements.length)
      throw new CsvBroken(1, 'columns of plain values, not of lists', null);
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
        const cells = columns.map((name, place) => cellOf(row[name], scales[place] ?? null));
        yield { line, cells, malformed: null };
      }
    }
  } catch (error) {
    if (error instanceof CsvBroken) throw error;
    throw new CsvBroken(line, 'a Parquet file that can be read', error);
  }
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
