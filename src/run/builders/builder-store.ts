/** The store of a builder process, opened and tested once for all accounts that the process builds. */
import type { Store } from '../../store/store.ts';
import { type ObjectStoreSettings, openObjectStore } from '../object-store.ts';
import { leaveMark } from '../store-mark.ts';
import { CLOCK } from '../machine.ts';

/**
 * Gives a function that opens the store, tests that it keeps its guarantees, and leaves its marker; later calls return the same
 * store. A store that failed is opened again by the next call. A process lasts for at most a hundred builds and ends with the
 * first failed one, so a store that changes is tested again soon.
 */
export function builderStore(settings: ObjectStoreSettings): () => Promise<Store> {
  let opened: Store | undefined;
  return async () => {
    if (opened !== undefined) return opened;
    const store = await openObjectStore(settings);
    await leaveMark(store, CLOCK);
    opened = store;
    return store;
  };
}
