/**
 * Which snapshots are to be read again: the newest every day, each other once in seven days. No list is kept of what
 * was read when: a check leaves an object beside what it checked, and publishing itself reads everything back.
 */
import type { Instant } from '../../time.ts';
import { secondOfCheckedKey } from '../format/keys.ts';
import type { LogEntry } from '../format/publish-log.ts';
import type { Published } from './removals.ts';
import { expiryOf } from '../format/retention.ts';
import { standingOf } from '../format/standing.ts';
import type { StoredAccount } from '../read/stored-builds.ts';

const MICROSECONDS_PER_HOUR = 3_600_000_000n;
/** Looked for once a night, a snapshot that is due after these is read within a day, and within seven. */
const HEAD_DUE_AFTER = 12n * MICROSECONDS_PER_HOUR;
const DUE_AFTER = 6n * 24n * MICROSECONDS_PER_HOUR;

export interface DueSnapshot {
  readonly account_id: bigint;
  readonly entry: LogEntry;
  /** True for the newest of its account. */
  readonly head: boolean;
  readonly quarantined: boolean;
  /** When every byte was last read and right, in microseconds since 1970. */
  readonly checked_at: bigint;
  /** Every object that a listing shows of it. */
  readonly keys: readonly string[];
}

/** The snapshots of an account that are due at `now`. */
export function dueSnapshots(
  { account_id, builds }: StoredAccount,
  { log, marks }: Published,
  now: bigint,
): readonly DueSnapshot[] {
  const stored = new Map(builds.map(({ prefix, keys }) => [prefix, keys]));
  return log.entries.flatMap((entry): readonly DueSnapshot[] => {
    const standing = standingOf(marks, entry.snapshot_id);
    const expires = expiryOf(log, entry, standing);
    const keys = stored.get(entry.prefix) ?? [];
    // What has expired and has no objects was deleted before there were marks to say so.
    const kept = expires === null || now < expires || keys.length > 0;
    if (standing.removed || !kept) return [];
    const head = entry.seq === log.entries.length;
    const checked_at = lastChecked(entry, keys);
    // One in quarantine is looked at each time, so that it is served again as soon as it was restored.
    const quarantined = standing.quarantine !== null;
    const due = quarantined || now - checked_at >= (head ? HEAD_DUE_AFTER : DUE_AFTER);
    return due ? [{ account_id, entry, head, quarantined, checked_at, keys }] : [];
  });
}

/** Newest snapshots first, then whatever was not read for longest. */
export function byUrgency(a: DueSnapshot, b: DueSnapshot): number {
  if (a.head !== b.head) return a.head ? -1 : 1;
  return Number(a.checked_at - b.checked_at);
}

function lastChecked({ prefix, published_at }: LogEntry, keys: readonly string[]): Instant {
  return keys
    .map((key) => secondOfCheckedKey(prefix, key))
    .reduce<Instant>((latest, each) => (each !== null && each > latest ? each : latest), published_at);
}
