/** Which objects of an account may go, and why: planned before anything is touched, so that it can be shown. */
import type { Pace } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { Store } from '../../store/store.ts';
import { isOfFuture } from './future-heads.ts';
import { manifestKey } from '../format/keys.ts';
import { decodeManifest, MANIFEST_CAP_BYTES } from '../format/manifest.ts';
import type { Marks } from '../format/marks.ts';
import type { LogEntry, PublishLog } from '../format/publish-log.ts';
import { deletableFrom } from '../format/retention.ts';
import { standingOf } from '../format/standing.ts';
import type { StoredAccount, StoredBuild } from '../read/stored-builds.ts';
import { lookAtFence } from './tombstone.ts';

const MICROSECONDS_PER_HOUR = 3_600_000_000n;
/** A build takes minutes; one that has written nothing for two days is dead or will be told to stop. */
const ABANDONED_AFTER = 48n * MICROSECONDS_PER_HOUR;
/** Longer than any machine is suspended with a build in its memory. */
const TOMBSTONE_KEPT = 400n * 24n * MICROSECONDS_PER_HOUR;
/** So many snapshots with a good manifest, not known to be damaged, keep their files, however old they are. */
const KEPT_AT_LEAST = 2;

/**
 * `expired`: published, past its promised time or its last pin, and the grace after it. `abandoned`: never published, nothing written
 * for two days, fenced off before its files go. `tombstone`: the fence itself, after 400 days.
 */
export type RemovalReason = 'expired' | 'abandoned' | 'tombstone';

export interface Removal {
  readonly why: RemovalReason;
  readonly snapshot_id: string;
  readonly prefix: string;
  readonly keys: readonly string[];
  /** Since when it might have gone, in microseconds since 1970. */
  readonly since: bigint;
}

interface Tools {
  readonly store: Store;
  readonly pace: Pace;
}

/** What an account has published, and what was said of it since. */
export interface Published {
  readonly log: PublishLog;
  readonly marks: Marks;
}

/** What may go at `now`, given the account's whole log and all marks. A fault in either frees nothing. */
export async function plannedRemovals(
  account: StoredAccount,
  { log, marks }: Published,
  now: bigint,
  tools: Tools,
): Promise<readonly Removal[]> {
  if (log.fault !== null) throw log.fault;
  if (marks.fault !== null) throw marks.fault;
  const published = new Map(log.entries.map((entry) => [entry.prefix, entry]));
  const removals: Removal[] = [];
  const expired: Removal[] = [];
  for (const build of account.builds) {
    const entry = published.get(build.prefix);
    if (entry === undefined) {
      const removal = await unpublished(build, { log, marks }, now, tools);
      if (removal !== null) removals.push(removal);
    } else {
      const since = mayGoSince({ log, marks }, entry, now);
      if (since !== null) expired.push({ ...build, why: 'expired', since });
    }
  }
  if (expired.length === 0) return removals;
  const kept = await newestGood({ log, marks }, tools);
  return [...expired.filter(({ prefix }) => !kept.has(prefix)), ...removals];
}

/** Since when the files of a published snapshot may go; null while they may not. */
export function mayGoSince({ log, marks }: Published, entry: LogEntry, now: bigint): bigint | null {
  const since = deletableFrom(log, entry, standingOf(marks, entry.snapshot_id));
  return since !== null && now >= since ? since : null;
}

async function unpublished(
  build: StoredBuild,
  published: Published,
  now: bigint,
  { store, pace }: Tools,
): Promise<Removal | null> {
  let youngest = 0n;
  for (const key of build.keys) {
    const stored = await untilAnswered(pace, () => store.stat(key));
    if (stored !== null && stored.created_at > youngest) youngest = stored.created_at;
  }
  const quiet = now - youngest;
  if (quiet <= ABANDONED_AFTER) return null;
  const manifest = manifestKey(build.prefix);
  const fence = await lookAtFence(store, pace, build.prefix);
  if (fence === 'tombstone') {
    // What stands beside a tombstone was written by a builder that woke up late and has been told to stop.
    const keys = build.keys.filter((key) => key !== manifest);
    if (keys.length > 0) return { ...build, keys, why: 'abandoned', since: youngest + ABANDONED_AFTER };
    return quiet > TOMBSTONE_KEPT ? { ...build, why: 'tombstone', since: youngest + TOMBSTONE_KEPT } : null;
  }
  if (fence === 'manifest' && !overtaken(build, published, now)) return null;
  return { ...build, why: 'abandoned', since: youngest + ABANDONED_AFTER };
}

/**
 * True when a newer snapshot was published: a build whose manifest is whole can then never be, because the log only
 * takes a later moment. Until then it may still be; and behind a head of the future too, which may be passed over.
 */
export function overtaken(
  { snapshot_id }: Pick<StoredBuild, 'snapshot_id'>,
  { log, marks }: Published,
  now: bigint,
): boolean {
  return log.entries.some(
    (entry) =>
      entry.snapshot_id > snapshot_id &&
      !isOfFuture(entry.snapshot_id, now) &&
      !standingOf(marks, entry.snapshot_id).future_head,
  );
}

async function newestGood({ log, marks }: Published, tools: Tools): Promise<ReadonlySet<string>> {
  const good = new Set<string>();
  for (const entry of log.entries.toReversed()) {
    if (good.size === KEPT_AT_LEAST) break;
    const damaged = standingOf(marks, entry.snapshot_id).quarantine !== null;
    if (!damaged && (await hasGoodManifest(log.account_id, entry, tools))) good.add(entry.prefix);
  }
  return good;
}

async function hasGoodManifest(
  account_id: bigint,
  entry: LogEntry,
  { store, pace }: Tools,
): Promise<boolean> {
  const bytes = await untilAnswered(pace, () =>
    store.readSmall(manifestKey(entry.prefix), MANIFEST_CAP_BYTES),
  );
  if (bytes === null) return false;
  try {
    decodeManifest(bytes, { ...entry, account_id });
    return true;
  } catch {
    return false; // whatever is wrong with it, it is not one to rely on
  }
}
