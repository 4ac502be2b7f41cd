/** Reads every byte of a published snapshot and checks it against the log entry and the manifest. */
import { createHash } from 'node:crypto';
import { type CrossfootError, isCrossfootError } from '../../errors.ts';
import type { Clock } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { Store } from '../../store/store.ts';
import { readChecked } from '../read/checked-read.ts';
import {
  blocksFile,
  blocksKey,
  fileKey,
  manifestKey,
  secondOfCheckedKey,
  tableFile,
  tableKey,
} from '../format/keys.ts';
import {
  blockedFiles,
  decodeManifest,
  type Manifest,
  MANIFEST_CAP_BYTES,
  smallFiles,
} from '../format/manifest.ts';
import type { LogEntry } from '../format/publish-log.ts';
import { PACK_FILE } from '../format/pack.ts';
import { SIGNATURE_FILES } from '../format/signature-files.ts';
import { type PublishedManifest, readSignature } from '../read/read-signatures.ts';

export interface Findings {
  /** Names of files that are missing or differ from the audited files. */
  readonly damaged: readonly string[];
  /** Names of objects under the snapshot's prefix that the manifest does not name. */
  readonly strange: readonly string[];
  /** The ids of the keys that signed but are not known, so that their signatures cannot be checked. */
  readonly unknown_keys: readonly string[];
}

interface ReadJob {
  readonly account_id: bigint;
  readonly entry: LogEntry;
  /** The keys of all objects of the snapshot in the store's listing. */
  readonly keys: readonly string[];
}

interface ReadTools {
  readonly store: Store;
  readonly clock: Clock;
  /** Called after each file with the number of its bytes; it may wait, to limit the rate. */
  readonly onRead: (bytes: number) => Promise<void>;
}

/** Reads every object of the snapshot. Throws if the store does not answer: that says nothing about the bytes. */
export async function findDamage({ account_id, entry, keys }: ReadJob, tools: ReadTools): Promise<Findings> {
  const { store, clock } = tools;
  const { manifest, bytes } = await readManifestOf(account_id, entry, tools);
  if (manifest === null) return { damaged: ['manifest.json'], strange: [], unknown_keys: [] };
  const damaged: string[] = [];
  for (const { name, size_bytes, check } of filesOf(entry.prefix, manifest)) {
    if (!(await untilAnswered(clock, () => isWhole(store, check)))) damaged.push(name);
    await tools.onRead(size_bytes);
  }
  const signatures = await checkSignatures({ entry, manifest, bytes }, tools);
  damaged.push(...signatures.damaged);
  const named = new Set(namesOf(manifest).map((name) => fileKey(entry.prefix, name)));
  const strange = keys
    .filter((key) => !named.has(key) && secondOfCheckedKey(entry.prefix, key) === null)
    .map((key) => key.slice(entry.prefix.length + 1));
  return { damaged, strange, unknown_keys: signatures.unknown_keys };
}

async function readManifestOf(
  account_id: bigint,
  entry: LogEntry,
  { store, clock }: ReadTools,
): Promise<{ readonly manifest: Manifest | null; readonly bytes: Uint8Array }> {
  const none = { manifest: null, bytes: new Uint8Array() };
  try {
    const key = manifestKey(entry.prefix);
    const bytes = await untilAnswered(clock, () => store.readSmall(key, MANIFEST_CAP_BYTES));
    return bytes === null ? none : { manifest: decodeManifest(bytes, { ...entry, account_id }), bytes };
  } catch (error) {
    if (isDamage(error)) return none;
    throw error;
  }
}

async function checkSignatures(
  published: PublishedManifest,
  { store, clock }: ReadTools,
): Promise<Pick<Findings, 'damaged' | 'unknown_keys'>> {
  const damaged: string[] = [];
  const unknown_keys = new Set<string>();
  for (const name of SIGNATURE_FILES) {
    const read = await untilAnswered(clock, () => readSignature(store, name, published));
    if (read?.checked.outcome === 'invalid') damaged.push(name);
    if (read?.checked.outcome === 'unknown-key') unknown_keys.add(read.checked.key_id);
  }
  return { damaged, unknown_keys: [...unknown_keys] };
}

interface StoredFile {
  /** The name that a quarantine uses. A table's file and its block digests share one name. */
  readonly name: string;
  readonly size_bytes: number;
  /** Reads the object to its end; throws or returns false if it differs from what was published. */
  readonly check: (store: Store) => Promise<boolean>;
}

function filesOf(prefix: string, manifest: Manifest): readonly StoredFile[] {
  const { block_bytes } = manifest;
  return [
    ...blockedFiles(manifest).map(({ name, size_bytes, blocks_sha256 }) => ({
      name: tableFile(name),
      size_bytes,
      check: async (store: Store) => {
        const keys = { key: tableKey(prefix, name), blocks_key: blocksKey(prefix, name) };
        const file = { ...keys, size_bytes, block_bytes, blocks_sha256 };
        for await (const _ of readChecked(store, file, 0, size_bytes - 1)); // to its end: only a bad block throws
        return (await store.stat(file.key))?.size === size_bytes;
      },
    })),
    ...smallFiles(manifest).map(({ name, size_bytes, sha256 }) => ({
      name,
      size_bytes,
      check: async (store: Store) => {
        const key = fileKey(prefix, name);
        const hash = createHash('sha256');
        for await (const piece of store.readRange(key, 0, size_bytes)) hash.update(piece);
        return hash.digest('hex') === sha256 && (await store.stat(key))?.size === size_bytes;
      },
    })),
  ];
}

function namesOf(manifest: Manifest): readonly string[] {
  return [
    'manifest.json',
    ...(manifest.packed === undefined ? [] : [PACK_FILE]),
    ...SIGNATURE_FILES,
    ...blockedFiles(manifest).flatMap(({ name }) => [tableFile(name), blocksFile(name)]),
    ...smallFiles(manifest).map(({ name }) => name),
  ];
}

async function isWhole(store: Store, check: StoredFile['check']): Promise<boolean> {
  try {
    return await check(store);
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

function isDamage(error: unknown): error is CrossfootError {
  return (
    isCrossfootError(error, 'file_corrupt') ||
    isCrossfootError(error, 'manifest_invalid') ||
    isCrossfootError(error, 'store_object_missing') ||
    isCrossfootError(error, 'store_object_too_large')
  );
}
