/** Checks the signatures in a folder that holds a snapshot as the store keeps it. */
import type { PublicKeys } from '../../signing/keys.ts';
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
