/** The program's cache: what was read, by key, up to a number of entries or bytes and up to an age. */
import { LRUCache } from 'lru-cache';

/** The most entries, or the most bytes that they may add up to, or both; what was asked for longest ago leaves first. */
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
  /** False for a value that is answered to those who wait for it and then forgotten. */
  readonly keep?: (value: Value) => boolean;
  /** Called with each value that leaves the cache. */
  readonly dispose?: (value: Value) => void;
};

interface Entry<Value> {
  readonly value: Value;
  readonly asked: number;
}

/** Reads a value anew; `before` is what is cached of it, however old. */
type Read<Value> = (before: Value | undefined) => Promise<Value>;

/**
 * Of those who ask for a key at the same time, one reads for all. A failure reaches all of them and is not cached; what
 * was cached before stays, to be read on from, and is not served once it is too old.
 *
 * Age and sharing are not left to lru-cache. Its `ttl` counts from the answer, though the source saw the question, and
 * takes an entry for fresh after the clock was set back. Its `fetch` forgets a running read when the cache is full.
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

  /** True for what is cached, however old, and for what is just being read. */
  has(key: Key): boolean {
    return this.#entries.has(key) || this.#reading.has(key);
  }

  /** What is cached, however old; undefined for nothing. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /** A fresh value: as it is cached, or else as `renew` gives it. `max_age` overrides that of the cache. */
  get(key: Key, read: Read<Value>, max_age = this.#max_age): Promise<Value> {
    const entry = this.#entries.get(key);
    const age = entry === undefined ? -1 : this.#clock() - entry.asked;
    // A clock that was set back makes the age negative: then nothing is known about it.
    if (entry !== undefined && age >= 0 && age < max_age) return Promise.resolve(entry.value);
    return this.renew(key, read);
  }

  /** What a running read of the key gives, or else `read`, which is called before this returns. */
  renew(key: Key, read: Read<Value>): Promise<Value> {
    const running = this.#reading.get(key);
    if (running !== undefined) return running;
    // Before the read: what is written to the source while it runs may be missing from the value.
    const asked = this.#clock();
    const reading = read(this.peek(key))
      .then((value) => {
        // What was deleted meanwhile stays deleted.
        if (this.#reading.get(key) !== reading) return value;
        if (this.#keep(value)) this.#entries.set(key, { value, asked });
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

  /** Forgets the key; a running read of it is not cached either. */
  delete(key: Key): void {
    this.#reading.delete(key);
    this.#entries.delete(key);
  }

  /** Waits for all running reads, then forgets everything. */
  async clear(): Promise<void> {
    await Promise.allSettled(this.#reading.values());
    this.#entries.clear();
  }
}

function bounds<Value>(options: Bounds<Value>) {
  // A count makes lru-cache allocate room for all entries at once: a short command would wait for that longer than it reads.
  if (options.max_bytes === undefined) return { maxSize: options.max_entries, sizeCalculation: () => 1 };
  const { max_entries, max_bytes, bytesOf } = options;
  return {
    ...(max_entries === undefined ? {} : { max: max_entries }),
    maxSize: max_bytes,
    sizeCalculation: ({ value }: Entry<Value>) => bytesOf(value),
  };
}
