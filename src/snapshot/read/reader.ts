/**
 * The read side: which snapshots of an account may be read. One is readable only if a good log entry names its
 * directory and its manifest has the digest that entry states, so "audited before it can be read" is true by
 * construction.
 */
import { CrossfootError } from '../../errors.ts';
import type { StoreReader } from '../../store/store.ts';
import { tableNamed } from '../../tables/all.ts';
import { Cache } from '../../cache.ts';
import { CheckedBytes } from './checked-bytes.ts';
import { joined, openStream, readChecked, readWhole } from './checked-read.ts';
import { damagedFiles } from './damaged-files.ts';
import { readEntryManifest } from './entry-manifest.ts';
import type { CheckedFile } from './file-blocks.ts';
import { formatInstant } from '../../time.ts';
import { blocksKey, fileKey, tableKey } from '../format/keys.ts';
import { keptFresh } from './kept-fresh.ts';
import type { Manifest } from '../format/manifest.ts';
import type { Marks } from '../format/marks.ts';
import type { LogEntry, PublishLog } from '../format/publish-log.ts';
import { readLog, readOn } from './read-log.ts';
import { readMarks, readMarksOn } from './read-marks.ts';
import { expiryOf, KEPT_DAYS, keptUntil } from '../format/retention.ts';
import { type CheckHead, passing } from './seen-heads.ts';
import type { ReadableSnapshot } from '../format/served-manifest.ts';
import { heldUntil, pinsAt, type Standing, standingOf } from '../format/standing.ts';
import { type CsvOptions, tableCsv } from './table-csv.ts';

/** A manifest has about 4 KiB. */
const MAX_MANIFESTS = 1_000;
/** How long a published snapshot may stay unseen. */
const LOG_FRESH_MICROSECONDS = 5_000_000n;
/** How long a mark may stay unseen: they are for months, and a question for the newest seldom costs a second call. */
const MARKS_FRESH_MICROSECONDS = 60_000_000n;
/** 64 blocks: the footers and hot columns of a few accounts; a scan of a large file passes through. */
const KEPT_BYTES = 67_108_864;

/** Part of a file; both ends are inclusive and inside it. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** At hand, if no more was asked for than a block's worth; otherwise it comes block by block. */
export type TableBytes = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;

