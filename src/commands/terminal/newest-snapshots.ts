/** The newest snapshot of each account, read from the store. */
import { glanceAtHead } from '../../snapshot/read/read-log.ts';
import type { Manifest } from '../../snapshot/format/manifest.ts';
import { snapshotStatus } from '../../snapshot/format/snapshot-status.ts';
import { readMarks } from '../../snapshot/read/read-marks.ts';
import { secondOfSnapshotId } from '../../snapshot/format/snapshot-id.ts';
import type { StoreReader } from '../../store/store.ts';
import { leftOutOfEntry } from '../../run/left-out.ts';
import { type Instant, SECOND } from '../../instant.ts';

/** The number of accounts read at the same time: three calls each, to a store that answers in about ten milliseconds. */
const AT_ONCE = 16;
export interface NewestSnapshot {
  readonly account_id: bigint;
  /** Null, like the following fields, if the account has no snapshot. */
  readonly snapshot_id: string | null;
  /** The night for which it was published. */
  readonly night: string | null;
  /** Seconds since the moment at which the build read the ledger; null if the account has no snapshot. */
  readonly age_seconds: number | null;
  /** Its files that a scrub found damaged. */
  readonly damaged: readonly string[];
  /** The account's snapshots with damaged files, newest first. */
  readonly damaged_snapshots: readonly DamagedSnapshot[];
  /** Amounts that its totals leave out; null if its manifest does not state them. */
  readonly left_out: Manifest['left_out'];
}

/** The newest snapshot of each account: accounts without a snapshot first, then the oldest snapshot first. */
export async function readNewestSnapshots(
  store: StoreReader,
  accounts: readonly bigint[],
  now: Instant,
): Promise<readonly NewestSnapshot[]> {
  const newest: NewestSnapshot[] = [];
  for (let first = 0; first < accounts.length; first += AT_ONCE) {
    const some = accounts.slice(first, first + AT_ONCE);
    newest.push(...(await Promise.all(some.map((account_id) => newestOf(store, account_id, now)))));
  }
  return newest.toSorted((a, b) => (b.age_seconds ?? Infinity) - (a.age_seconds ?? Infinity) || 0);
}

async function newestOf(store: StoreReader, account_id: bigint, now: Instant): Promise<NewestSnapshot> {
  const entry = await glanceAtHead(store, account_id);
  const damaged = entry === null ? [] : await damagedSnapshots(store, account_id);
  const moment = entry === null ? null : secondOfSnapshotId(entry.snapshot_id);
  return {
    account_id,
    snapshot_id: entry?.snapshot_id ?? null,
    night: entry?.night ?? null,
    age_seconds: moment === null ? null : Number((now - moment) / SECOND),
    damaged: damaged.find(({ snapshot_id }) => snapshot_id === entry?.snapshot_id)?.files ?? [],
    damaged_snapshots: damaged,
    left_out: await leftOutOfEntry(store, account_id, entry),
  };
}

/** A snapshot with files that were found damaged. */
export interface DamagedSnapshot {
  readonly snapshot_id: string;
  readonly files: readonly string[];
}

/** Damaged snapshots of an account, newest first; none if the marks cannot be read, of which `snapshots` tells. */
export async function damagedSnapshots(
  store: StoreReader,
  account_id: bigint,
): Promise<readonly DamagedSnapshot[]> {
  const marks = await readMarks(store, account_id);
  if (marks.fault !== null) return [];
  const ids = [...marks.of.keys()].toSorted().toReversed();
  return ids.flatMap((snapshot_id) => {
    const { quarantine, removed } = snapshotStatus(marks, snapshot_id);
    return quarantine === null || removed ? [] : [{ snapshot_id, files: quarantine.files }];
  });
}

/** What is damaged, and the commands that help. */
export function damagedLine(account_id: bigint, { snapshot_id, files }: DamagedSnapshot): string {
  return `${snapshot_id} DAMAGED ${files.join(', ')}: restore from a copy, then run npx --no crossfoot scrub --account ${account_id}; or build a new one: npx --no crossfoot enqueue --account ${account_id}`;
}
