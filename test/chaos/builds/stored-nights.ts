/** Two snapshots of one account as the real code published them, in a store whose every byte is at hand. */
import { buildPrefix } from '../../../src/snapshot/format/keys.ts';
import { publish, type AuditedBuild } from '../../../src/snapshot/builder/publish.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import { snapshotIdOf } from '../../../src/snapshot/format/snapshot-id.ts';
import { clockOf } from '../../snapshot/keep/prune-harness.ts';
import { memoryStore } from '../../store/memory-store.ts';

const DAY = 86_400_000_000n;
/** Before the hour at which the application of the tests stands. */
export const NIGHT = 1_795_140_000_000_000n;

export interface StoredNight {
  readonly snapshot_id: string;
  readonly prefix: string;
}

export interface StoredNights {
  /** Every object by its key; to be copied, not changed. */
  readonly objects: ReadonlyMap<string, Uint8Array>;
  /** The oldest first. */
  readonly nights: readonly StoredNight[];
}

/** Publishes so many nights of the account, the last of them at `NIGHT`. */
export async function storeNights(
  account_id: bigint,
  count: number,
  files: Pick<AuditedBuild, 'tables' | 'files'>,
): Promise<StoredNights> {
  const objects = new Map<string, Uint8Array>();
  const store = memoryStore(objects);
  const nights: StoredNight[] = [];
  for (let number = 1; number <= count; number += 1) {
    const generated_at = NIGHT - BigInt(count - number) * DAY;
    const nonce = `${account_id}${number}`.padStart(32, '0');
    await publish(
      {
        ...files,
        account_id,
        nonce,
        night: '2026-11-20',
        once: false,
        builder: 'chaos',
        generated_at,
        changes_from: null,
        pg_snapshot: '1:1:',
        left_out: { cost: [], value: [] },
        versions: { writer: 'crossfoot 0', audit_engine: 'duckdb', postgres: '18' },
      },
      await readLog(store, account_id),
      { store, clock: clockOf({ now: generated_at }) },
    );
    const snapshot_id = snapshotIdOf(generated_at);
    nights.push({ snapshot_id, prefix: buildPrefix(account_id, snapshot_id, nonce) });
  }
  return { objects, nights };
}
