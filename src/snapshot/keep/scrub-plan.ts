/**
 * Plans which snapshots to read again: the newest every day, each other one once in seven days. The time of the last
 * check is in the store: each check leaves an object beside the files, and publishing itself reads every file back.
 */
import { DAY, HOUR, type Instant } from '../../instant.ts';
import type { PublishedPair } from '../format/comparison.ts';
import { secondOfCheckedKey } from '../format/keys.ts';
import type { LogEntry } from '../format/publish-log.ts';
import { goneSince, type Published } from './removals.ts';
import { expiryOf } from '../format/retention.ts';
import { snapshotStatus } from '../format/snapshot-status.ts';
import type { StoredAccount, StoredComparison } from '../read/stored-builds.ts';

/** The scrub runs once a night. With these limits the newest snapshot is read within one day, any other within seven. */
const HEAD_DUE_AFTER = 12n * HOUR;
const DUE_AFTER = 6n * DAY;

export interface DueSnapshot {
  readonly account_id: bigint;
  readonly entry: LogEntry;
  /** True for the newest of its account. */
  readonly head: boolean;
  readonly quarantined: boolean;
  /** When every byte was last checked successfully. */
  readonly checked_at: Instant;
  /** The keys of all its objects in the store's listing. */
  readonly keys: readonly string[];
  /** The stored comparisons with earlier snapshots. */
  readonly comparisons: readonly ListedComparison[];
}

/** A stored comparison of two published snapshots. */
export interface ListedComparison {
  readonly pair: PublishedPair;
  /** The keys of all its objects in the store's listing. */
  readonly keys: readonly string[];
}

/** The snapshots of an account that are due at `now`. */
export function dueSnapshots(
  { account_id, builds, comparisons }: StoredAccount,
  published: Published,
  now: Instant,
  which: 'due' | 'all' | readonly string[] = 'due',
): readonly DueSnapshot[] {
  const { log, marks } = published;
  const listed = comparisons.flatMap((each) => listedComparison(each, published, now));
  const stored = new Map(builds.map(({ prefix, keys }) => [prefix, keys]));
  return log.entries.flatMap((entry): readonly DueSnapshot[] => {
    const status = snapshotStatus(marks, entry.snapshot_id);
    const expires = expiryOf(log, entry, status);
    const keys = stored.get(entry.prefix) ?? [];
    // An expired snapshot without objects was deleted by a version that wrote no marks.
    const kept = expires === null || now < expires || keys.length > 0;
    if (status.removed || !kept) return [];
    const head = entry.seq === log.entries.length;
    const checked_at = lastChecked(entry, keys);
    // A quarantined snapshot is read each time: soon after it was restored, it is served again.
    const quarantined = status.quarantine !== null;
    const late = quarantined || now - checked_at >= (head ? HEAD_DUE_AFTER : DUE_AFTER);
    const due = which === 'all' || (which === 'due' ? late : which.includes(entry.snapshot_id));
    if (!due) return [];
    const own = listed.filter(({ pair }) => pair.to === entry);
    return [{ account_id, entry, head, quarantined, checked_at, keys, comparisons: own }];
  });
}

/** The comparison with the log entries of its snapshots; none if prune may delete it. */
function listedComparison(
  { from, to, keys }: StoredComparison,
  published: Published,
  now: Instant,
): readonly ListedComparison[] {
  const { log } = published;
  const [earlier, later] = [from, to].map((id) => log.entries.findLast((one) => one.snapshot_id === id));
  if (earlier === undefined || later === undefined) return [];
  const gone = [from, to].some((id) => goneSince(id, published, now) !== null);
  return gone ? [] : [{ pair: { log, from: earlier, to: later }, keys }];
}

/** Sorts the newest snapshots of accounts first, then by the time of the last check, oldest first. */
export function byUrgency(a: DueSnapshot, b: DueSnapshot): number {
  if (a.head !== b.head) return a.head ? -1 : 1;
  return Number(a.checked_at - b.checked_at);
}

function lastChecked({ prefix, published_at }: LogEntry, keys: readonly string[]): Instant {
  return keys
    .map((key) => secondOfCheckedKey(prefix, key))
    .reduce<Instant>((latest, each) => (each !== null && each > latest ? each : latest), published_at);
}
