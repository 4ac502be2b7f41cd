/** The messages between the prove page and its worker. */
import type { Proof } from './prove.ts';

export type Request =
  /** Loads the snapshot and proves it. Addresses are absolute. */
  | {
      readonly kind: 'start';
      readonly snapshot_id: string;
      /** The address of the page. */
      readonly page: string;
      /** The address of the public keys. */
      readonly keys: string;
      /** The key that the reader entered; null to trust the keys that the server lists. */
      readonly key: string | null;
    }
  /** Proves the snapshot again from the bytes in memory. */
  | { readonly kind: 'again'; readonly key: string | null }
  | { readonly kind: 'cancel' };

export type WorkerAnswer =
  | { readonly kind: 'loading' | 'checking'; readonly done: number; readonly total: number }
  | { readonly kind: 'proof'; readonly proof: Proof }
  | { readonly kind: 'cancelled' }
  /** A sentence. */
  | { readonly kind: 'failed'; readonly message: string };
