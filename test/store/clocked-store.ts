/** A store in memory whose objects are dated by a clock of the test's. */
import type { Store } from '../../src/store/store.ts';
import { memoryStore } from './memory-store.ts';

export interface ClockedStore extends Store {
  /** Every key that is there, in order. */
  keys(): string[];
  readonly objects: Map<string, Uint8Array>;
}

export function clockedStore(clock: { now: bigint }): ClockedStore {
  const objects = new Map<string, Uint8Array>();
  const created = new Map<string, bigint>();
  const inner = memoryStore(objects);
  return {
    ...inner,
    objects,
    keys: () => [...objects.keys()].toSorted(),
    async create(key, body) {
      const outcome = await inner.create(key, body);
      if (outcome === 'created') created.set(key, clock.now);
      return outcome;
    },
    async stat(key) {
      const stored = await inner.stat(key);
      return stored === null ? null : { ...stored, created_at: created.get(key) ?? 0n };
    },
  };
}
