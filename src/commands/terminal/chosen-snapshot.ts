/** The snapshot that a command names: by its id, or the newest. */
import type { Settings } from '../../config.ts';
import { CrossfootError } from '../../errors.ts';
import { createReader } from '../../snapshot/read/reader.ts';
import type { SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { openStoreToRead } from '../../run/object-store.ts';
import { CLOCK } from '../../run/machine.ts';

interface ChosenSnapshot {
  readonly reader: SnapshotReader;
  readonly snapshot: ReadableSnapshot;
}

/** Opens the store and finds the snapshot, by its id or as `latest`. Throws if the account has no such readable snapshot. */
export async function openChosenSnapshot(
  settings: Settings,
  account: bigint,
  id: string,
): Promise<ChosenSnapshot> {
  const store = await openStoreToRead(settings);
  const reader = createReader({ store, now: CLOCK.now, onFault: () => undefined });
  const snapshot = await (id === 'latest' ? reader.latest(account) : reader.pinned(account, id));
  if (snapshot !== null) return { reader, snapshot };
  throw new CrossfootError('not_found', `Account ${account} has no readable snapshot ${id}.`, {
    hint: `npx --no crossfoot snapshots --account ${account} lists its snapshots.`,
  });
}
