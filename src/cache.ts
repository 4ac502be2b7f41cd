/** What was read last, up to a number of entries. */
import { LRUCache } from 'lru-cache';

/**
 * Forgets the entry that was asked for longest ago when there are more than `most`. By size and not by count: a cache
 * with a count makes room for all of them at once, which takes a reader that is opened for one command longer than
 * what it reads.
 */
export function boundedMap<Key extends {}, Value extends {}>(most: number): LRUCache<Key, Value> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
}
