/** A cache of checked bytes: several readers, or a reader that jumps back and forth, then read each block only once. */
import { Cache } from '../../cache.ts';

/** Size of an entry's key and bookkeeping. Without it, a million tiny blocks would count as nothing. */
const ENTRY_BYTES = 256;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Bytes by their own SHA-256 in hex; the least recently used leave first. An entry is right even if the store has changed,
 * because only bytes that were just checked against that digest are added.
 */
export class CheckedBytes {
  readonly #cache: Cache<string, Bytes>;

  /** `max_bytes`: the maximum of cached bytes. */
  constructor(max_bytes: number) {
    this.#cache = new Cache({ max_bytes, bytesOf: (bytes) => bytes.length + ENTRY_BYTES });
  }

  /** True if the bytes are cached or are being read. */
  has(digest: string): boolean {
    return this.#cache.has(digest);
  }

  /**
   * The cached bytes, or those of a running read, or else those of `read`. `read` checks its bytes against the digest and
   * throws if they differ: nothing is then cached or returned. It is called before this returns, and must not wait for
   * the caller to take the bytes, because other callers wait for the same read.
   */
  get(digest: string, read: () => Promise<Bytes>): Promise<Bytes> {
    let own = false;
    const bytes = this.#cache.get(digest, () => {
      own = true;
      return read();
    });
    // The read of another caller failed. That caller's file may be damaged and ours whole: read ours.
    return own ? bytes : bytes.catch(read);
  }
}
