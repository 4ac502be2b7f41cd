/** Reads the store's own clock: it creates an object and reads the object's time. */
import { CrossfootError } from '../errors.ts';
import type { Store } from './store.ts';
import type { Instant } from '../instant.ts';

/** The time by the clock that sets `created_at` of every object; a bucket's clock has whole seconds. */
export async function readStoreClock(store: Store, randomUuid: () => string): Promise<Instant> {
  const key = `v1/probe/${randomUuid()}`;
  await store.create(key, Buffer.from('clock'));
  const probe = await store.stat(key);
  await store.delete(key);
  if (probe !== null) return probe.created_at;
  throw new CrossfootError('store_object_missing', 'store: an object that was just created is missing.', {
    data: { key },
  });
}
