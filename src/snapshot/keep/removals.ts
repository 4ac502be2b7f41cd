/** Plans which objects of an account may be deleted, and why. Nothing is changed, so a dry run can show the plan. */
import type { Clock } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { Store } from '../../store/store.ts';
import { isOfFuture } from './future-heads.ts';
import { manifestKey } from '../format/keys.ts';
import { decodeManifest, MANIFEST_CAP_BYTES } from '../format/manifest.ts';
import type { Marks } from '../format/marks.ts';
import type { LogEntry, PublishLog } from '../format/publish-log.ts';
import { deletableFrom } from '../format/retention.ts';
import { pinsAt, snapshotStatus } from '../format/snapshot-status.ts';
import type { StoredAccount, StoredBuild, StoredComparison } from '../read/stored-builds.ts';
import { lookAtFence } from './tombstone.ts';
import { DAY, HOUR, type Instant } from '../../instant.ts';

/** A build takes minutes. A build that wrote nothing for two days is dead; if it wakes, the tombstone stops it. */
const ABANDONED_AFTER = 48n * HOUR;
/** Longer than any machine stays suspended with a build in its memory. */
const TOMBSTONE_AGE = 400n * DAY;
/** The newest snapshots with a valid manifest and no known damage keep their files, however old: at least this many. */
const MIN_KEPT_SNAPSHOTS = 2;

/**
 * `expired`: published, and past its expiry or its last pin and the day after. `abandoned`: never published, nothing
 * written for two days; a tombstone is written before its files are deleted. `tombstone`: a tombstone older than 400 days.
 * `comparison`: a stored comparison of which either snapshot may be deleted, is deleted, or is retracted. `parts`: parts that
 * workers wrote for a build that has ended, the last one two days ago.
 */
export type RemovalReason = 'expired' | 'abandoned' | 'tombstone' | 'comparison' | 'parts';

export interface Removal {
  readonly why: RemovalReason;
  /** Of a comparison, the later snapshot. */
  readonly snapshot_id: string;
  readonly prefix: string;
  readonly keys: readonly string[];
  /** The time since which it may be deleted. */
  readonly since: Instant;
}

interface Tools {
  readonly store: Store;
  readonly clock: Clock;
}

/** The publish log of an account, and the marks on its snapshots. */
export interface Published {
  readonly log: PublishLog;
  readonly marks: Marks;
}

/** What may be deleted at `now`, given the account's whole log and all marks; nothing if either is broken. */
export async function plannedRemovals(
  account: StoredAccount,
  published: Published,
  now: Instant,
  tools: Tools,
): Promise<readonly Removal[]> {
  const { log, marks } = published;
  if (log.fault !== null) throw log.fault;
  if (marks.fault !== null) throw marks.fault;
  // Comparisons first: none may outlive its snapshots.
  const comparisons = account.comparisons.flatMap((each) => removalOf(each, published, now));
  const builds = await buildRemovals(account, published, now, tools);
  return [...comparisons, ...builds, ...(await partRemovals(account, now, tools))];
}

async function partRemovals(
  { parts }: StoredAccount,
  now: Instant,
  tools: Tools,
): Promise<readonly Removal[]> {
  const removals: Removal[] = [];
  for (const build of parts) {
    const since = (await lastWritten(build, tools)) + ABANDONED_AFTER;
    if (now > since) removals.push({ ...build, why: 'parts', since });
  }
  return removals;
}

/** When the newest of these objects was created, by the store's clock. */
async function lastWritten({ keys }: StoredBuild, { store, clock }: Tools): Promise<Instant> {
  let youngest = 0n;
  for (const key of keys) {
    const stored = await untilAnswered(clock, () => store.stat(key));
    if (stored !== null && stored.created_at > youngest) youngest = stored.created_at;
  }
  return youngest;
}

function removalOf(comparison: StoredComparison, published: Published, now: Instant): readonly Removal[] {
  const { from, to, prefix, keys } = comparison;
  const since = goneSince(from, published, now) ?? goneSince(to, published, now);
  return since === null ? [] : [{ why: 'comparison', snapshot_id: to, prefix, keys, since }];
}

/** The time since which no comparison of this snapshot may be stored; null while it may. */
export function goneSince(snapshot_id: string, published: Published, now: Instant): Instant | null {
  const entry = published.log.entries.findLast((one) => one.snapshot_id === snapshot_id);
  if (entry === undefined) return now;
  const { retraction, removed } = snapshotStatus(published.marks, snapshot_id);
  return retraction?.at ?? mayGoSince(published, entry, now) ?? (removed ? now : null);
}

