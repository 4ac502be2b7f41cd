/** A cache of open files: a file that leaves the cache is closed once its last user is done. */
import { Cache } from '../cache.ts';

interface OpenFile {
  readonly size_bytes: number;
  close(): Promise<void>;
}

interface Held<File> {
  readonly file: File;
  users: number;
  /** True once it has left the cache: the last user closes it. */
  dropped: boolean;
}

export interface HeldCache<File> {
  /** Calls `work` with the file of this key; if it is not cached, `make` makes it. Afterwards the file may be evicted. */
  use<Result>(key: string, make: () => Promise<File>, work: (file: File) => Promise<Result>): Promise<Result>;
  clear(): Promise<void>;
}

/** An empty file takes a byte, because a cache entry must have a size. */
function bytesOf({ size_bytes }: OpenFile): number {
  return size_bytes + 1;
}

/** An empty cache with these limits on the number and the total size of its files. */
export function heldCache<File extends OpenFile>(limits: {
  readonly max_entries: number;
  readonly max_bytes: number;
}): HeldCache<File> {
  const cache = new Cache<string, Held<File>>({
    ...limits,
    bytesOf: ({ file }: Held<File>) => bytesOf(file),
    // Files are on disk: a file above the limit is not kept.
    keep: ({ file }: Held<File>) => bytesOf(file) <= limits.max_bytes,
    dispose: (one: Held<File>) => {
      one.dropped = true;
      if (one.users === 0) void one.file.close();
    },
  });
  return {
    async use(key, make, work) {
      const one = await cache.get(key, async () => ({ file: await make(), users: 0, dropped: false }));
      one.users += 1;
      // The cache does not keep a file that is too large for it. Then its last user closes it.
      if (cache.peek(key) !== one) one.dropped = true;
      try {
        return await work(one.file);
      } finally {
        one.users -= 1;
        if (one.dropped && one.users === 0) await one.file.close();
      }
    },
    clear: () => cache.clear(),
  };
}