export interface SnapshotReader {
  /** The newest snapshot; null before the first was published. */
  latest(account_id: bigint): Promise<ReadableSnapshot | null>;
  /** That snapshot; null if there is none of this id, `snapshot_expired` if it was kept long enough. */
  pinned(account_id: bigint, snapshot_id: string): Promise<ReadableSnapshot | null>;
  /** The number of the first log entry that cannot be read, which `latest` is older than; null when all can. */
  logBrokenAt(account_id: bigint): Promise<number | null>;
  /** How many accounts read so far have a log that cannot be read to its end. */
  countBrokenLogs(): Promise<number>;
  /** All that may be read, newest first. */
  list(account_id: bigint): Promise<readonly ReadableSnapshot[]>;
  /** How many files were found damaged and have not been whole since. */
  countDamaged(): number;
  /** Refuses a table's file that was found damaged and has not been whole since; reads nothing of any other. */
  refuseDamaged(account_id: bigint, snapshot_id: string, table: string): Promise<void>;
  /**
   * The bytes of one table's file, or of a range of it, each block checked. Of a stream, a bad first block is refused
   * before it begins, and a later one breaks it.
   */
  openTable(account_id: bigint, snapshot_id: string, table: string, range?: ByteRange): Promise<TableBytes>;
  /** The same table as CSV, made of checked bytes while it is read. */
  openCsv(
    account_id: bigint,
    snapshot_id: string,
    table: string,
    options: CsvOptions,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /** What stands beside the tables under that name, held to its digest; refused when the manifest does not name it. */
  readFile(account_id: bigint, snapshot_id: string, name: string): Promise<Uint8Array<ArrayBuffer>>;
}

export interface QuarantineWatch {
  /** How many of the snapshots that may be read have files that a scrub found damaged. */
  quarantined(account_id: bigint): Promise<number>;
}

interface ReaderTools {
  readonly store: StoreReader;
  /** Microseconds since 1970. */
  readonly now: () => bigint;
  readonly onFault: (fault: CrossfootError) => void;
  /** Refuses a log that is older than one that was seen. */
  readonly checkHead?: CheckHead;
  /** How much of what was checked stays in memory. */
  readonly kept_bytes?: number;
  /** Lets others have their turn while a CSV is made. */
  readonly turn?: () => Promise<void>;
}

/** An entry of the log, with what was said of its snapshot since. */
interface Published {
  readonly log: PublishLog;
  readonly entry: LogEntry;
  readonly standing: Standing;
}

/** Makes the reader of a store; what it keeps in memory was checked and cannot change. */
export function createReader(tools: ReaderTools): SnapshotReader & QuarantineWatch {
  const { store, now, kept_bytes = KEPT_BYTES, turn = async () => undefined } = tools;
  const kept = new CheckedBytes(kept_bytes);
  const damaged = damagedFiles(tools);
  const logOf = keptFresh({
    ...tools,
    fresh_microseconds: LOG_FRESH_MICROSECONDS,
    read: async (account_id) => noteFault(await passing(readLog(store, account_id), tools.checkHead)),
    readOn: async (known) => noteFault(await passing(readOn(store, known), tools.checkHead)),
  });
  const broken = new Set<bigint>();

  function noteFault(log: PublishLog): PublishLog {
    if (log.fault === null) broken.delete(log.account_id);
    else broken.add(log.account_id);
    return log;
  }

  const marksOf = keptFresh({
    ...tools,
    fresh_microseconds: MARKS_FRESH_MICROSECONDS,
    read: (account_id) => readMarks(store, account_id),
    readOn: (known) => readMarksOn(store, known),
  });
  const manifests = new Cache<string, Manifest>({ max_entries: MAX_MANIFESTS });

  function manifestOf(account_id: bigint, entry: LogEntry): Promise<Manifest> {
    return manifests.get(entry.prefix, () => readEntryManifest(store, account_id, entry));
  }

  async function read({ log, entry, standing }: Published): Promise<ReadableSnapshot> {
    const { nonce: _nonce, pg_snapshot: _pg_snapshot, ...told } = await manifestOf(log.account_id, entry);
    const expires_at = keptUntil(log, entry, standing, told.generated_at);
    const { retraction, quarantine } = standing;
    return { ...told, expires_at, pins: pinsAt(standing, now()), retraction, quarantine };
  }

  async function published(account_id: bigint): Promise<{ log: PublishLog; marks: Marks }> {
    const [log, marks] = await Promise.all([logOf(account_id), marksOf(account_id)]);
    // Nothing readable is not the same as nothing published.
    if (log.fault !== null && log.entries.length === 0) throw log.fault;
    return { log, marks };
  }

  async function readable(account_id: bigint): Promise<readonly Published[]> {
    const { log, marks } = await published(account_id);
    return log.entries
      .map((entry) => ({ log, entry, standing: standingOf(marks, entry.snapshot_id) }))
      .filter(({ entry, standing }) => expiredAt(log, entry, standing) === null)
      .toReversed();
  }

  /** Since when it may no longer be read; null while it may. */
  function expiredAt(log: PublishLog, entry: LogEntry, standing: Standing): bigint | null {
    const expires = expiryOf(log, entry, standing);
    return expires === null || (now() < expires && !standing.removed) ? null : expires;
  }

  async function pinnedEntry(account_id: bigint, snapshot_id: string): Promise<Published | null> {
    const { log, marks } = await published(account_id);
    const entry = log.entries.findLast((one) => one.snapshot_id === snapshot_id);
    // Beyond the fault it may have been published.
    if (entry === undefined && log.fault !== null) throw log.fault;
    if (entry === undefined) return null;
    const standing = standingOf(marks, snapshot_id);
    const expired_at = expiredAt(log, entry, standing);
    if (expired_at === null) return { log, entry, standing };
    const day = formatInstant(expired_at).slice(0, 10);
    const why = heldUntil(standing) === expired_at ? 'by a pin' : `for ${KEPT_DAYS} days`;
    throw new CrossfootError('snapshot_expired', `This snapshot was kept ${why} and expired on ${day}.`);
  }

  async function fileOf(account_id: bigint, snapshot_id: string, name: string): Promise<CheckedFile> {
    let found = await pinnedEntry(account_id, snapshot_id);
    if (found !== null && isQuarantined(found, name)) {
      // A scrub may have lifted it since: a restored file is served again within seconds.
      await marksOf(account_id, LOG_FRESH_MICROSECONDS);
      found = await pinnedEntry(account_id, snapshot_id);
    }
    const manifest = found === null ? null : await manifestOf(account_id, found.entry);
    const table = manifest?.tables.find((one) => one.name === name);
    if (found === null || manifest === null || table === undefined) {
      throw noFile();
    }
    if (isQuarantined(found, name)) {
      throw new CrossfootError('file_corrupt', `${name} of ${snapshot_id}: a scrub found it damaged.`, {
        hint: 'Restore it from a copy and run crossfoot scrub, which lifts the quarantine once every byte is right.',
        data: { snapshot: snapshot_id, table: name },
      });
    }
    const { prefix } = found.entry;
    const { size_bytes, blocks_sha256 } = table;
    const { block_bytes } = manifest;
    const keys = { key: tableKey(prefix, name), blocks_key: blocksKey(prefix, name) };
    return { ...keys, size_bytes, block_bytes, blocks_sha256 };
  }

  async function* readNoting(file: CheckedFile, from: number, to: number) {
    try {
      yield* readChecked(store, file, from, to, kept);
    } catch (error) {
      damaged.note(file, error);
      throw error;
    }
  }

  return {
    async latest(account_id) {
      const { log, marks } = await published(account_id);
      const entry = log.entries.at(-1);
      if (entry === undefined) return null;
      return await read({ log, entry, standing: standingOf(marks, entry.snapshot_id) });
    },

    async logBrokenAt(account_id) {
      const { entries, fault } = await logOf(account_id);
      return fault === null ? null : entries.length + 1;
    },

    async countBrokenLogs() {
      // A log that is mended leaves the set when it is read; without an answer of the store it stays.
      await Promise.allSettled([...broken].map((account_id) => logOf(account_id)));
      return broken.size;
    },

    async pinned(account_id, snapshot_id) {
      const found = await pinnedEntry(account_id, snapshot_id);
      return found === null ? null : await read(found);
    },

    async list(account_id) {
      return await Promise.all((await readable(account_id)).map(read));
    },

    async quarantined(account_id) {
      return (await readable(account_id)).filter(({ standing }) => standing.quarantine !== null).length;
    },

    countDamaged: () => damaged.count(),

    async refuseDamaged(account_id, snapshot_id, table) {
      await damaged.refuse(await fileOf(account_id, snapshot_id, table));
    },

    async openTable(account_id, snapshot_id, table, range) {
      const file = await fileOf(account_id, snapshot_id, table);
      await damaged.refuse(file);
      const { from, to } = range ?? { from: 0, to: file.size_bytes - 1 };
      const pieces = readNoting(file, from, to);
      // So many small ranges are asked for that a stream for each would cost more than what it carries.
      return to - from < file.block_bytes ? await joined(pieces) : await openStream(pieces);
    },

    async openCsv(account_id, snapshot_id, name, options) {
      const file = await fileOf(account_id, snapshot_id, name);
      await damaged.refuse(file);
      const table = tableNamed(name);
      if (table === undefined) throw noFile(); // a manifest names no other
      const checked = {
        size_bytes: file.size_bytes,
        read: (from: number, to: number) => joined(readNoting(file, from, to)),
      };
      return await openStream(tableCsv(checked, table, options, turn));
    },

    async readFile(account_id, snapshot_id, name) {
      const found = await pinnedEntry(account_id, snapshot_id);
      const manifest = found === null ? null : await manifestOf(account_id, found.entry);
      const file = manifest?.files.find((one) => one.name === name);
      if (found === null || file === undefined) throw noFile();
      return await readWhole(store, fileKey(found.entry.prefix, name), file, kept);
    },
  };
}

function isQuarantined({ standing }: Published, name: string): boolean {
  return standing.quarantine?.files.some((file) => file.startsWith(`${name}.`)) === true;
}

function noFile(): CrossfootError {
  return new CrossfootError('not_found', 'There is no such file in this account.');
}
