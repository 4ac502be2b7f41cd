/** A marker object that builds write to the store, so that readers notice a missing store: an unmounted folder looks empty. */
import { CrossfootError } from '../errors.ts';
import type { Clock } from '../clock.ts';
import { untilAnswered } from '../store/retry.ts';
import type { Store, StoreReader } from '../store/store.ts';

// Beside the objects of the self-test, with an id that no random id equals.
const MARK = 'v1/probe/00000000-0000-0000-0000-000000000000';

/** Writes the marker; one marker serves all processes. */
export async function leaveMark(store: Store, clock: Clock): Promise<void> {
  await untilAnswered(clock, () => store.create(MARK, Buffer.from('{}')));
}

/**
 * Returns a check that rejects when the store does not answer, or when the marker has disappeared. A store without the
 * marker passes: no build has run yet.
 */
export async function watchMark(store: StoreReader, clock: Clock): Promise<() => Promise<void>> {
  let existed = (await untilAnswered(clock, () => store.stat(MARK))) !== null;
  return async () => {
    const there = (await store.stat(MARK)) !== null;
    if (existed && !there) {
      throw new CrossfootError(
        'store_object_missing',
        'The marker object of the object store has disappeared.',
        {
          hint: 'Check that OBJECT_STORE is mounted and contains v1.',
        },
      );
    }
    existed = there;
  };
}
