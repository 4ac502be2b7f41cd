/** The newest snapshot of each account, read from the store. */
import { glanceAtHead } from '../../snapshot/read/read-log.ts';
import type { Manifest } from '../../snapshot/format/manifest.ts';
import { snapshotStatus } from '../../snapshot/format/snapshot-status.ts';
import { readMarks } from '../../snapshot/read/read-marks.ts';
import { secondOfSnapshotId } from '../../snapshot/format/snapshot-id.ts';
import type { StoreReader } from '../../store/store.ts';
import { leftOutOfEntry } from '../../run/left-out.ts';

/** The number of accounts read at the same time: three calls each, to a store that answers in about ten milliseconds. */
const AT_ONCE = 16;
const MICROSECONDS_PER_SECOND = 1_000_000n;

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
  /** Amounts that its totals leave out; null if its manifest does not state them. */
  readonly left_out: Manifest['left_out'];
}

/** The newest snapshot of each account: accounts without a snapshot first, then the oldest snapshot first. */
export async function readNewestSnapshots(
  store: StoreReader,
  accounts: readonly bigint[],
  now: bigint,
): Promise<readonly NewestSnapshot[]> {
  const newest: NewestSnapshot[] = [];
  for (let first = 0; first < accounts.length; first += AT_ONCE) {
    const some = accounts.slice(first, first + AT_ONCE);
    newest.push(...(await Promise.all(some.map((account_id) => newestOf(store, account_id, now)))));
  }
  return newest.toSorted((a, b) => (b.age_seconds ?? Infinity) - (a.age_seconds ?? Infinity) || 0);
}

async function newestOf(store: StoreReader, account_id: bigint, now: bigint): Promise<NewestSnapshot> {
  const entry = await glanceAtHead(store, account_id);
  const moment = entry === null ? null : secondOfSnapshotId(entry.snapshot_id);
  return {
    account_id,
    snapshot_id: entry?.snapshot_id ?? null,
    night: entry?.night ?? null,
    age_seconds: moment === null ? null : Number((now - moment) / MICROSECONDS_PER_SECOND),
    damaged: entry === null ? [] : await damagedFilesOf(store, account_id, entry.snapshot_id),
    left_out: await leftOutOfEntry(store, account_id, entry),
  };
}

/** The files of a snapshot that a scrub found damaged; none if the marks cannot be read, of which `snapshots` tells. */
export async function damagedFilesOf(
  store: StoreReader,
  account_id: bigint,
  snapshot_id: string,
): Promise<readonly string[]> {
  const marks = await readMarks(store, account_id);
  return marks.fault === null ? (snapshotStatus(marks, snapshot_id).quarantine?.files ?? []) : [];
}

/** What is damaged, and the command that helps. */
export function damagedLine(account_id: bigint, files: readonly string[]): string {
  return `DAMAGED ${files.join(', ')}: restore from a copy, then run npx --no crossfoot scrub --account ${account_id}; or build a new one: npx --no crossfoot enqueue --account ${account_id}`;
}
