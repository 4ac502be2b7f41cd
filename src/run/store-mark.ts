/** A mark that builds leave in the store, so that readers notice when the store is gone: an unmounted folder looks empty. */
import { CrossfootError } from '../errors.ts';
import type { Pace } from '../clock.ts';
import { untilAnswered } from '../store/retry.ts';
import type { Store, StoreReader } from '../store/store.ts';

// Beside the objects of the self-test, under a name that chance does not give.
const MARK = 'v1/probe/00000000-0000-0000-0000-000000000000';

/** Leaves the mark; one mark serves all processes. */
export async function leaveMark(store: Store, pace: Pace): Promise<void> {
  await untilAnswered(pace, () => store.create(MARK, Buffer.from('{}')));
}

/**
 * Gives a check that fails when the store does not answer, or when the mark was there and is gone. A store without
 * the mark passes: no build has begun yet.
 */
export async function watchMark(store: StoreReader, pace: Pace): Promise<() => Promise<void>> {
  let seen = (await untilAnswered(pace, () => store.stat(MARK))) !== null;
  return async () => {
    const there = (await store.stat(MARK)) !== null;
    if (seen && !there) {
      throw new CrossfootError(
        'store_object_missing',
        'The mark of the object store was there and is gone.',
        {
          hint: 'Look whether OBJECT_STORE is mounted and holds v1.',
        },
      );
    }
    seen = there;
  };
}
