/** The action of `crossfoot snapshots`: lists the readable snapshots of an account, or accepts its publish log as it is. */
import { isCrossfootError } from '../../errors.ts';
import type { Instant } from '../../instant.ts';
import { formatInstant } from '../../time.ts';
import { readLog } from '../../snapshot/read/read-log.ts';
import { readMarks } from '../../snapshot/read/read-marks.ts';
import { createReader } from '../../snapshot/read/reader.ts';
import type { SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import { secondOfSnapshotId } from '../../snapshot/format/snapshot-id.ts';
import { pinsAt, type SnapshotStatus, snapshotStatus } from '../../snapshot/format/snapshot-status.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { acceptHead, onOwnSession } from '../../run/seen-heads.ts';
import { openDatabases } from '../../run/databases.ts';
import { openStoreToRead } from '../../run/object-store.ts';
import { shownAge, shownCount, shownInstant, shownMegabytes } from '../../format.ts';
import { CLOCK } from '../../run/machine.ts';
import { printList } from '../terminal/print-list.ts';

export interface ListOptions {
  readonly account: bigint;
  readonly json: boolean;
}

interface ListedSnapshot {
  readonly snapshot_id: string;
  readonly seq: number;
  /** Null, like `size_bytes`, if the manifest cannot be read. */
  readonly rows: number | null;
  readonly size_bytes: number | null;
  /** Null while the snapshot is the newest, or if the manifest cannot be read. */
  readonly expires_at: Instant | null;
  readonly pins: readonly string[];
  /** Why the snapshot was retracted; null if it was not. */
  readonly retraction: string | null;
  /** Files that a scrub found damaged. */
  readonly damaged: readonly string[];
  /** `whole`, or `BROKEN` and why the manifest cannot be read. */
  readonly chain: string;
}

/**
 * Accepts the log as it is: its newest entry now counts as the newest that was seen, even if a later or a different entry was
 * seen before.
 */
export async function accept(account: bigint, context: CommandContext): Promise<void> {
  const { settings } = openSettings(context);
  const log = await readLog(await openStoreToRead(settings), account);
  if (log.fault !== null) throw log.fault;
  await using databases = await openDatabases(settings, context.signal);
  const head = { seq: log.entries.length, entry_sha256: log.head_sha256 };
  await acceptHead(account, head, { settings, onService: onOwnSession(databases.serviceUrl) });
  context.print(
    `account ${account}: entry ${head.seq} is accepted as the head of its log; restart the servers`,
  );
}

/** Prints the snapshots that have not expired, also with a broken manifest, or that nothing was published. */
export async function list({ account, json }: ListOptions, context: CommandContext): Promise<void> {
  const { settings } = openSettings(context);
  const store = await openStoreToRead(settings);
  const log = await readLog(store, account);
  const marks = await readMarks(store, account);
  const reader = createReader({ store, now: CLOCK.now, onFault: () => undefined });
  const snapshots: ListedSnapshot[] = [];
  for (const { snapshot_id, seq } of log.entries.toReversed()) {
    const status = snapshotStatus(marks, snapshot_id);
    const listed = await readListed(reader, account, { snapshot_id, seq, ...marksIn(status) });
    if (listed !== null) snapshots.push(listed);
  }
  const now = CLOCK.now();
  printList(context, snapshots, {
    json,
    asJson: (snapshot) => ({
      ...snapshot,
      expires_at: snapshot.expires_at === null ? null : formatInstant(snapshot.expires_at),
    }),
    columns: {
      id: ({ snapshot_id }) => snapshot_id,
      number: ({ seq }) => String(seq),
      age: ({ snapshot_id }) => shownAge(secondOfSnapshotId(snapshot_id), now),
      rows: ({ rows }) => (rows === null ? '?' : shownCount(rows)),
      size: ({ size_bytes }) => (size_bytes === null ? '?' : shownMegabytes(size_bytes)),
      expires: ({ expires_at, rows }) => expiry(expires_at, rows),
      chain: (snapshot) => [snapshot.chain, ...marksOf(snapshot)].join('; '),
    },
    none:
      log.fault === null
        ? `account ${account} has published nothing; npx --no crossfoot why --account ${account} shows its builds`
        : null,
  });
  // Snapshots before the fault are served. The command still fails, because nothing can be published after the fault.
  if (log.fault !== null) throw log.fault;
}

type Marked = Pick<ListedSnapshot, 'pins' | 'retraction' | 'damaged'>;

function marksIn(status: SnapshotStatus): Marked {
  return {
    pins: pinsAt(status, CLOCK.now()).map(({ name }) => name),
    retraction: status.retraction?.reason ?? null,
    damaged: status.quarantine?.files ?? [],
  };
}

/** Null if the snapshot has expired. */
async function readListed(
  reader: SnapshotReader,
  account: bigint,
  entry: Pick<ListedSnapshot, 'snapshot_id' | 'seq'> & Marked,
): Promise<ListedSnapshot | null> {
  try {
    const snapshot = await reader.pinned(account, entry.snapshot_id);
    if (snapshot === null) return null;
    return {
      ...entry,
      rows: sum(snapshot.tables.map(({ row_count }) => row_count)),
      size_bytes: sum(snapshot.tables.map(({ size_bytes }) => size_bytes)),
      expires_at: snapshot.expires_at,
      chain: 'whole',
    };
  } catch (error) {
    if (isCrossfootError(error, 'snapshot_expired')) return null;
    if (!isCrossfootError(error, 'manifest_invalid')) throw error;
    return { ...entry, rows: null, size_bytes: null, expires_at: null, chain: `BROKEN ${error.message}` };
  }
}

function marksOf({ pins, retraction, damaged }: Marked): readonly string[] {
  return [
    ...(retraction === null ? [] : [`RETRACTED: ${retraction}`]),
    ...(damaged.length === 0 ? [] : [`DAMAGED: ${damaged.join(', ')}`]),
    ...(pins.length === 0 ? [] : [`pinned as ${pins.join(', ')}`]),
  ];
}

function expiry(expires_at: Instant | null, rows: number | null): string {
  if (rows === null) return '?';
  return expires_at === null ? 'never while newest' : shownInstant(expires_at);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
