/**
 * The read side: which snapshots of an account may be read. One is readable only if a good log entry names its
 * directory and its manifest has the digest that entry states, so "audited before it can be read" is true by
 * construction.
 */
import { LRUCache } from 'lru-cache';
import { CrossfootError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { keepCheckedBytes } from './checked-bytes.ts';
import { type CheckedFile, openStream, readChecked } from './checked-read.ts';
import { damagedFiles } from './damaged-files.ts';
import { formatInstant, parseInstant } from './instant.ts';
import { blocksKey, manifestKey, tableKey } from './keys.ts';
import { knownLogs } from './known-logs.ts';
import { decodeManifest, MANIFEST_CAP_BYTES, type Manifest } from './manifest.ts';
import type { LogEntry, PublishLog } from './publish-log.ts';
import { expiresAt, expiryOf, KEPT_DAYS, supersededAt } from './retention.ts';
import type { ReadableSnapshot } from './served-manifest.ts';

/** A manifest has about 4 KiB. */
const MOST_MANIFESTS = 1_000;
/** 64 blocks: the footers and hot columns of a few accounts; a scan of a large file passes through. */
const KEPT_BYTES = 67_108_864;

/** Part of a file; both ends are inclusive and inside it. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

export interface SnapshotReader {
  /** The newest snapshot; null before the first was published. */
  latest(account_id: bigint): Promise<ReadableSnapshot | null>;
  /** That snapshot; null if there is none of this id, `snapshot_expired` if it was kept long enough. */
  pinned(account_id: bigint, snapshot_id: string): Promise<ReadableSnapshot | null>;
  /** All that may be read, newest first. */
  list(account_id: bigint): Promise<readonly ReadableSnapshot[]>;
  /** How many files were found damaged and have not been whole since. */
  countDamaged(): number;
  /** Refuses a table's file that was found damaged and has not been whole since; reads nothing of any other. */
  refuseDamaged(account_id: bigint, snapshot_id: string, table: string): Promise<void>;
  /**
   * The bytes of one table's file, or of a range of it, each block checked; a bad first block is refused before
   * the stream begins, a later one breaks it.
   */
  openTable(
    account_id: bigint,
    snapshot_id: string,
    table: string,
    range?: ByteRange,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}

interface ReaderTools {
  readonly store: Store;
  /** Microseconds since 1970. */
  readonly now: () => bigint;
  readonly onFault: (fault: CrossfootError) => void;
  /** How much of what was checked stays in memory. */
  readonly kept_bytes?: number;
}

/** Makes the reader of a store; what it keeps in memory was checked and cannot change. */
export function createReader(tools: ReaderTools): SnapshotReader {
  const { store, now, kept_bytes = KEPT_BYTES } = tools;
  const kept = keepCheckedBytes(kept_bytes);
  const damaged = damagedFiles(tools);
  const logOf = knownLogs(tools);
  const manifests = new LRUCache<string, Manifest>({ max: MOST_MANIFESTS });

  async function manifestOf(account_id: bigint, entry: LogEntry): Promise<Manifest> {
    const cached = manifests.get(entry.prefix);
    if (cached !== undefined) return cached;
    const bytes = await store.readSmall(manifestKey(entry.prefix), MANIFEST_CAP_BYTES);
    if (bytes === null) {
      throw new CrossfootError('manifest_invalid', 'manifest: refused, because it is missing.', {
        data: { account: account_id, seq: entry.seq },
      });
    }
    const manifest = decodeManifest(bytes, { ...entry, account_id });
    manifests.set(entry.prefix, manifest);
    return manifest;
  }

  async function read(log: PublishLog, entry: LogEntry): Promise<ReadableSnapshot> {
    const { nonce: _nonce, pg_snapshot: _pg_snapshot, ...told } = await manifestOf(log.account_id, entry);
    const superseded_at = supersededAt(log, entry);
    const expires_at =
      superseded_at === null
        ? null
        : formatInstant(expiresAt(checkedInstant(told.generated_at), superseded_at));
    return { ...told, expires_at, pins: [], retraction: null };
  }

  async function pinnedEntry(account_id: bigint, snapshot_id: string) {
    const log = await logOf(account_id);
    const entry = log.entries.findLast((one) => one.snapshot_id === snapshot_id);
    if (entry === undefined) return null;
    const expired_at = expiryOf(log, entry);
    if (expired_at === null || now() < expired_at) return { log, entry };
    const day = formatInstant(expired_at).slice(0, 10);
    throw new CrossfootError(
      'snapshot_expired',
      `This snapshot was kept for ${KEPT_DAYS} days and expired on ${day}.`,
    );
  }

  async function fileOf(account_id: bigint, snapshot_id: string, name: string): Promise<CheckedFile> {
    const found = await pinnedEntry(account_id, snapshot_id);
    const manifest = found === null ? null : await manifestOf(account_id, found.entry);
    const table = manifest?.tables.find((one) => one.name === name);
    if (found === null || manifest === null || table === undefined) {
      throw new CrossfootError('not_found', 'There is no such file in this account.');
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
      const log = await logOf(account_id);
      const head = log.entries.at(-1);
      return head === undefined ? null : await read(log, head);
    },

    async pinned(account_id, snapshot_id) {
      const found = await pinnedEntry(account_id, snapshot_id);
      return found === null ? null : await read(found.log, found.entry);
    },

    async list(account_id) {
      const log = await logOf(account_id);
      const unexpired = log.entries.filter((entry) => {
        const expires = expiryOf(log, entry);
        return expires === null || now() < expires;
      });
      return await Promise.all(unexpired.toReversed().map((entry) => read(log, entry)));
    },

    countDamaged: () => damaged.count(),

    async refuseDamaged(account_id, snapshot_id, table) {
      await damaged.refuse(await fileOf(account_id, snapshot_id, table));
    },

    async openTable(account_id, snapshot_id, table, range) {
      const file = await fileOf(account_id, snapshot_id, table);
      await damaged.refuse(file);
      const { from, to } = range ?? { from: 0, to: file.size_bytes - 1 };
      return await openStream(readNoting(file, from, to));
    },
  };
}

// The schema of what it stands in has refused everything else.
function checkedInstant(text: string): bigint {
  return parseInstant(text) ?? 0n;
}
