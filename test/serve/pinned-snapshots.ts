/** The fake snapshots, of which the newest has a pin. */
import type { ReadableSnapshot } from '../../src/snapshot/format/served-manifest.ts';
import { instantOf } from '../support/instant-of.ts';
import { FakeSnapshots, LATEST } from './fake-parts.ts';

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
  return snapshot.snapshot_id === LATEST ? { ...snapshot, pins: [PIN] } : snapshot;
}

const PIN = {
  name: PIN_NAME,
  at: instantOf('2026-11-20T03:00:00.000000Z'),
  until: instantOf('2027-12-25T00:00:00.000000Z'),
};
