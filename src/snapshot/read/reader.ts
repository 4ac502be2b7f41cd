/**
 * The read side: finds the snapshots of an account that may be read, and reads their files. A snapshot is readable only
 * if a valid log entry names it and its manifest has the digest in that entry. So no snapshot is read before its audit.
 */
import { isCrossfootError } from '../../errors.ts';
import type { ParquetSource } from '../../parquet/open-file.ts';
import { servedTableNamed } from '../../tables/file-sets.ts';
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { CheckedBytes } from './checked-bytes.ts';
import { joined, openStream, readChecked, readWhole } from './checked-read.ts';
import { damagedFiles } from './damaged-files.ts';
import { manifestCache } from './entry-manifest.ts';
import type { CheckedFile, DamagedPlace } from './file-blocks.ts';
import { fileKey } from '../format/keys.ts';
import { blockedFiles, servedFiles, sharedTables, smallFiles } from '../format/manifest.ts';
import {
  fileIn,
  isQuarantined,
  noFile,
  type Published,
  quarantinedFile,
  type TablesOf,
} from './published-file.ts';
import { LOG_FRESH_MICROSECONDS, type LogTools, publishedLog } from './published-log.ts';
import { exactExpiryOf } from '../format/retention.ts';
import type { LogReader } from './signed-reader.ts';
import type { ReadableSnapshot } from '../format/served-manifest.ts';
import { isSnapshotId, meansNewest } from '../format/snapshot-id.ts';
import { pinsAt, snapshotStatus } from '../format/snapshot-status.ts';
import { rowReader } from './rows.ts';
import type { QuarantineWatch, SnapshotReader } from './snapshot-reader.ts';
import { versionOf } from './snapshot-version.ts';
import { tableCsv } from './table-csv.ts';

interface ReaderTools extends LogTools {
  /** Told of each file that a read finds damaged, once. */
  readonly onDamage?: (place: DamagedPlace) => void;
  /** Size of the cache of checked bytes. */
  readonly cache_bytes?: number;
  /** Called between the pieces of a CSV, so that other requests are answered meanwhile. */
  readonly turn?: () => Promise<void>;
}

