/**
 * The object store, which holds the snapshots. Safety depends on one primitive, create-if-absent: nothing is ever
 * overwritten. There are two implementations, a folder and a bucket; `test/store/contract.ts` tests both.
 *
 * After `store_outcome_unknown` no usable answer came (a timeout, a reset, a 5xx), and the call may have been applied: the
 * caller retries the same call or reads again. After any other failure, such as `store_unavailable`, a retry is pointless.
 */
import type { Signing } from '../signing/keys.ts';
import type { Instant } from '../instant.ts';

/** Bytes that can be read again from the start, so that a retry sends the same bytes. */
export interface Content {
  readonly size: number;
  /** Lower-case hex. The store throws `store_checksum_mismatch` if the bytes differ. */
  readonly sha256: string;
  readonly open: () => AsyncIterable<Uint8Array>;
}

export interface StoredObject {
  readonly size: number;
  /** When the object was created, by the store's own clock. */
  readonly created_at: Instant;
}

/** Gives memory of this length, with any content. */
export type Memory = (length: number) => Uint8Array<ArrayBuffer>;

/** The reading part of a store. It needs no right to write; the store may be mounted read-only. */
export interface StoreReader {
  /**
   * The keys that sign what is published here, and those whose signatures count; without it nothing is signed or checked. A
   * reader's may change while it runs: another object then.
   */
  readonly signing?: Signing;

  /** The whole object; null if it is missing. Throws `store_object_too_large` if it has more than `cap_bytes`. */
  readSmall(key: string, cap_bytes: number): Promise<Uint8Array | null>;

  /** Size and creation time; null if the object is missing. */
  stat(key: string): Promise<StoredObject | null>;

  /**
   * Exactly `length` bytes from `offset` on, in pieces of any size. Throws `store_object_missing` if the object is missing
   * or too short. Leaving the loop early closes the file or connection. `memory` gives the bytes to read into; a store may
   * ignore it.
   */
  readRange(key: string, offset: number, length: number, memory?: Memory): AsyncIterable<Uint8Array>;

  /**
   * The keys that begin with `prefix` (which ends in `/`), in ascending order, fetched page by page. A listing proves
   * nothing: a bucket's listing may be older than its objects.
   */
  list(prefix: string): AsyncIterable<string>;
}

export interface Store extends StoreReader {
  /**
   * Creates the object unless the key exists. Of any number of concurrent calls exactly one returns `created`. Either
   * result means that a whole object with this key is durable. After an error there is a whole object or none. `onDigest` is
   * called with the SHA-256 of the created object, in lower-case hex, if the store computed it: see `computesDigests`.
   */
  create(
    key: string,
    body: Uint8Array | Content,
    onDigest?: (sha256: string) => void,
  ): Promise<'created' | 'exists'>;

  /**
   * Tests, by two keys that are deleted afterwards, if the store itself computes the SHA-256 of what it receives: it refuses
   * an object with a wrong one, and states the right one in its answer and later. Only after this returned true does `create`
   * call `onDigest`. A store without this method states none.
   */
  readonly computesDigests?: (wrong: string, right: string) => Promise<boolean>;

  /** Deletes the object; a missing object is no error. */
  delete(key: string): Promise<void>;
}

/** A small object, and its version when it was read. */
export interface Versioned {
  readonly bytes: Uint8Array;
  readonly version: string;
}

/** A store whose small objects may be replaced. What is published is never replaced: only `latest.json` of a delivery is. */
export interface ReplacingStore extends Store {
  /** As `readSmall`, with the version of the object. */
  readVersion(key: string, cap_bytes: number): Promise<Versioned | null>;

  /**
   * Replaces the object of this version; null: creates it. `changed` means that there is another version, and nothing was
   * written. In a folder no other process may replace the object at the same time.
   */
  replace(key: string, body: Uint8Array, version: string | null): Promise<'changed' | 'replaced'>;
}
