/** Whether the object store still answers with what is in it: an unmounted folder looks like an empty one. */
import { CrossfootError } from '../errors.ts';
import type { Store } from '../store/store.ts';

// Beside the objects of the self-test, under a name that chance does not give.
const MARK = 'v1/probe/00000000-0000-0000-0000-000000000000';

/** Leaves a mark, once for all servers, and gives what fails unless it can be found again. */
export async function markStore(store: Store): Promise<() => Promise<void>> {
  await store.create(MARK, Buffer.from('{}'));
  return async () => {
    if ((await store.stat(MARK)) !== null) return;
    throw new CrossfootError('store_object_missing', 'What this server left in the object store is gone.', {
      hint: 'Look whether OBJECT_STORE is mounted and holds v1.',
    });
  };
}
