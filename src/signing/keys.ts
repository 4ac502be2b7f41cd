/** Ed25519 keys: the key that signs what is published, and the public keys whose signatures are accepted. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { sshString, takeSshString } from './ssh-strings.ts';

/** The name of the algorithm in OpenSSH's formats. */
export const KEY_TYPE = 'ssh-ed25519';
const KEY_BYTES = 32;

/** A public key whose signatures are accepted, and on which days. */
export interface PublicKey {
  /** OpenSSH's fingerprint, `SHA256:` and 43 characters, as `ssh-keygen -l` prints it. */
  readonly key_id: string;
  readonly key: KeyObject;
  /** OpenSSH's encoding of the key in base64: the second word of a line in `authorized_keys`. */
  readonly openssh: string;
  /** The first day on which its signatures are valid, `YYYY-MM-DD` in UTC; null for no first day. */
  readonly valid_from: string | null;
  /** The last day on which its signatures are valid, `YYYY-MM-DD` in UTC; null for no last day. */
  readonly valid_until: string | null;
}

/** A private key, and its public part. */
export interface SigningKey {
  readonly key: KeyObject;
  readonly public_key: PublicKey;
}

/** Public keys by their ids. */
export type PublicKeys = ReadonlyMap<string, PublicKey>;

/** The keys with which a store's snapshots are signed and checked. */
export interface Signing {
  /** Null in a process that publishes nothing, such as a server. */
  readonly signer: SigningKey | null;
  readonly keys: PublicKeys;
}

// The fixed bytes before the 32 bytes of a key in its DER encoding (RFC 8410).
const PRIVATE_DER = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_DER = Buffer.from('302a300506032b6570032100', 'hex');

/** The key pair of a seed of 32 bytes, written as 64 hexadecimal digits. */
export function signingKeyOf(seed: string): SigningKey {
  const der = Buffer.concat([PRIVATE_DER, Buffer.from(seed, 'hex')]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const encoded = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return { key, public_key: publicKeyOf(encoded.subarray(PUBLIC_DER.length)) };
}

/** The public key with these 32 bytes. */
function publicKeyOf(
  raw: Uint8Array,
  valid: Pick<PublicKey, 'valid_from' | 'valid_until'> = { valid_from: null, valid_until: null },
): PublicKey {
  const blob = Buffer.concat([sshString(KEY_TYPE), sshString(raw)]);
  return {
    key_id: keyIdOf(blob),
    key: createPublicKey({ key: Buffer.concat([PUBLIC_DER, raw]), format: 'der', type: 'spki' }),
    openssh: blob.toString('base64'),
    ...valid,
  };
}

/** The fingerprint of a public key in OpenSSH's encoding. */
export function keyIdOf(blob: Uint8Array): string {
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;
}

const TRUSTED = /^(?:ssh-ed25519 +)?([A-Za-z0-9+/]{68})(?: *@(\d{4}-\d\d-\d\d)?\.\.(\d{4}-\d\d-\d\d)?)?$/;
/** A key on a line of a key file, with the days that may follow it. */
const KEY_ON_LINE = /ssh-ed25519 +\S+(?: +@\S+)?/g;

/**
 * Reads a public key as people write it: OpenSSH's base64, with or without `ssh-ed25519` before it. `@from..until` after it
 * limits the days on which its signatures are valid. Null for any other text.
 */
export function readPublicKey(text: string): PublicKey | null {
  const [, base64, from, until] = TRUSTED.exec(text.trim()) ?? [];
  if (base64 === undefined) return null;
  const blob = Buffer.from(base64, 'base64');
  const type = takeSshString(blob, 0);
  const raw = type === null ? null : takeSshString(blob, type.end);
  // 68 letters are 51 bytes: the two strings with their lengths, and none behind them.
  if (type?.bytes.toString() !== KEY_TYPE || raw?.bytes.length !== KEY_BYTES) return null;
  if (![from, until].every((day) => day === undefined || isDay(day))) return null;
  if (from !== undefined && until !== undefined && until < from) return null;
  return publicKeyOf(raw.bytes, { valid_from: from ?? null, valid_until: until ?? null });
}

/** The keys in a file such as `allowed_signers` or `id_ed25519.pub`, each as `readPublicKey` reads it. */
export function keysOnLines(text: string): readonly string[] {
  return text.match(KEY_ON_LINE) ?? [];
}

/** True if the calendar has this day, `YYYY-MM-DD`. */
function isDay(day: string): boolean {
  const date = new Date(day);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** The keys by their ids. If a key is listed twice, the later entry counts. */
export function keysById(keys: readonly PublicKey[]): PublicKeys {
  return new Map(keys.map((each) => [each.key_id, each]));
}

/** True if signatures of the key are valid on this day, `YYYY-MM-DD`. */
export function isValidOn({ valid_from, valid_until }: PublicKey, day: string): boolean {
  return (valid_from === null || day >= valid_from) && (valid_until === null || day <= valid_until);
}

/**
 * One line for each key, as `ssh-keygen -Y verify -f` reads them. The days of a key follow it as a comment, which `keysOnLines`
 * reads: `ssh-keygen` would compare days of its own with today and not with the day of signing.
 */
export function allowedSigners(keys: PublicKeys): string {
  const namespaces = 'namespaces="crossfoot,crossfoot-log,crossfoot-mark"';
  return [...keys.values()]
    .map(({ openssh, valid_from, valid_until }) => {
      const days =
        valid_from === null && valid_until === null ? '' : ` @${valid_from ?? ''}..${valid_until ?? ''}`;
      return `crossfoot ${namespaces} ${KEY_TYPE} ${openssh}${days}\n`;
    })
    .join('');
}
