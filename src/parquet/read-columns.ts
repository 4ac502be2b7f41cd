/**
 * Reads a Parquet file, a few thousand rows at a time. Memory holds the requested columns of one stored row group and the
 * values of one piece, for a file of any length.
 */
import { openFile, type ParquetSource } from './open-file.ts';
import { type Piece, readChosen, type ReadOptions } from './read-chosen.ts';

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
  for (const [index, { first, rows }] of opened.groups.entries()) {
    const range = { from: Math.max(first, from), to: Math.min(first + rows, to) };
    if (range.from >= range.to) continue;
    yield* readChosen({ source, file: opened, index, names, turn }, { ...range, ...chosen });
  }
}
