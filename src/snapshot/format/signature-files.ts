/**
 * The signatures of a snapshot, as files under its prefix. They sign the manifest, so they are written after it and the manifest
 * does not name them. They are written before the log entry.
 */
import { sign, verify } from 'node:crypto';
import { auditEnvelope, type AuditStatement, checkEnvelope } from '../../signing/dsse.ts';
import { isValidOn, type PublicKeys, type SigningKey } from '../../signing/keys.ts';
import { armor, type Checked, checkSsh, signSsh, unarmor } from '../../signing/sshsig.ts';
import { decodeCanonical } from './canonical-json.ts';
import type { Manifest } from './manifest.ts';

/**
 * The first is for `ssh-keygen -Y verify`, the second for `openssl pkeyutl -verify -rawin`. The third is the audit as a signed
 * DSSE envelope.
 */
export const SIGNATURE_FILES = ['manifest.json.sig', 'manifest.json.ed25519', 'audit.dsse.json'] as const;
export type SignatureFile = (typeof SIGNATURE_FILES)[number];
/** The maximum size of a signature file: the DSSE envelope contains the report of the audit, in base64. */
export const SIGNATURE_CAP_BYTES = 4_194_304;

/** What is signed: the stored bytes of the manifest, and the tables and the report of the audit that it names. */
export interface SignedSnapshot {
  readonly manifest: Uint8Array;
  readonly tables: readonly Pick<Manifest['tables'][number], 'name' | 'sha256'>[];
  /** The bytes of `audit.json`. */
  readonly audit: Uint8Array;
  /** The digest of `control.json`. */
  readonly control_sha256: string;
}

/** The bytes of each file. The same snapshot and key always give the same bytes. */
export function signSnapshot(
  snapshot: SignedSnapshot,
  signer: SigningKey,
): Readonly<Record<SignatureFile, Uint8Array>> {
  return {
    'manifest.json.sig': Buffer.from(armor(signSsh(signer, 'crossfoot', snapshot.manifest))),
    'manifest.json.ed25519': sign(null, snapshot.manifest, signer.key),
    'audit.dsse.json': signAudit(snapshot, signer),
  };
}

/** The envelope alone: it does not sign the manifest, so it may be made before that. */
export function signAudit(snapshot: Omit<SignedSnapshot, 'manifest'>, signer: SigningKey): Uint8Array {
  return auditEnvelope(statementOf(snapshot), signer);
}

/** The key and the UTC day of signing that the log entry states, and the known keys. */
export interface SignedBy {
  readonly key_id: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly keys: PublicKeys;
}

/** Checks one of the files; `bytes` is null if the file is missing. */
export function checkSignatureFile(
  name: SignatureFile,
  bytes: Uint8Array | null,
  snapshot: SignedSnapshot,
  { key_id, day, keys }: SignedBy,
): Checked {
  if (bytes === null) return { outcome: 'invalid', why: 'is missing' };
  if (name === 'audit.dsse.json') return checkEnvelope(bytes, statementOf(snapshot), { keys, day });
  const message = snapshot.manifest;
  if (name === 'manifest.json.sig') {
    const blob = unarmor(Buffer.from(bytes).toString());
    if (blob === null) return { outcome: 'invalid', why: 'is no SSH signature' };
    return checkSsh(blob, { namespace: 'crossfoot', message, day }, keys);
  }
  const known = keys.get(key_id);
  if (known === undefined) return { outcome: 'unknown-key', key_id };
  return isValidOn(known, day) && verify(null, message, known.key, bytes)
    ? { outcome: 'valid', key_id }
    : { outcome: 'invalid', why: `is no signature of the manifest by the key ${key_id}` };
}

function statementOf({ tables, audit, control_sha256 }: Omit<SignedSnapshot, 'manifest'>): AuditStatement {
  return {
    subjects: tables.map(({ name, sha256 }) => ({ name: `${name}.parquet`, sha256 })),
    predicate: { audit: decodeCanonical(audit), control_sha256 },
  };
}
