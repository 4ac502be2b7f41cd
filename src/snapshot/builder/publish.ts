/**
 * Publishes an audited build. The order makes it safe: 1. store the objects, and check the bytes of each as stored  2. confirm that
 * the account still reports and that the clocks agree  3. create the manifest, which names the objects' digests  4. store the
 * manifest's signatures  5. create the log entry, which names the manifest's digest. Nothing is visible before step 5.
 */
import { CrossfootError } from '../../errors.ts';
import type { Clock } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { Content, Store } from '../../store/store.ts';
import type { BuildLayout } from '../../store-settings.ts';
import { SCHEMA_VERSION } from '../../tables/describe.ts';
import type { FileSet } from '../../tables/file-set.ts';
import { appendEntry, type PublishResult } from './append-entry.ts';
import { BLOCK_BYTES, sha256Hex } from '../format/digest.ts';
import { blocksFile, buildPrefix, fileKey, manifestKey, tableFile } from '../format/keys.ts';
import { encodeManifest, MANIFEST_CAP_BYTES, type Manifest } from '../format/manifest.ts';
import type { NewEntry, PublishLog } from '../format/publish-log.ts';
import { isPacked, PACK_FILE } from '../format/pack.ts';
import { rememberCreated } from './remember-created.ts';
import {
  signAudit,
  type SignatureFile,
  signSnapshot,
  type SignedSnapshot,
} from '../format/signature-files.ts';
import { snapshotIdOf } from '../format/snapshot-id.ts';
import { setFields } from '../format/stored-sets.ts';
import { type NamedContent, packContent } from '../spool/pack-content.ts';
import { type BlockedContent, contentOfBytes, createStated, upload, uploadBlocked } from '../spool/upload.ts';
import type { SigningKey } from '../../signing/keys.ts';
import type { Instant } from '../../instant.ts';

const AUDIT_SIGNATURE = 'audit.dsse.json' satisfies SignatureFile;

export interface PublishedTable {
  readonly name: string;
  readonly row_count: number;
  readonly content: BlockedContent;
}

/** The tables of a set, in published order, and the files beside them. */
interface AuditedFiles {
  readonly tables: readonly PublishedTable[];
  readonly files: readonly { readonly name: string; readonly content: Content }[];
}

/**
 * A build that passed its audit, with the facts that its manifest states. Its own files are the inputs and the result of the
 * audit: `schema.json`, `audit.sql`, `audit.json`, `control.json`.
 */
export interface AuditedBuild extends AuditedFiles {
  readonly account_id: bigint;
  /** 128 random bits in lower-case hex, unique to this build. */
  readonly nonce: string;
  /** The night it was built for, `YYYY-MM-DD`. */
  readonly night: string;
  /** True: publish only as the first snapshot of that night. */
  readonly once: boolean;
  /** The machine and process that built it. */
  readonly builder: string;
  /** The moment it describes. */
  readonly generated_at: Instant;
  /** Null if the ledger was read on a standby. */
  readonly changes_from: Instant | null;
  readonly pg_snapshot: string;
  /** The amounts at its moment that no total includes. */
  readonly left_out: Manifest['left_out'];
  readonly versions: Manifest['versions'];
  /** The sets beside the reporting tables, each with its report. */
  readonly beside?: readonly (AuditedFiles & { readonly set: FileSet })[];
  /** `objects` if omitted. */
  readonly layout?: BuildLayout | undefined;
}

export interface PublishTools {
  readonly store: Store;
  readonly clock: Clock;
  /**
   * Called after the objects are stored, which takes minutes for a large build. Returns the time of publishing by the
   * database's clock. Throws if the account no longer reports or the clocks disagree.
   */
  readonly confirm?: (() => Promise<bigint>) | undefined;
  /** Called with the log and the entry of this build in it. */
  readonly onAppended?: ((log: PublishLog) => void) | undefined;
}

/**
 * Failed builds whose files the store may still delete, because it did not confirm the deletion. A `WeakSet` does not keep a
 * build in memory.
 */
const withdrawnLate = new WeakSet<AuditedBuild>();

/**
 * Publishes the build. `known` is the log as it was read before the build. A repeated call after an error is safe: it finds
 * what exists already, and never publishes a build twice. It refuses a failed build while the store may still delete its
 * files. If publishing fails, it deletes the files that it created (see `rememberCreated`).
 */
export async function publish(
  build: AuditedBuild,
  known: PublishLog,
  { store: lent, clock, confirm, onAppended }: PublishTools,
): Promise<PublishResult> {
  if (known.fault !== null) throw known.fault;
  if (withdrawnLate.has(build)) {
    throw new CrossfootError(
      'store_object_missing',
      'publish: this build failed before, and the deletion of its files may still be under way.',
      { hint: 'Build again.' },
    );
  }
  const signer = lent.signing?.signer ?? null;
  const files = await filesToStore(build, signer);
  // Encode the manifest before sending any file: a manifest that is invalid or too large fails here.
  const manifest = encodeManifest(manifestOf(build, files));
  const snapshot_id = snapshotIdOf(build.generated_at);
  const prefix = buildPrefix(build.account_id, snapshot_id, build.nonce, build.layout);
  const { store, withdraw } = rememberCreated(lent);
  const toStore = { prefix, manifest, files };
  const published_at = await storeObjects(build, toStore, { store, clock, confirm }).catch(
    async (error: unknown) => {
      if (!(await withdraw(error))) withdrawnLate.add(build);
      throw error;
    },
  );
  const entry: NewEntry = {
    snapshot_id,
    manifest_sha256: sha256Hex(manifest),
    nonce: build.nonce,
    night: build.night,
    published_at,
    builder: build.builder,
    layout: build.layout,
  };
  return await appendEntry(store, clock, known, entry, { once: build.once, onAppended });
}

