import type { CrossfootError } from '../../../src/errors.ts';
import { createReader } from '../../../src/snapshot/read/reader.ts';
import type { Store } from '../../../src/store/store.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { type aBuild, DAY, MIDNIGHT, publishNow } from '../builder/build-harness.ts';

/** A store with these builds published, a clock to turn, and a count of the calls made by the reader. */
export async function published(...builds: readonly ReturnType<typeof aBuild>[]) {
  const objects = new Map<string, Uint8Array>();
  const store = memoryStore(objects);
  for (const build of builds) await publishNow(store, build);
  const calls: string[] = [];
  const counted: Store = {
    ...store,
    readSmall: (key, cap) => {
      calls.push(key);
      return store.readSmall(key, cap);
    },
    list: (prefix) => {
      calls.push(prefix);
      return store.list(prefix);
    },
  };
  const clock = { now: MIDNIGHT + DAY };
  const faults: CrossfootError[] = [];
  const reader = createReader({
    store: counted,
    now: () => clock.now,
    onFault: (fault) => faults.push(fault),
  });
  return { objects, store, calls, clock, reader, faults };
}
