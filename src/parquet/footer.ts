/**
 * Reads the number of rows from the footer of a Parquet file that was just written, with another library than the one
 * that wrote it.
 */
import { parquetMetadata } from 'hyparquet';
import { CrossfootError } from '../errors.ts';

// A footer takes about 0.2 KB per column and row group: 1 MB for 50 columns and 10 M rows.
const TAIL_BYTES = 8 * 1024 * 1024;

/** Collects the last bytes of a file while it is written. */
export class FileTail {
  readonly #chunks: Uint8Array[] = [];
  #kept = 0;

  get heldBytes(): number {
    return this.#kept;
  }

  /** Adds a chunk, without a copy: the caller must not change its bytes. */
  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#kept += chunk.length;
    for (;;) {
      const oldest = this.#chunks[0]?.length ?? 0;
      if (oldest === 0 || this.#kept - oldest < TAIL_BYTES) return;
      this.#chunks.shift();
      this.#kept -= oldest;
    }
  }

  /** The number of rows in the footer. Throws `parquet_failed` if the footer cannot be read. */
  rowCount(): number {
    try {
      const { num_rows } = parquetMetadata(Buffer.concat(this.#chunks), { geoparquet: false });
      // A footer may lack the field; the library's types do not say so.
      if (typeof num_rows === 'bigint') return Number(num_rows);
    } catch (cause) {
      throw unreadable(cause);
    }
    throw unreadable();
  }
}

function unreadable(cause?: unknown): CrossfootError {
  const message = 'The Parquet file ends without a footer that can be read.';
  return new CrossfootError('parquet_failed', message, { cause });
}
