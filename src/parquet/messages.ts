/** What the main thread and the encoding thread say to each other. */
import type { Column } from '../tables/table.ts';
import type { Batch } from './batch.ts';

/** What the encoding thread must know of a file before its batches. */
export interface EncodeJob {
  readonly columns: readonly Column[];
  /** Columns that are in no batch, each with the text it holds in every row. */
  readonly constants: Readonly<Record<string, string>>;
  /** What the file says of itself, on its Arrow schema. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** The beginning of a file, a batch to encode, the end of the batches, or the word that the last bytes were taken. */
export type ToEncoder =
  | { readonly kind: 'begin'; readonly job: EncodeJob }
  | { readonly kind: 'batch'; readonly batch: Batch }
  | { readonly kind: 'end' }
  | { readonly kind: 'taken' };

/**
 * A batch to be used again, bytes of the file (the next follow when these are taken), the end with the memory that
 * WebAssembly has by now, or a failure, after which the thread takes no further file.
 */
export type FromEncoder =
  | { readonly kind: 'free'; readonly batch: Batch }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'done'; readonly memory_bytes: number }
  | { readonly kind: 'failed'; readonly error: unknown };