/** The files of a build before its manifest, by their names in the store. */
interface FilesToStore {
  /** Objects of their own. */
  readonly own: readonly { readonly name: string; readonly content: BlockedContent | Content }[];
  /** What shares one object, and that object; null where there is none. */
  readonly packed: readonly NamedContent[];
  readonly pack: Content | null;
}

interface ToStore {
  readonly prefix: string;
  readonly manifest: Uint8Array;
  readonly files: FilesToStore;
}

/** Sorts the files: a build in the packed layout packs what only servers read, the signed report of its audit too. */
async function filesToStore(build: AuditedBuild, signer: SigningKey | null): Promise<FilesToStore> {
  const sets = [build, ...(build.beside ?? [])];
  const tables = sets.flatMap((set) => set.tables);
  const all = [
    ...tables.flatMap(({ name, content }) => [
      { name: tableFile(name), content },
      { name: blocksFile(name), content: contentOfBytes(content.blocks) },
    ]),
    ...sets.flatMap(({ files }) => files),
  ];
  if (build.layout !== 'packed') return { own: all, packed: [], pack: null };
  const envelope = signer === null ? [] : [signAudit(await signedAudit(build), signer)];
  const signed = envelope.map((bytes) => ({ name: AUDIT_SIGNATURE, content: contentOfBytes(bytes) }));
  const packed = [...all, ...signed].filter(({ name }) => isPacked(name));
  return { own: all.filter(({ name }) => !isPacked(name)), packed, pack: await packContent(packed) };
}

/** Steps 1 to 4; returns the time of publishing. */
async function storeObjects(
  build: AuditedBuild,
  { prefix, manifest, files }: ToStore,
  { store, clock, confirm }: PublishTools,
): Promise<bigint> {
  for (const { name, content } of files.own) {
    const key = fileKey(prefix, name);
    if ('blocks' in content) await uploadBlocked(store, clock, key, content);
    else await upload(store, clock, key, content);
  }
  if (files.pack !== null) await upload(store, clock, fileKey(prefix, PACK_FILE), files.pack);
  const published_at = (await confirm?.()) ?? clock.now();
  await createManifest(store, clock, manifestKey(prefix), manifest);
  const signer = store.signing?.signer ?? null;
  if (signer === null) return published_at;
  const signatures = signSnapshot({ ...(await signedAudit(build)), manifest }, signer);
  for (const [name, bytes] of Object.entries(signatures)) {
    if (files.packed.some((file) => file.name === name)) continue;
    await upload(store, clock, fileKey(prefix, name), contentOfBytes(bytes));
  }
  return published_at;
}

async function signedAudit({ tables, files }: AuditedBuild): Promise<Omit<SignedSnapshot, 'manifest'>> {
  const contentOf = (wanted: string): Content => {
    const file = files.find(({ name }) => name === wanted);
    if (file === undefined) throw new Error(`the build has no ${wanted}`);
    return file.content;
  };
  return {
    tables: tables.map(({ name, content }) => ({ name, sha256: content.sha256 })),
    audit: Buffer.concat(await Array.fromAsync(contentOf('audit.json').open())),
    control_sha256: contentOf('control.json').sha256,
  };
}

async function createManifest(store: Store, clock: Clock, key: string, bytes: Uint8Array): Promise<void> {
  if (await createStated(store, clock, key, bytes, sha256Hex(bytes))) return;
  const stored = await untilAnswered(clock, () => store.readSmall(key, MANIFEST_CAP_BYTES));
  if (stored !== null && Buffer.from(stored).equals(bytes)) return;
  throw new CrossfootError(
    'publish_aborted',
    'publish: the manifest of this build is missing, or another process wrote it; nothing was published.',
    {
      hint: 'Prune writes a tombstone in place of the manifest of a build that looks abandoned. Build again.',
      data: { key },
    },
  );
}

function manifestOf(build: AuditedBuild, { packed }: FilesToStore): Manifest {
  return {
    snapshot_id: snapshotIdOf(build.generated_at),
    schema_version: SCHEMA_VERSION,
    generated_at: build.generated_at,
    changes_from: build.changes_from === null ? null : build.changes_from,
    account_id: Number(build.account_id), // the schema refuses an id that a JSON number cannot hold
    pg_snapshot: build.pg_snapshot,
    nonce: build.nonce,
    block_bytes: BLOCK_BYTES,
    ...storedFiles(build),
    ...setFields((build.beside ?? []).map((each) => ({ set: each.set, ...storedFiles(each) }))),
    ...(packed.length === 0
      ? {}
      : { packed: packed.map(({ name, content }) => ({ name, size_bytes: content.size })) }),
    left_out: build.left_out,
    versions: build.versions,
  };
}

/** How a manifest names the files. */
function storedFiles({ tables, files }: AuditedFiles): Pick<Manifest, 'tables' | 'files'> {
  return {
    tables: tables.map(({ name, row_count, content }) => ({
      name,
      row_count,
      size_bytes: content.size,
      sha256: content.sha256,
      blocks_sha256: sha256Hex(content.blocks),
    })),
    files: files.map(({ name, content: { size: size_bytes, sha256 } }) => ({ name, size_bytes, sha256 })),
  };
}
