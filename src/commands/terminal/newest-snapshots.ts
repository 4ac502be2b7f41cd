/** The newest snapshot of each account, read from the store. */
import { fileKey } from '../../snapshot/format/keys.ts';
import { glanceAtHead, readLog } from '../../snapshot/read/read-log.ts';
import type { Manifest } from '../../snapshot/format/manifest.ts';
import type { LogEntry } from '../../snapshot/format/publish-log.ts';
import { type Retraction, snapshotStatus } from '../../snapshot/format/snapshot-status.ts';
import { readMarks } from '../../snapshot/read/read-marks.ts';
import { secondOfSnapshotId } from '../../snapshot/format/snapshot-id.ts';
import type { StoreReader } from '../../store/store.ts';
import { leftOutOfEntry } from '../../run/left-out.ts';
import { shownInstant, shownSentence } from '../../format.ts';
import { type Instant, SECOND } from '../../instant.ts';
import { mendingWords, type NewestFault, type PendingBuild } from '../../next-step.ts';
import { formatInstant } from '../../time.ts';

/** The number of accounts read at the same time: three calls each, to a store that answers in about ten milliseconds. */
const AT_ONCE = 16;

export interface NewestSnapshot extends Standing {
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
  const standing = await readStanding(store, account_id, entry);
  const moment = entry === null ? null : secondOfSnapshotId(entry.snapshot_id);
  return {
    account_id,
    snapshot_id: entry?.snapshot_id ?? null,
    night: entry?.night ?? null,
    age_seconds: moment === null ? null : Number((now - moment) / SECOND),
    damaged:
      standing.damaged_snapshots.find(({ snapshot_id }) => snapshot_id === entry?.snapshot_id)?.files ?? [],
    ...standing,
    left_out: await leftOutOfEntry(store, account_id, entry),
  };
}

/** A snapshot with files that were found damaged or missing. */
export interface DamagedSnapshot {
  readonly snapshot_id: string;
  readonly files: readonly string[];
  /** Those of the files that are not in the store now. */
  readonly missing: readonly string[];
}

/** A newest snapshot that was retracted. */
export interface RetractedSnapshot extends Retraction {
  readonly snapshot_id: string;
}

/** What an operator must know of an account's published snapshots. */
export interface Standing {
  /** The account's snapshots with damaged files, newest first. */
  readonly damaged_snapshots: readonly DamagedSnapshot[];
  /** The newest snapshot, if it is retracted; else null. */
  readonly retracted_newest: RetractedSnapshot | null;
  /** Why the newest snapshot needs a newer one. */
  readonly newest_fault: NewestFault;
}

export const NO_STANDING: Standing = { damaged_snapshots: [], retracted_newest: null, newest_fault: null };

/** Reads both from the marks of an account; neither if the marks cannot be read, of which `snapshots` tells. */
async function readStanding(
  store: StoreReader,
  account_id: bigint,
  newest: Pick<LogEntry, 'snapshot_id'> | null,
): Promise<Standing> {
  if (newest === null) return NO_STANDING;
  const marks = await readMarks(store, account_id);
  if (marks.fault !== null) return NO_STANDING;
  const ids = [...marks.of.keys()].toSorted().toReversed();
  const { snapshot_id } = newest;
  const { retraction } = snapshotStatus(marks, snapshot_id);
  const damaged = ids.flatMap((id) => {
    const { quarantine, removed } = snapshotStatus(marks, id);
    return quarantine === null || removed ? [] : [{ snapshot_id: id, files: quarantine.files }];
  });
  const { entries } = damaged.length === 0 ? { entries: [] } : await readLog(store, account_id);
  const damaged_snapshots = await Promise.all(
    damaged.map(async (each) => {
      const entry = entries.find((one) => one.snapshot_id === each.snapshot_id);
      return { ...each, missing: await missingOf(store, entry, each.files) };
    }),
  );
  const isDamaged = damaged_snapshots.some((each) => each.snapshot_id === snapshot_id);
  return {
    damaged_snapshots,
    retracted_newest: retraction && { snapshot_id, ...retraction },
    // Readers of a damaged snapshot get nothing, so that comes first.
    newest_fault: isDamaged ? 'damaged' : retraction === null ? null : 'retracted',
  };
}

/** The files that are not in the store; empty if the entry is unknown or the store does not answer. */
async function missingOf(
  store: StoreReader,
  entry: LogEntry | undefined,
  files: readonly string[],
): Promise<readonly string[]> {
  if (entry === undefined) return [];
  const found = await Promise.all(
    files.map((file) => store.stat(fileKey(entry.prefix, file)).catch(() => undefined)),
  );
  return files.filter((_, index) => found[index] === null);
}

/** What an operator must know of the published snapshots of the account. */
export async function standingOf(store: StoreReader, account_id: bigint): Promise<Standing> {
  return await readStanding(store, account_id, await glanceAtHead(store, account_id));
}

/** In the form of `--json`. */
export function standingAsJson({ damaged_snapshots, retracted_newest }: Standing) {
  return {
    damaged_snapshots,
    retracted_newest: retracted_newest && { ...retracted_newest, at: formatInstant(retracted_newest.at) },
  };
}

/** A line for each retracted or damaged snapshot, with the commands that help. */
export function standingLines(
  account_id: bigint,
  { damaged_snapshots, retracted_newest, newest_fault }: Standing,
  pending: PendingBuild | null,
): readonly string[] {
  return [
    ...(retracted_newest === null ? [] : [retractedLine(account_id, retracted_newest, pending)]),
    ...damaged_snapshots.map((each, index) => {
      // The newest comes first.
      const isNewest = newest_fault === 'damaged' && index === 0;
      return damagedLine(account_id, each, isNewest ? mendingWords(account_id, 'damaged', pending) : null);
    }),
  ];
}

/** Which snapshot is retracted, since when and why, what readers get now, and the command that helps. */
function retractedLine(
  account_id: bigint,
  { snapshot_id, at, reason, replaced_by }: RetractedSnapshot,
  pending: PendingBuild | null,
): string {
  const instead = replaced_by === null ? '' : ` Its retraction names ${replaced_by} to read instead.`;
  return `newest snapshot ${snapshot_id} RETRACTED since ${shownInstant(at)}: ${shownSentence(reason)} It is still served as the newest, marked as retracted.${instead} ${mendingWords(account_id, 'retracted', pending)}`;
}

/** What is damaged, and the commands that help; `newest` is the advice for the newest snapshot. */
function damagedLine(
  account_id: bigint,
  { snapshot_id, files, missing }: DamagedSnapshot,
  newest: string | null,
): string {
  const there = files.filter((file) => !missing.includes(file));
  const lists = Object.entries({ DAMAGED: there, MISSING: missing }).filter(([, { length }]) => length > 0);
  const found = lists.map(([word, list]) => `${word} ${list.join(', ')}`).join('; ');
  if (newest !== null) return `newest snapshot ${snapshot_id} ${found}. ${newest}`;
  return `${snapshot_id} ${found}: restore from a copy, then run npx --no crossfoot scrub --account ${account_id}`;
}
