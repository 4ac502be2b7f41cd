/** The fake snapshots, of which an older one has a pin: a route that answers the newest for each pin is seen. */
import type { ReadableSnapshot } from '../../src/snapshot/format/served-manifest.ts';
import { instantOf } from '../support/instant-of.ts';
import { EARLIER, FakeSnapshots } from './fake-parts.ts';

export const PIN_NAME = 'close-2026-10';

export class PinnedSnapshots extends FakeSnapshots {
  override async list(account_id: bigint): Promise<readonly ReadableSnapshot[]> {
    return (await super.list(account_id)).map(withPin);
  }

  override async latest(account_id: bigint): Promise<ReadableSnapshot | null> {
    const snapshot = await super.latest(account_id);
    return snapshot === null ? null : withPin(snapshot);
  }

  override async pinned(account_id: bigint, snapshot_id: string): Promise<ReadableSnapshot | null> {
    const snapshot = await super.pinned(account_id, snapshot_id);
    return snapshot === null ? null : withPin(snapshot);
  }
}

function withPin(snapshot: ReadableSnapshot): ReadableSnapshot {
  return snapshot.snapshot_id === EARLIER ? { ...snapshot, pins: [PIN] } : snapshot;
}

const PIN = {
  name: PIN_NAME,
  at: instantOf('2026-11-19T03:00:00.000000Z'),
  until: instantOf('2027-12-25T00:00:00.000000Z'),
};