/** Makes the reader of a store. Cached files and manifests are checked and never change; cached logs and marks are read again. */
export function createReader(tools: ReaderTools): SnapshotReader & QuarantineWatch & LogReader {
  const { store, now, cache_bytes = MEMORY_BUDGET.blocks, turn = async () => undefined } = tools;
  const cache = new CheckedBytes(cache_bytes);
  const lookup = publishedLog(tools);
  const { logOf, marksOf, published, readable, expiredAt, pinnedEntry, idOfPin } = lookup;
  const damaged = damagedFiles({ ...tools, isKept });
  const manifestOf = manifestCache(store);
  const openRows = rowReader(turn);

  async function read({ log, entry, status }: Published): Promise<ReadableSnapshot> {
    const stored = await manifestOf(log.account_id, entry);
    const { nonce: _nonce, packed: _packed, pg_snapshot: _pg_snapshot, ...manifest } = stored;
    const expires_at = exactExpiryOf(log, entry, status, manifest.generated_at);
    const place = { account_id: log.account_id, snapshot_id: entry.snapshot_id };
    // What this reader found damaged is so for all who ask it, also before a scrub has put a mark into the store.
    const quarantine = damaged.with(status.quarantine, place);
    void damaged.lookAgain();
    return {
      ...manifest,
      expires_at,
      pins: pinsAt(status, now()),
      retraction: status.retraction,
      quarantine,
    };
  }

  async function latest(account_id: bigint): Promise<ReadableSnapshot | null> {
    const { log, marks } = await published(account_id);
    const entry = log.entries.at(-1);
    if (entry === undefined) return null;
    return await read({ log, entry, status: snapshotStatus(marks, entry.snapshot_id) });
  }

  async function pinned(account_id: bigint, snapshot_id: string): Promise<ReadableSnapshot | null> {
    const found = await pinnedEntry(account_id, snapshot_id);
    return found === null ? null : await read(found);
  }

  async function isKept({ account_id, snapshot_id }: DamagedPlace): Promise<boolean> {
    const found = await pinnedEntry(account_id, snapshot_id).catch((error: unknown) => error);
    return !isCrossfootError(found, 'snapshot_expired');
  }

  async function fileOf(
    account_id: bigint,
    snapshot_id: string,
    name: string,
    tablesOf: TablesOf = sharedTables,
  ): Promise<CheckedFile> {
    let found = await pinnedEntry(account_id, snapshot_id);
    if (found !== null && isQuarantined(found, name)) {
      // A scrub may have lifted the quarantine since: read newer marks, so that a restored file is served within seconds.
      await marksOf(account_id, LOG_FRESH_MICROSECONDS);
      found = await pinnedEntry(account_id, snapshot_id);
    }
    const manifest = found === null ? null : await manifestOf(account_id, found.entry);
    const table = manifest === null ? undefined : tablesOf(manifest).find((one) => one.name === name);
    if (found === null || manifest === null || table === undefined) throw noFile();
    if (isQuarantined(found, name)) throw quarantinedFile(snapshot_id, name);
    return fileIn(found, manifest, table);
  }

  async function* readNoting(file: CheckedFile, from: number, to: number, scan = false) {
    try {
      yield* readChecked(store, file, from, to, { cache, scan });
    } catch (error) {
      damaged.note(file, error);
      throw error;
    }
  }

  /** A small file has no blocks: it is read whole each time. */
  async function readSmall(
    account_id: bigint,
    snapshot_id: string,
    name: string,
    filesOf: typeof servedFiles,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const found = await pinnedEntry(account_id, snapshot_id);
    const manifest = found === null ? null : await manifestOf(account_id, found.entry);
    const file = manifest === null ? undefined : filesOf(manifest).find((one) => one.name === name);
    if (found === null || file === undefined) throw noFile();
    const key = fileKey(found.entry.prefix, name);
    const place = { account_id, snapshot_id, file: name };
    return await damaged.noting(key, place, () => readWhole(store, key, file, cache));
  }

  function sourceOf(file: CheckedFile): ParquetSource {
    return {
      size_bytes: file.size_bytes,
      read: (from, to) => joined(readNoting(file, from, to)),
    };
  }

  return {
    logOf,
    marksOf,

    async entryOf(account_id, snapshot_id) {
      return (await pinnedEntry(account_id, snapshot_id))?.entry ?? null;
    },

    latest,
    pinned,

    async named(account_id, name) {
      if (meansNewest(name)) return await latest(account_id);
      const id = isSnapshotId(name) ? name : await idOfPin(account_id, name);
      return id === null ? null : await pinned(account_id, id);
    },

    async logBrokenAt(account_id) {
      const { entries, fault } = await logOf(account_id);
      return fault === null ? null : entries.length + 1;
    },

    async countBrokenLogs() {
      // Each broken log is read again. A repaired log leaves the set; a log that cannot be read stays.
      await Promise.allSettled([...lookup.broken].map((account_id) => logOf(account_id)));
      return lookup.broken.size;
    },

    async list(account_id) {
      return await Promise.all((await readable(account_id)).map(read));
    },

    async versions(account_id) {
      const { log, marks } = await published(account_id);
      return log.entries.map((entry) => {
        const status = snapshotStatus(marks, entry.snapshot_id);
        return versionOf(entry, status, { now: now(), expired: expiredAt(log, entry, status) !== null });
      });
    },

    async quarantined(account_id) {
      return (await readable(account_id)).filter(({ status }) => status.quarantine !== null).length;
    },

    countDamaged: () => damaged.keys().length,

    async countDamagedForAll() {
      // Marks and files are read again, and a file that is whole again is not counted the next time.
      void damaged.lookAgain();
      const keys = new Set(damaged.keys());
      for (const account_id of lookup.quarantined) {
        await marksOf(account_id, LOG_FRESH_MICROSECONDS).catch(() => undefined);
        for (const { entry, status } of await readable(account_id).catch(() => []))
          for (const file of status.quarantine?.files ?? []) keys.add(fileKey(entry.prefix, file));
      }
      return keys.size;
    },

    async refuseDamaged(account_id, snapshot_id, table) {
      await damaged.refuse(await fileOf(account_id, snapshot_id, table));
    },

    async openTable(account_id, snapshot_id, table, range) {
      const file = await fileOf(account_id, snapshot_id, table);
      await damaged.refuse(file);
      const { from, to } = range ?? { from: 0, to: file.size_bytes - 1 };
      const pieces = readNoting(file, from, to, to - from > cache_bytes);
      // Small ranges are requested so often that a stream for each would cost more than the bytes in it.
      return to - from < file.block_bytes ? await joined(pieces) : await openStream(pieces);
    },

    async openCsv(account_id, snapshot_id, name, options) {
      const file = await fileOf(account_id, snapshot_id, name);
      await damaged.refuse(file);
      const table = servedTableNamed(name);
      if (table === undefined) throw noFile(); // a manifest names only tables that exist
      return await openStream(tableCsv(sourceOf(file), table, options, turn));
    },

    async openRows(account_id, snapshot_id, table) {
      const file = await fileOf(account_id, snapshot_id, table.name, blockedFiles);
      await damaged.refuse(file);
      return await openRows(file.blocks_sha256, sourceOf(file), table);
    },

    readReport: (account_id, snapshot_id, { report }) =>
      readSmall(account_id, snapshot_id, report, smallFiles),

    readFile: (account_id, snapshot_id, name) => readSmall(account_id, snapshot_id, name, servedFiles),
  };
}
