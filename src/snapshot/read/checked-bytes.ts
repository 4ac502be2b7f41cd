/** What was read and found right, so that many readers, and one who skips about, do not read it again and again. */
import { LRUCache } from 'lru-cache';

/** Keys and bookkeeping of an entry: without it, a million tiny blocks would count as nothing. */
const ENTRY_BYTES = 256;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Bytes by their own SHA-256 in hex, the least recently used forgotten first. What stands here is right whatever
 * became of the store, because only bytes that were just held to that digest are put in.
 */
export class CheckedBytes {
  readonly #kept: LRUCache<string, Bytes>;
  readonly #coming = new Map<string, Promise<Bytes>>();

  /** Keeps up to so many bytes. */
  constructor(max_bytes: number) {
    this.#kept = new LRUCache<string, Bytes>({
      maxSize: max_bytes,
      sizeCalculation: (bytes) => bytes.length + ENTRY_BYTES,
    });
  }

  /** True for what is kept, and for what is just being read. */
  has(digest: string): boolean {
    return this.#kept.has(digest) || this.#coming.has(digest);
  }

  /**
   * What is kept, or what somebody else is reading just now, or else what `read` gives, which it has held to this
   * digest. `read` is called before this returns. It must not wait for whoever takes the bytes: others wait for it.
   */
  get(digest: string, read: () => Promise<Bytes>): Promise<Bytes> {
    const known = this.#kept.get(digest);
    if (known !== undefined) return Promise.resolve(known);
    const coming = this.#coming.get(digest);
    // What kept another from it may be theirs alone, and its message names their file.
    if (coming !== undefined) return coming.catch(read);
    const checked = read();
    this.#coming.set(digest, checked);
    const forget = (): void => {
      this.#coming.delete(digest);
    };
    checked.then((bytes) => this.#kept.set(digest, bytes)).then(forget, forget);
    return checked;
  }
}
