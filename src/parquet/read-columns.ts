/**
 * Reads a Parquet file, a few thousand rows at a time. Memory holds the requested columns of one stored row group and the
 * values of one piece, for a file of any length.
 */
import { type AsyncBuffer, type FileMetaData, parquetRead } from 'hyparquet';
import type { StoredValue } from './column-pages.ts';
import {
  AS_STORED,
  chunksOf,
  find,
  type Held,
  held,
  openFile,
  type ParquetSource,
  slicer,
  type StoredGroup,
} from './open-file.ts';
import { type Piece, PIECE_ROWS, readChosen, type ReadOptions } from './read-chosen.ts';

/**
 * The rows of these columns in the order of the file; a column that the file lacks has an empty array. `turn` is awaited
 * after each column, so that other work can run: decoding a column takes milliseconds. A piece never crosses two row groups.
 */
export async function* readColumns(
  source: ParquetSource,
  names: readonly string[],
  turn: () => Promise<void>,
  { file, from = 0, to = Infinity, ...chosen }: ReadOptions = {},
): AsyncGenerator<Piece> {
  const opened = file ?? (await openFile(source));
  const { metadata, groups, tail } = opened;
  const slice = slicer(source);
  const has = new Set(metadata.schema.map(({ name }) => name));
  for (const [index, { first, rows }] of groups.entries()) {
    const end = Math.min(first + rows, to);
    let rowStart = Math.max(first, from);
    if (rowStart >= end) continue;
    if (chosen.at !== undefined || chosen.where !== undefined) {
      yield* readChosen({ source, file: opened, index, names, turn }, { from: rowStart, to: end, ...chosen });
      continue;
    }
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
