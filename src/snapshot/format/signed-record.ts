/**
 * Entries of the publish log and marks contain their own signature in their last two fields. It is an SSHSIG of the record's
 * canonical JSON without these two fields. After a signed record, every later record of the chain must be signed.
 */
import { z } from 'zod';
import { CrossfootError } from '../../errors.ts';
import type { Signing } from '../../signing/keys.ts';
import { checkSsh, type Namespace, signSsh } from '../../signing/sshsig.ts';
import { decodeCanonical, encodeCanonical } from './canonical-json.ts';

/** A record has both fields or neither. Canonical JSON sorts them behind all other fields. */
export const SIGNATURE_FIELDS = {
  /** The signature in base64: what `ssh-keygen` keeps between its two lines. */
  sshsig: z.base64().max(1000).optional(),
  /** OpenSSH's fingerprint of the key. */
  sshsig_key: z.string().max(100).optional(),
};

/** The state of a chain's signatures after its last record. */
export interface SignedChain {
  /** The keys; null if signatures are neither made nor checked. */
  readonly signing: Signing | null;
  /** True if the last record is signed: the next record must then be signed, too. */
  readonly signed: boolean;
  /** The key of the newest record that an unknown key signed; null if there is no such record, or if no key is known at all. */
  readonly unknown_key: string | null;
}

/** The state of a chain without records. */
export function unsigned(signing: Signing | undefined): SignedChain {
  return { signing: signing ?? null, signed: false, unknown_key: null };
}

/** The bytes of the chain's next record, signed if there is a signing key. Throws if a key is missing and must not be. */
export function encodeSigned(
  record: object,
  namespace: Namespace,
  { signing, signed }: SignedChain,
): Uint8Array {
  const signer = signing?.signer ?? null;
  const message = encodeCanonical(record);
  if (signer !== null) {
    const sshsig = signSsh(signer, namespace, message).toString('base64');
    return encodeCanonical({ ...record, sshsig, sshsig_key: signer.public_key.key_id });
  }
  if (!signed) return message;
  throw new CrossfootError('settings_invalid', 'SIGNING_KEYS must be set: earlier entries are signed.', {
    hint: 'Set the key of the other builders. Readers refuse an unsigned entry after a signed one.',
  });
}

/** The state of the chain after this record, or a clause that says what is wrong with the record's signature. */
export function followSignature(
  bytes: Uint8Array,
  day: string,
  namespace: Namespace,
  chain: SignedChain,
): SignedChain | string {
  // The record was decoded before, so these bytes are a canonical object.
  const { sshsig, sshsig_key, ...record } = decodeCanonical(bytes) as Record<string, unknown>;
  if (sshsig === undefined && sshsig_key === undefined) {
    return chain.signed ? 'is not signed, and the one before it is' : chain;
  }
  if (typeof sshsig !== 'string') return 'names a key and has no signature';
  const { signing } = chain;
  if (signing === null) return { ...chain, signed: true };
  const signed = { namespace, message: encodeCanonical(record), day };
  const checked = checkSsh(Buffer.from(sshsig, 'base64'), signed, signing.keys);
  if (checked.outcome === 'invalid') return checked.why;
  if (checked.key_id !== sshsig_key) return 'names a key that did not sign it';
  const strange = checked.outcome === 'unknown-key' && signing.keys.size > 0;
  return { signing, signed: true, unknown_key: strange ? checked.key_id : chain.unknown_key };
}
