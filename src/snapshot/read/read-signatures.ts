/** Reads the signatures of a published snapshot, and checks each whose key is known. */
import { isCrossfootError } from '../../errors.ts';
import type { Checked } from '../../signing/sshsig.ts';
import type { StoreReader } from '../../store/store.ts';
import { formatInstant } from '../../time.ts';
import { sha256Hex } from '../format/digest.ts';
import { fileKey } from '../format/keys.ts';
import type { Manifest } from '../format/manifest.ts';
import type { LogEntry } from '../format/publish-log.ts';
import { checkSignatureFile, SIGNATURE_CAP_BYTES, type SignatureFile } from '../format/signature-files.ts';

export interface PublishedManifest {
  readonly entry: LogEntry;
  readonly manifest: Manifest;
  /** The manifest as it is stored. */
  readonly bytes: Uint8Array;
}

export interface ReadSignature {
  /** Null if the file is missing or too large. */
  readonly bytes: Uint8Array | null;
  readonly checked: Checked;
}

/**
 * A signature file of the snapshot, and the result of its check. Null if it cannot be checked: the log entry is not signed, or
 * the report of the audit is missing or damaged.
 */
export async function readSignature(
  store: StoreReader,
  name: SignatureFile,
  { entry, manifest, bytes: signed }: PublishedManifest,
): Promise<ReadSignature | null> {
  const audit = await readWholeSmall(store, fileKey(entry.prefix, 'audit.json'));
  const digestOf = (wanted: string): string | undefined =>
    manifest.files.find((file) => file.name === wanted)?.sha256;
  const control_sha256 = digestOf('control.json');
  if (entry.sshsig_key === undefined || audit === null || control_sha256 === undefined) return null;
  if (digestOf('audit.json') !== sha256Hex(audit)) return null;
  const bytes = await readWholeSmall(store, fileKey(entry.prefix, name));
  const snapshot = { ...manifest, manifest: signed, audit, control_sha256 };
  const day = formatInstant(entry.published_at).slice(0, 10);
  const by = { key_id: entry.sshsig_key, day, keys: store.signing?.keys ?? new Map() };
  return { bytes, checked: checkSignatureFile(name, bytes, snapshot, by) };
}

async function readWholeSmall(store: StoreReader, key: string): Promise<Uint8Array | null> {
  try {
    return await store.readSmall(key, SIGNATURE_CAP_BYTES);
  } catch (error) {
    if (isCrossfootError(error, 'store_object_too_large')) return null;
    throw error;
  }
}
