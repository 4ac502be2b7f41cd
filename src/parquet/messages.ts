/** The messages between the main thread and the encoding thread. */
import type { Column } from '../tables/table.ts';
import type { Batch } from './batch.ts';

/** The first message about a file, before its batches. */
export interface EncodeJob {
  /** The name of the schema's root: the table's. */
  readonly root: string;
  readonly columns: readonly Column[];
  /** The most rows of a row group; the thread's own number if undefined. */
  readonly group_rows?: number | undefined;
  /** Columns outside the batches, each with the text of every row. */
  readonly constants: Readonly<Record<string, string>>;
  /** The metadata of the file, on its Arrow schema. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** The beginning of a file, a batch to encode, the end of the batches, or the confirmation that the sink took the bytes. */
export type ToEncoder =
  | { readonly kind: 'begin'; readonly job: EncodeJob }
  | { readonly kind: 'batch'; readonly batch: Batch }
  | { readonly kind: 'end' }
  | { readonly kind: 'taken' };

/**
 * A batch to reuse, bytes of the file (the next bytes follow after the confirmation), the end with the size of the
 * WebAssembly memory, or a failure, after which the thread encodes no further file.
 */
export type FromEncoder =
  | { readonly kind: 'free'; readonly batch: Batch }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'done'; readonly memory_bytes: number }
  | { readonly kind: 'failed'; readonly error: unknown };
