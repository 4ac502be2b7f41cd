/**
 * The collector's fence: a manifest that says that its build was given up. Whoever made that build can no longer
 * create the manifest, so it cannot be published any more, however late it wakes up.
 */
import type { Pace } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { Store } from '../../store/store.ts';
import { encodeCanonical } from '../format/canonical-json.ts';
import { manifestKey } from '../format/keys.ts';
import { MANIFEST_CAP_BYTES } from '../format/manifest.ts';

const TOMBSTONE = encodeCanonical({ aborted: true });

/** What stands in the place of a build's manifest. */
export type Fence = 'none' | 'tombstone' | 'manifest';

/** Looks, and writes nothing. */
export async function lookAtFence(store: Store, pace: Pace, prefix: string): Promise<Fence> {
  const bytes = await untilAnswered(pace, () => store.readSmall(manifestKey(prefix), MANIFEST_CAP_BYTES));
  if (bytes === null) return 'none';
  return Buffer.from(bytes).equals(TOMBSTONE) ? 'tombstone' : 'manifest';
}

/** Puts the fence up unless a manifest stands there already, and says which of them does. */
export async function fenceOff(store: Store, pace: Pace, prefix: string): Promise<'tombstone' | 'manifest'> {
  await untilAnswered(pace, () => store.create(manifestKey(prefix), TOMBSTONE));
  return (await lookAtFence(store, pace, prefix)) === 'tombstone' ? 'tombstone' : 'manifest';
}
