/**
 * A tombstone is written in place of the manifest of an abandoned build. The builder can then no longer create its
 * manifest, so it cannot publish, however late it wakes up.
 */
import type { Clock } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { Store } from '../../store/store.ts';
import { encodeCanonical } from '../format/canonical-json.ts';
import { manifestKey } from '../format/keys.ts';
import { MANIFEST_CAP_BYTES } from '../format/manifest.ts';

const TOMBSTONE = encodeCanonical({ aborted: true });

/** What the key of a build's manifest holds. */
export type Fence = 'none' | 'tombstone' | 'manifest';

/** Reads what the key of a build's manifest holds; writes nothing. */
export async function lookAtFence(store: Store, clock: Clock, prefix: string): Promise<Fence> {
  const bytes = await untilAnswered(clock, () => store.readSmall(manifestKey(prefix), MANIFEST_CAP_BYTES));
  if (bytes === null) return 'none';
  return Buffer.from(bytes).equals(TOMBSTONE) ? 'tombstone' : 'manifest';
}

/** Creates the tombstone unless the manifest exists already; returns what is there now. */
export async function fenceOff(
  store: Store,
  clock: Clock,
  prefix: string,
): Promise<'tombstone' | 'manifest'> {
  await untilAnswered(clock, () => store.create(manifestKey(prefix), TOMBSTONE));
  return (await lookAtFence(store, clock, prefix)) === 'tombstone' ? 'tombstone' : 'manifest';
}
