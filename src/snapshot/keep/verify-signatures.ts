/** Checks the signatures in a folder that holds a snapshot as the store keeps it. */
import { KEY_TYPE, keysById, type PublicKeys, readPublicKey } from '../../signing/keys.ts';
import { signerOf, unarmor } from '../../signing/sshsig.ts';
import type { Offence } from '../audit/report.ts';
import type { SentManifest } from '../format/manifest.ts';
import type { LogEntry } from '../format/publish-log.ts';
import { checkSignatureFile, SIGNATURE_FILES, type SignedBy } from '../format/signature-files.ts';
import { formatInstant } from '../../time.ts';

export interface VerifiedSignatures {
  readonly offences: readonly Offence[];
  /** What could not be checked, each as a sentence. */
  readonly unchecked: readonly string[];
}

/** Who signed the snapshot of this log entry; null for an unsigned entry. */
export function signedBy(
  { sshsig_key, published_at }: Pick<LogEntry, 'published_at' | 'sshsig_key'>,
  keys: PublicKeys,
): SignedBy | null {
  if (sshsig_key === undefined) return null;
  return { key_id: sshsig_key, day: formatInstant(published_at).slice(0, 10), keys };
}

const ofFile = (name: string) => ({ subject: name, place: 'signature' });

/**
 * The signatures of a copy without a log entry, checked with the key that stands in them: a changed byte of any of them is
 * found, but not whose key it is.
 */
export async function verifyOwnSignatures(
  manifest: SentManifest,
  read: (name: string) => Promise<Uint8Array | null>,
): Promise<VerifiedSignatures & { readonly signed: boolean }> {
  const found = await Promise.all(SIGNATURE_FILES.map(read));
  if (found.every((bytes) => bytes === null)) {
    return { offences: [], signed: false, unchecked: ['The signatures: The folder has none.'] };
  }
  const blob = unarmor(Buffer.from(found[0] ?? []).toString());
  const key = readPublicKey(`${KEY_TYPE} ${(blob && signerOf(blob)) ?? ''}`);
  const key_id = key?.key_id ?? 'none';
  const by = {
    key_id,
    day: formatInstant(manifest.generated_at).slice(0, 10),
    keys: keysById(key ? [key] : []),
  };
  const { offences } = await verifySignatures(by, manifest, read);
  const none = { ...ofFile(SIGNATURE_FILES[0]), expected: 'a signature with its key', found: 'none' };
  return {
    offences: key === null ? [none] : offences,
    signed: true,
    unchecked: [
      `The signatures: The folder holds no log entry, so it is not known whose key made them: ${key_id}.`,
    ],
  };
}

/** Checks the signature files of a folder. `read` gives the bytes of a file of the folder; null if there is no such file. */
export async function verifySignatures(
  by: SignedBy | null,
  manifest: SentManifest,
  read: (name: string) => Promise<Uint8Array | null>,
): Promise<VerifiedSignatures> {
  if (by === null) {
    return {
      offences: [],
      unchecked: ['The signatures: the snapshot was published before snapshots were signed.'],
    };
  }
  const [bytes, audit] = [await read('manifest.json'), await read('audit.json')];
  const control = manifest.files.find(({ name }) => name === 'control.json');
  if (bytes === null || audit === null || control === undefined) return { offences: [], unchecked: [] };
  const snapshot = { tables: manifest.tables, manifest: bytes, audit, control_sha256: control.sha256 };
  const offences: Offence[] = [];
  const unknown = new Set<string>();
  for (const name of SIGNATURE_FILES) {
    const checked = checkSignatureFile(name, await read(name), snapshot, by);
    if (checked.outcome === 'unknown-key' && by.keys.size === 0) unknown.add(checked.key_id);
    else if (checked.outcome === 'unknown-key')
      offences.push({ ...ofFile(name), expected: 'a key of SIGNING_PUBLIC_KEYS', found: checked.key_id });
    else if (checked.outcome === 'invalid')
      offences.push({ ...ofFile(name), expected: 'a valid signature', found: checked.why });
  }
  return {
    offences,
    unchecked: [...unknown].map(
      (key_id) => `The signatures: SIGNING_PUBLIC_KEYS does not name the key ${key_id}.`,
    ),
  };
}
