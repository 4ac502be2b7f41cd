/**
 * The object store: where snapshots live. Safety stands on one primitive, create-if-absent; nothing is ever
 * overwritten. Two implementations exist, a folder and a bucket; `test/store/contract.ts` holds both to this page.
 *
 * Failures come in two kinds. `store_unavailable` is an answer: it was refused, and trying again is pointless.
 * `store_outcome_unknown` is the lack of one (a timeout, a reset, a 5xx): the call may have been applied, so the
 * caller sends the very same again, or rereads.
 */

/** Bytes that can be read again from their start, so that a retry sends the very same. */
export interface Content {
  readonly size: number;
  /** Lower-case hex; an implementation refuses with `store_checksum_mismatch` when the bytes differ from it. */
  readonly sha256: string;
  readonly open: () => AsyncIterable<Uint8Array>;
}

export interface StoredObject {
  readonly size: number;
  /** When the storage itself says the object was made: microseconds since 1970. */
  readonly created_at: bigint;
}

/** What a process may do that only reads: it needs no right to write, and the store may be mounted read-only. */
export interface StoreReader {
  /** The whole object, or null if absent; more than `cap_bytes` is refused with `store_object_too_large`. */
  readSmall(key: string, cap_bytes: number): Promise<Uint8Array | null>;

  /** Size and age, or null if absent. */
  stat(key: string): Promise<StoredObject | null>;

  /**
   * Exactly `length` bytes from `offset` on, in pieces of any size; an object that is absent or too short ends
   * with `store_object_missing`. Leaving the loop early frees what is held.
   */
  readRange(key: string, offset: number, length: number): AsyncIterable<Uint8Array>;

  /**
   * The keys below `prefix` (which ends in `/`), in ascending order, fetched page by page while they are read.
   * A hint, never a proof: a bucket's listing may be older than its objects.
   */
  list(prefix: string): AsyncIterable<string>;
}

export interface Store extends StoreReader {
  /**
   * Makes the object unless one with this key is there. Of any number of concurrent calls exactly one gets
   * `created`. Either answer means that a whole object with this key is durable; after an error there is a whole
   * one or none, never a part.
   */
  create(key: string, body: Uint8Array | Content): Promise<'created' | 'exists'>;

  /** Removes the object; one that is absent is no error. */
  delete(key: string): Promise<void>;
}
