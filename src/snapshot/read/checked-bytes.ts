/** What was read and found right, so that many readers, and one who skips about, do not read it again and again. */
import { Cache } from '../../cache.ts';

/** Keys and bookkeeping of an entry: without it, a million tiny blocks would count as nothing. */
const ENTRY_BYTES = 256;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Bytes by their own SHA-256 in hex, the least recently used forgotten first. What stands here is right whatever
 * became of the store, because only bytes that were just held to that digest are put in.
 */
export class CheckedBytes {
  readonly #cache: Cache<string, Bytes>;

  /** Keeps up to so many bytes. */
  constructor(max_bytes: number) {
    this.#cache = new Cache({ max_bytes, bytesOf: (bytes) => bytes.length + ENTRY_BYTES });
  }

  /** True for what is kept, and for what is just being read. */
  has(digest: string): boolean {
    return this.#cache.has(digest);
  }

  /**
   * What is kept, or what somebody else is reading just now, or else what `read` gives, which it has held to this
   * digest. `read` is called before this returns. It must not wait for whoever takes the bytes: others wait for it.
   */
  get(digest: string, read: () => Promise<Bytes>): Promise<Bytes> {
    let own = false;
    const bytes = this.#cache.get(digest, () => {
      own = true;
      return read();
    });
    // What kept another from it may be theirs alone, and its message names their file.
    return own ? bytes : bytes.catch(read);
  }
}