async function buildRemovals(
  account: StoredAccount,
  { log, marks }: Published,
  now: Instant,
  tools: Tools,
): Promise<readonly Removal[]> {
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

/** The published snapshots whose files stay. */
export interface Kept {
  readonly snapshots: number;
  /** How many of these a pin keeps now. */
  readonly pinned: number;
  /** When the next of these may go, without the newest two, which always stay; null if none has such a time. */
  readonly next_at: Instant | null;
  /** The folders of builds that run, or that ended without publishing less than two days ago. */
  readonly unpublished: readonly string[];
}

/** What stays of an account with these builds in the store after these removals. */
export function keptAfter(
  removals: readonly Removal[],
  { log, marks }: Published,
  now: Instant,
  builds: StoredAccount['builds'] = [],
): Kept {
  const gone = new Set(removals.map(({ prefix }) => prefix));
  const published = new Set(log.entries.map(({ prefix }) => prefix));
  const kept = log.entries
    .filter(({ prefix }) => !gone.has(prefix))
    .map((entry) => ({ entry, status: snapshotStatus(marks, entry.snapshot_id) }))
    .filter(({ status }) => !status.removed);
  const times = kept
    .slice(0, -MIN_KEPT_SNAPSHOTS)
    .flatMap(({ entry, status }) => deletableFrom(log, entry, status) ?? []);
  return {
    snapshots: kept.length,
    pinned: kept.filter(({ status }) => pinsAt(status, now).length > 0).length,
    // A damaged snapshot makes older ones stay beyond their time.
    next_at: earliest(times.filter((time) => time > now)),
    unpublished: builds
      .filter(
        ({ prefix, keys }) =>
          !gone.has(prefix) && !published.has(prefix) && keys.some((key) => key !== manifestKey(prefix)),
      )
      .map(({ prefix }) => prefix),
  };
}

/** What stays of both. */
export function keptOfBoth(a: Kept, b: Kept): Kept {
  return {
    snapshots: a.snapshots + b.snapshots,
    pinned: a.pinned + b.pinned,
    next_at: earliest([a.next_at, b.next_at].flatMap((time) => time ?? [])),
    unpublished: [...a.unpublished, ...b.unpublished],
  };
}

function earliest(times: readonly Instant[]): Instant | null {
  return times.reduce<Instant | null>((first, time) => (first === null || time < first ? time : first), null);
}

/** The time since which the files of a published snapshot may be deleted; null while they may not. */
export function mayGoSince({ log, marks }: Published, entry: LogEntry, now: Instant): Instant | null {
  const since = deletableFrom(log, entry, snapshotStatus(marks, entry.snapshot_id));
  return since !== null && now >= since ? since : null;
}

async function unpublished(
  build: StoredBuild,
  published: Published,
  now: Instant,
  tools: Tools,
): Promise<Removal | null> {
  const { store, clock } = tools;
  const youngest = await lastWritten(build, tools);
  const quiet = now - youngest;
  if (quiet <= ABANDONED_AFTER) return null;
  const manifest = manifestKey(build.prefix);
  const fence = await lookAtFence(store, clock, build.prefix);
  if (fence === 'tombstone') {
    // Files beside a tombstone were written by a builder that woke up late and can no longer publish.
    const keys = build.keys.filter((key) => key !== manifest);
    if (keys.length > 0) return { ...build, keys, why: 'abandoned', since: youngest + ABANDONED_AFTER };
    return quiet > TOMBSTONE_AGE ? { ...build, why: 'tombstone', since: youngest + TOMBSTONE_AGE } : null;
  }
  if (fence === 'manifest' && !overtaken(build, published, now)) return null;
  return { ...build, why: 'abandoned', since: youngest + ABANDONED_AFTER };
}

/**
 * True if a newer snapshot was published. The log only accepts a later moment, so a build with a whole manifest can then
 * no longer be published. A newer snapshot dated in the future does not count, because an entry may pass over it.
 */
export function overtaken(
  { snapshot_id }: Pick<StoredBuild, 'snapshot_id'>,
  { log, marks }: Published,
  now: Instant,
): boolean {
  return log.entries.some(
    (entry) =>
      entry.snapshot_id > snapshot_id &&
      !isOfFuture(entry.snapshot_id, now) &&
      !snapshotStatus(marks, entry.snapshot_id).future_head,
  );
}

async function newestGood({ log, marks }: Published, tools: Tools): Promise<ReadonlySet<string>> {
  const good = new Set<string>();
  for (const entry of log.entries.toReversed()) {
    if (good.size === MIN_KEPT_SNAPSHOTS) break;
    const damaged = snapshotStatus(marks, entry.snapshot_id).quarantine !== null;
    if (!damaged && (await hasGoodManifest(log.account_id, entry, tools))) good.add(entry.prefix);
  }
  return good;
}

async function hasGoodManifest(
  account_id: bigint,
  entry: LogEntry,
  { store, clock }: Tools,
): Promise<boolean> {
  const bytes = await untilAnswered(clock, () =>
    store.readSmall(manifestKey(entry.prefix), MANIFEST_CAP_BYTES),
  );
  if (bytes === null) return false;
  try {
    decodeManifest(bytes, { ...entry, account_id });
    return true;
  } catch {
    return false; // do not rely on a manifest that cannot be read
  }
}
