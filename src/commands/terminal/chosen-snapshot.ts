/** The snapshot that a command reads: named by its id, as `latest`, or by a pin. */
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
  reader: Pick<SnapshotReader, 'named'>,
  account: bigint,
  name: string,
): Promise<ReadableSnapshot> {
  const snapshot = await reader.named(account, name);
  if (snapshot !== null) return snapshot;
  throw new CrossfootError('not_found', `Account ${account} has no readable snapshot ${name}.`, {
    hint: `npx --no crossfoot snapshots --account ${account} lists its snapshots.`,
  });
}
