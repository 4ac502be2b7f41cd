/**
 * Reads what a person needs to check a snapshot's origin: the stored manifest, its signatures, and the entries of the publish
 * log.
 */
import { CrossfootError } from '../../errors.ts';
import type { PublicKeys } from '../../signing/keys.ts';
import type { StoreReader } from '../../store/store.ts';
import { readStoredManifest } from './entry-manifest.ts';
import { decodeManifest } from '../format/manifest.ts';
import { logKey } from '../format/keys.ts';
import type { SignatureFile } from '../format/signature-files.ts';
import { readEntry } from './read-chain.ts';
import { type PublishedManifest, readSignature } from './read-signatures.ts';
import type { Marks } from '../format/marks.ts';
import type { LogEntry, PublishLog } from '../format/publish-log.ts';

/** The publish log, as a reader knows it. */
export interface LogReader {
  /** The log, at most a few seconds old, or at most as old as the caller says: with 0 it is read after this call. */
  logOf(account_id: bigint, fresh_microseconds?: bigint): Promise<PublishLog>;
  /** The marks, at most a minute old. */
  marksOf(account_id: bigint): Promise<Marks>;
  /** The entry of a snapshot that may be read; null if there is none. Throws `snapshot_expired` after its expiry. */
  entryOf(account_id: bigint, snapshot_id: string): Promise<LogEntry | null>;
}

export interface SignedReader {
  /** The public keys whose signatures are accepted now. */
  keys(): PublicKeys;
  /** The manifest byte for byte as it is stored: what the signatures sign. */
  manifest(account_id: bigint, snapshot_id: string): Promise<Uint8Array>;
  /**
   * A signature, checked if its key is known. Throws 404 for a snapshot that is not signed, and `file_corrupt` if the
   * signature is wrong or missing.
   */
  signature(account_id: bigint, snapshot_id: string, name: SignatureFile): Promise<Uint8Array>;
  /** The entry of the publish log that names the snapshot. */
  entryOf(account_id: bigint, snapshot_id: string): Promise<Uint8Array>;
  /** The entry of this number, also after its snapshot expired; throws 404 if there is none. */
  entry(account_id: bigint, seq: number): Promise<Uint8Array>;
  /** The entries from number `from` to the snapshot's entry, but at most `most`; none if `from` is after that entry. */
  entriesTo(
    account_id: bigint,
    snapshot_id: string,
    range: { readonly from: number; readonly most: number },
  ): Promise<readonly Uint8Array[]>;
}

export function createSignedReader(store: StoreReader, log: LogReader): SignedReader {
  async function published(account_id: bigint, snapshot_id: string): Promise<PublishedManifest> {
    const entry = await log.entryOf(account_id, snapshot_id);
    if (entry === null) throw absent('There is no such snapshot in this account.');
    const bytes = await readStoredManifest(store, account_id, entry);
    return { entry, manifest: decodeManifest(bytes, { ...entry, account_id }), bytes };
  }

  async function entryAt(account_id: bigint, seq: number): Promise<Uint8Array> {
    const { entries, fault } = await log.logOf(account_id);
    if (seq > entries.length && fault !== null) throw fault;
    const bytes = seq > entries.length ? null : await readEntry(store, logKey(account_id, seq));
    if (bytes === null) throw absent(`The publish log has ${entries.length} entries.`);
    return bytes;
  }

  return {
    keys: () => store.signing?.keys ?? new Map(),

    async manifest(account_id, snapshot_id) {
      return (await published(account_id, snapshot_id)).bytes;
    },

    async signature(account_id, snapshot_id, name) {
      const found = await published(account_id, snapshot_id);
      if (found.entry.sshsig_key === undefined)
        throw absent('This snapshot is not signed: a version of Crossfoot that did not sign published it.');
      const read = await readSignature(store, name, found);
      if (read !== null && read.bytes !== null && read.checked.outcome !== 'invalid') return read.bytes;
      // A signature states the report of the audit, too: it cannot be checked without that file.
      const file = read === null ? 'audit.json' : name;
      const why = read?.checked.outcome === 'invalid' ? read.checked.why : 'is missing or damaged';
      throw new CrossfootError('file_corrupt', `${file} of ${snapshot_id} ${why}.`, {
        hint: 'Restore the file from a copy, then run npx --no crossfoot scrub.',
        data: { snapshot: snapshot_id },
      });
    },

    async entryOf(account_id, snapshot_id) {
      return await entryAt(account_id, (await published(account_id, snapshot_id)).entry.seq);
    },

    entry: entryAt,

    async entriesTo(account_id, snapshot_id, { from, most }) {
      const entry = await log.entryOf(account_id, snapshot_id);
      if (entry === null) throw absent('There is no such snapshot in this account.');
      const count = Math.max(0, Math.min(most, entry.seq - from + 1));
      return await Promise.all(
        Array.from({ length: count }, (_, index) => entryAt(account_id, from + index)),
      );
    },
  };
}

function absent(message: string): CrossfootError {
  return new CrossfootError('not_found', message);
}
