/** The messages between the main thread and the encoding thread. */
import type { Column } from '../tables/table.ts';
import type { Batch } from './batch.ts';

/** The first message about a file, before its batches. */
export interface EncodeJob {
  /** The name of the root of the Parquet schema: the name of the table. */
  readonly root: string;
  readonly columns: readonly Column[];
  /** The maximum of rows in a row group; the default of the thread if omitted. */
  readonly group_rows?: number | undefined;
  /** Columns that the batches do not have, each with the text that every row has. */
  readonly constants: Readonly<Record<string, string>>;
  /** The metadata of the file, which is stored in its Arrow schema. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** The beginning of a file, a batch to encode, the end of the batches, or the confirmation that the sink took the bytes. */
export type ToEncoder =
  | { readonly kind: 'begin'; readonly job: EncodeJob }
  | { readonly kind: 'batch'; readonly batch: Batch }
  | { readonly kind: 'end' }
  | { readonly kind: 'taken' };

/**
 * A batch to reuse, bytes of the file (the next bytes follow after the confirmation), its last bytes, which are the footer,
 * the end with the size of the WebAssembly memory, or a failure, after which the thread encodes no further file.
 */
export type FromEncoder =
  | { readonly kind: 'free'; readonly batch: Batch }
  | { readonly kind: 'bytes' | 'footer'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'done'; readonly memory_bytes: number }
  | { readonly kind: 'failed'; readonly error: unknown };
