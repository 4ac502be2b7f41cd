/** The program's cache: values by key, with a limit on entries or bytes, and on age. */
import { LRUCache } from 'lru-cache';

/**
 * The maximum of entries, of their total bytes, or of both. The least recently used entry leaves first. A value with more
 * than `max_bytes` is cached alone: otherwise each request for it would read it again, with as many bytes in memory.
 */
type Bounds<Value> =
  | { readonly max_entries: number; readonly max_bytes?: never }
  | {
      readonly max_entries?: number;
      readonly max_bytes: number;
      readonly bytesOf: (value: Value) => number;
    };

type CacheOptions<Value> = Bounds<Value> & {
  /** How long a value is fresh, in the unit of `clock`; for ever if omitted. */
  readonly max_age?: number;
  readonly clock?: () => number;
  /** False for a value that is returned to the waiting callers and not cached. */
  readonly keep?: (value: Value) => boolean;
  /** Called with each value that leaves the cache. */
  readonly dispose?: (value: Value) => void;
};

interface Entry<Value> {
  readonly value: Value;
  /** The time at which the read of the value began, by `clock`. */
  readonly read_at: number;
}

/** Reads a value; `before` is the cached value, however old, or undefined if there is none. */
type Read<Value> = (before: Value | undefined) => Promise<Value>;

/**
 * Concurrent requests for a key share one read. If it fails, all of them get the error, and it is not cached. The earlier
 * value stays as `before` of the next read, but is not returned once it is too old.
 *
 * This class handles age and sharing itself instead of using lru-cache. The `ttl` of lru-cache counts from the end of a
 * read, but the value may be as old as the start of the read. After the clock was set back, `ttl` treats an old entry as
 * fresh. And the `fetch` of lru-cache forgets a running read when the cache is full.
 */
export class Cache<Key extends {}, Value> {
  readonly #entries: LRUCache<Key, Entry<Value>>;
  readonly #reading = new Map<Key, Promise<Value>>();
  readonly #max_age: number;
  readonly #clock: () => number;
  readonly #keep: (value: Value) => boolean;

  constructor(options: CacheOptions<Value>) {
    const { max_age = Infinity, clock = () => 0, dispose } = options;
    this.#entries = new LRUCache({
      ...bounds(options),
      ...(dispose === undefined ? {} : { dispose: ({ value }) => dispose(value) }),
    });
    this.#max_age = max_age;
    this.#clock = clock;
    this.#keep = options.keep ?? (() => true);
  }

  /** True if the key is cached, however old, or is being read. */
  has(key: Key): boolean {
    return this.#entries.has(key) || this.#reading.has(key);
  }

  /** The cached value, however old; undefined if there is none. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /**
   * The cached value if it is fresh, else the value of `renew`. `max_age` overrides the `max_age` of the cache; with 0 the value
   * is read after this call, because a read that is running may have begun before a change.
   */
  get(key: Key, read: Read<Value>, max_age = this.#max_age): Promise<Value> {
    if (max_age === 0) return this.settled(key).then(() => this.renew(key, read));
    const entry = this.#entries.get(key);
    const age = entry === undefined ? -1 : this.#clock() - entry.read_at;
    // A negative age means that the clock was set back: the real age is unknown, so read again.
    if (entry !== undefined && age >= 0 && age < max_age) return Promise.resolve(entry.value);
    return this.renew(key, read);
  }

  /** The value of a running read of the key, or else of `read`, which is called before this returns. */
  renew(key: Key, read: Read<Value>): Promise<Value> {
    const running = this.#reading.get(key);
    if (running !== undefined) return running;
    // Take the time before the read: the value may lack changes made during the read.
    const read_at = this.#clock();
    const reading = read(this.peek(key))
      .then((value) => {
        // Do not cache the value if the key was deleted during the read.
        if (this.#reading.get(key) !== reading) return value;
        if (this.#keep(value)) this.#entries.set(key, { value, read_at });
        else this.#entries.delete(key);
        return value;
      })
      .finally(() => {
        if (this.#reading.get(key) === reading) this.#reading.delete(key);
      });
    this.#reading.set(key, reading);
    return reading;
  }

  /** Resolves once no read of the key is running, however it ended. */
  async settled(key: Key): Promise<void> {
    await this.#reading.get(key)?.catch(() => undefined);
  }

  /** Removes the key; the value of a running read is not cached either. */
  delete(key: Key): void {
    this.#reading.delete(key);
    this.#entries.delete(key);
  }

  /** Waits for all running reads, then removes all entries. */
  async clear(): Promise<void> {
    await Promise.allSettled(this.#reading.values());
    this.#entries.clear();
  }
}

function bounds<Value>(options: Bounds<Value>) {
  // With `max`, lru-cache allocates space for all entries when it is created: a short command would take longer for that
  // than for its reads.
  if (options.max_bytes === undefined) return { maxSize: options.max_entries, sizeCalculation: () => 1 };
  const { max_entries, max_bytes, bytesOf } = options;
  return {
    ...(max_entries === undefined ? {} : { max: max_entries }),
    maxSize: max_bytes,
    sizeCalculation: ({ value }: Entry<Value>) => Math.min(bytesOf(value), max_bytes),
  };
}
