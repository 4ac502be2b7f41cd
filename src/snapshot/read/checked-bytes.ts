/** A cache of checked bytes. So several readers, or a reader that jumps back and forth, read each block only once. */
import { Cache } from '../../cache.ts';

/** The size of an entry's key and bookkeeping, which counts too: a cache may hold a million tiny blocks. */
const ENTRY_BYTES = 256;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Bytes by their own SHA-256 in hex; the least recently used are evicted first. An entry stays right even if the store changes,
 * because bytes are added only after they were checked against their digest.
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
   * The bytes with this digest: from the cache, from a read that is running, or from `read`. `read` must check its bytes against
   * the digest and throw if they differ; then nothing is cached. `read` starts before `get` returns. It must not wait until its
   * caller takes the bytes, because other callers wait for the same read.
   */
  get(digest: string, read: () => Promise<Bytes>): Promise<Bytes> {
    let own = false;
    const bytes = this.#cache.get(digest, () => {
      own = true;
      return read();
    });
    // If the read of another caller failed, its file may be damaged while the file of this caller is whole: read that.
    return own ? bytes : bytes.catch(read);
  }
}
