/** The snapshot that a command reads: named by its id, as `latest`, or by a pin. */
import type { Settings } from '../../config.ts';
import { CrossfootError } from '../../errors.ts';
import { createReader } from '../../snapshot/read/reader.ts';
import type { SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import { findNamed } from '../../snapshot/format/named-snapshot.ts';
import { isSnapshotId, LATEST } from '../../snapshot/format/snapshot-id.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { openStoreToRead } from '../../run/object-store.ts';
import { CLOCK } from '../../run/machine.ts';

interface ChosenSnapshot {
  readonly reader: SnapshotReader;
  readonly snapshot: ReadableSnapshot;
}

/** Opens the store and finds the snapshot. Throws if the account has no readable snapshot of that name. */
export async function openChosenSnapshot(
  settings: Settings,
  account: bigint,
  name: string,
): Promise<ChosenSnapshot> {
  const store = await openStoreToRead(settings);
  const reader = createReader({ store, now: CLOCK.now, onFault: () => undefined });
  return { reader, snapshot: await requireNamed(reader, account, name) };
}

/** The snapshot of that name: an id, `latest`, or a pin, which means the newest snapshot with this pin. */
export async function requireNamed(
  reader: Pick<SnapshotReader, 'latest' | 'list' | 'pinned'>,
  account: bigint,
  name: string,
): Promise<ReadableSnapshot> {
  const snapshot = await (name === LATEST
    ? reader.latest(account)
    : isSnapshotId(name)
      ? reader.pinned(account, name)
      : reader.list(account).then((listed) => findNamed(listed, name)));
  if (snapshot !== null && snapshot !== undefined) return snapshot;
  throw new CrossfootError('not_found', `Account ${account} has no readable snapshot ${name}.`, {
    hint: `npx --no crossfoot snapshots --account ${account} lists its snapshots.`,
  });
}
