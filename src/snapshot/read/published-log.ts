/** The published snapshots of an account: which there are, and which may be read now. Logs and marks are cached for seconds. */
import { type Instant, MINUTE, SECOND } from '../../instant.ts';
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import type { CrossfootError } from '../../errors.ts';
import type { StoreReader } from '../../store/store.ts';
import { bytesOfMarks, type Marks } from '../format/marks.ts';
import { bytesOfLog, type LogEntry, type PublishLog } from '../format/publish-log.ts';
import { expiryOf } from '../format/retention.ts';
import { isSnapshotId } from '../format/snapshot-id.ts';
import { hasQuarantine, pinsAt, type SnapshotStatus, snapshotStatus } from '../format/snapshot-status.ts';
import { chainCache, noted } from './chain-cache.ts';
import { expiredSnapshot, type Published } from './published-file.ts';
import { readLog, readOn } from './read-log.ts';
import { readMarks, readMarksOn } from './read-marks.ts';
import { type CheckHead, passing } from './seen-heads.ts';

/** A server serves a new snapshot at the latest after this time. */
export const LOG_FRESH_MICROSECONDS = 5n * SECOND;
/**
 * A server applies a new mark (pin, retraction, quarantine) at the latest after this time. Marks are rare, so most requests
 * need no second store call.
 */
const MARKS_FRESH_MICROSECONDS = MINUTE;

export interface LogTools {
  readonly store: StoreReader;
  /** Microseconds since 1970. */
  readonly now: () => Instant;
  readonly onFault: (fault: CrossfootError) => void;
  /** Throws if the log ends before an entry that was read earlier. */
  readonly checkHead?: CheckHead;
  /** Reads the whole log of an account; from the store if omitted. */
  readonly readFirst?: typeof readLog;
}

/** Makes the look-up of published snapshots in a store. */
export function publishedLog(tools: LogTools) {
  const { store, now, readFirst = readLog } = tools;
  /** The accounts whose log, as read so far, has a broken entry, and those with files that a scrub found damaged. */
  const [broken, quarantined] = [new Set<bigint>(), new Set<bigint>()];
  const noteFault = (log: PublishLog): PublishLog => noted(broken, log.fault !== null, log);
  const noteQuarantine = (marks: Marks): Marks => noted(quarantined, hasQuarantine(marks), marks);

  const logOf = chainCache<PublishLog>({
    max_bytes: MEMORY_BUDGET.logs,
    bytesOf: bytesOfLog,
    ...tools,
    fresh_microseconds: LOG_FRESH_MICROSECONDS,
    read: async (account_id) => noteFault(await passing(readFirst(store, account_id), tools.checkHead)),
    readOn: async (known) => noteFault(await passing(readOn(store, known), tools.checkHead)),
  });

  const marksOf = chainCache<Marks>({
    max_bytes: MEMORY_BUDGET.marks,
    bytesOf: bytesOfMarks,
    ...tools,
    fresh_microseconds: MARKS_FRESH_MICROSECONDS,
    read: async (account_id) => noteQuarantine(await readMarks(store, account_id)),
    readOn: async (known) => noteQuarantine(await readMarksOn(store, known)),
  });

  async function published(account_id: bigint): Promise<{ log: PublishLog; marks: Marks }> {
    const [log, marks] = await Promise.all([logOf(account_id), marksOf(account_id)]);
    // With no readable entry, throw: an empty list would mean that nothing was published.
    if (log.fault !== null && log.entries.length === 0) throw log.fault;
    return { log, marks };
  }

  /**
   * The same, read again if the snapshot would be newer than the last one of a cached log: a webhook or a printed line may
   * name a snapshot within the seconds that a log is cached.
   */
  async function publishedWith(account_id: bigint, snapshot_id: string) {
    const cached = await published(account_id);
    const newest = cached.log.entries.at(-1)?.snapshot_id ?? '';
    const isKnown = snapshot_id <= newest || cached.log.fault !== null || !isSnapshotId(snapshot_id);
    return isKnown ? cached : { ...cached, log: await logOf(account_id, 0n) };
  }

  /** Those that may be read, newest first. */
  async function readable(account_id: bigint): Promise<readonly Published[]> {
    const { log, marks } = await published(account_id);
    return log.entries
      .map((entry) => ({ log, entry, status: snapshotStatus(marks, entry.snapshot_id) }))
      .filter(({ entry, status }) => expiredAt(log, entry, status) === null)
      .toReversed();
  }

  /** When the snapshot expired; null if it can still be read. */
  function expiredAt(log: PublishLog, entry: LogEntry, status: SnapshotStatus): Instant | null {
    const expires = expiryOf(log, entry, status);
    return expires === null || (now() < expires && !status.removed) ? null : expires;
  }

  /** The snapshot if it may be read; null if there is none. Throws `snapshot_expired` after its expiry. */
  async function pinnedEntry(account_id: bigint, snapshot_id: string): Promise<Published | null> {
    const { log, marks } = await publishedWith(account_id, snapshot_id);
    const entry = log.entries.findLast((one) => one.snapshot_id === snapshot_id);
    // Entries after a broken entry are not read, and one of them may name this snapshot.
    if (entry === undefined && log.fault !== null) throw log.fault;
    if (entry === undefined) return null;
    const status = snapshotStatus(marks, snapshot_id);
    const expired_at = expiredAt(log, entry, status);
    if (expired_at === null) return { log, entry, status };
    throw expiredSnapshot(status, expired_at);
  }

  /**
   * The id of the newest snapshot with a pin of this name; null if there is none. Marks alone decide: while the log is broken, a
   * pinned snapshot may be in its unread part, which is newer than the rest. Marks are read again for a name that they lack.
   */
  async function idOfPin(account_id: bigint, name: string): Promise<string | null> {
    return (
      (await idInMarks(account_id, name, await marksOf(account_id))) ??
      (await idInMarks(account_id, name, await marksOf(account_id, 0n)))
    );
  }

  async function idInMarks(account_id: bigint, name: string, marks: Marks): Promise<string | null> {
    const { entries, fault } = await logOf(account_id);
    const found = [...marks.of.keys()].flatMap((id) => {
      const status = snapshotStatus(marks, id);
      if (status.removed || !pinsAt(status, now()).some((pin) => pin.name === name)) return [];
      const index = entries.findLastIndex(({ snapshot_id }) => snapshot_id === id);
      if (index === -1) return fault === null ? [] : [{ id, index: Number.POSITIVE_INFINITY }];
      return [{ id, index }];
    });
    const [newest] = found.toSorted((a, b) => b.index - a.index || (a.id < b.id ? 1 : -1));
    return newest?.id ?? null;
  }

  return { logOf, marksOf, broken, quarantined, published, readable, expiredAt, pinnedEntry, idOfPin };
}
