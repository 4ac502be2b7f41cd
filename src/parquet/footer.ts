/**
 * Reads the number of rows from the footer of a Parquet file that was just written, with another library than the one
 * that wrote it.
 */
import { parquetMetadata } from 'hyparquet';
import { CrossfootError } from '../errors.ts';

/**
 * The number of rows in a footer.
 * @param end The last bytes of a file, from its footer on or from before it.
 * @throws CrossfootError `parquet_failed` if the footer cannot be read.
 */
export function rowsOfFooter(end: Uint8Array): number {
  try {
    const { num_rows } = parquetMetadata(end, { geoparquet: false });
    // A footer may lack the field; the library's types do not say so.
    if (typeof num_rows === 'bigint') return Number(num_rows);
  } catch (cause) {
    throw unreadable(cause);
  }
  throw unreadable();
}

function unreadable(cause?: unknown): CrossfootError {
  const message = 'The Parquet file ends without a footer that can be read.';
  return new CrossfootError('parquet_failed', message, { cause });
}
