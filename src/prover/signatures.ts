/** Checks OpenSSH signatures by WebCrypto. It shares no code with the program that signs. */
import type { webcrypto } from 'node:crypto';
import { type Bytes, bytesOfBase64, digestOf, joined, utf8 } from './bytes.ts';

/** A public key as `/v1/reporting/keys` lists it. */
export interface ListedKey {
  /** OpenSSH's form: the algorithm, a space, and base64. */
  readonly openssh: string;
  /** Days, `YYYY-MM-DD` in UTC; null: no limit. */
  readonly valid_from: string | null;
  readonly valid_until: string | null;
}

export interface TrustedKey extends ListedKey {
  /** OpenSSH's fingerprint. */
  readonly key_id: string;
  readonly key: webcrypto.CryptoKey;
}

/** What is signed: a manifest, or an entry of the publish log. */
type Namespace = 'crossfoot' | 'crossfoot-log';

/** The `key_id` of a valid signature, or why it is not valid: a clause that follows the name of the signed object. */
export type Checked = { readonly key_id: string } | { readonly why: string };

const KEY_TYPE = 'ssh-ed25519';
const KEY_BYTES = 32;
const MAGIC = utf8('SSHSIG');
const VERSION = new Uint8Array([0, 0, 0, 1]);
const LENGTH_BYTES = 4;
const ARMORED =
  /^-----BEGIN SSH SIGNATURE-----\n(?<base64>(?:[A-Za-z0-9+/]{1,70}={0,2}\n)+)-----END SSH SIGNATURE-----\n$/;

/**
 * A sentence that says what this browser lacks for the checks; null if it lacks nothing. The checks need Ed25519 in WebCrypto,
 * which browsers offer only over HTTPS or on localhost.
 */
export async function missingHere(): Promise<string | null> {
  const { subtle } = globalThis.crypto as { readonly subtle?: webcrypto.SubtleCrypto };
  if (subtle === undefined) {
    return 'This page was not opened over HTTPS. Browsers give WebCrypto to pages of HTTPS alone.';
  }
  // The public key of RFC 8032's first test vector.
  const known = 'AAAAC3NzaC1lZDI1NTE5AAAAINdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea';
  return (await importKey({ openssh: `${KEY_TYPE} ${known}`, valid_from: null, valid_until: null })) === null
    ? 'This browser has no Ed25519 in WebCrypto. Newer versions of Chrome, Firefox and Safari have it.'
    : null;
}

/** Imports a public key; null if the text is not an Ed25519 key of OpenSSH. */
export async function importKey(listed: ListedKey): Promise<TrustedKey | null> {
  const [type, base64 = ''] = listed.openssh.trim().split(/ +/);
  const blob = type === KEY_TYPE ? bytesOfBase64(base64) : null;
  const [name, raw, ...rest] = (blob === null ? null : readStrings(blob)) ?? [];
  if (blob === null || name === undefined || raw?.length !== KEY_BYTES || rest.length > 0) return null;
  if (!isText(name, KEY_TYPE)) return null;
  try {
    const key = await crypto.subtle.importKey('raw', raw, { name: 'Ed25519' }, false, ['verify']);
    return { ...listed, key, key_id: await fingerprint(blob) };
  } catch {
    return null;
  }
}

/** The signature in a signature file of OpenSSH; null if the text is not such a file. */
export function unarmor(text: string): Bytes | null {
  const base64 = ARMORED.exec(text)?.groups?.['base64'];
  return base64 === undefined ? null : bytesOfBase64(base64.replaceAll('\n', ''));
}

/**
 * Checks a signature of the message. `day` is the day of signing, `YYYY-MM-DD` in UTC: the key must be valid on it. If a key
 * is listed twice, the later entry counts.
 */
export async function checkSignature(
  blob: Bytes,
  {
    namespace,
    message,
    day,
  }: { readonly namespace: Namespace; readonly message: Bytes; readonly day: string },
  keys: readonly TrustedKey[],
): Promise<Checked> {
  const head = joined(MAGIC, VERSION);
  const strings = isEqual(blob.subarray(0, head.length), head) ? readStrings(blob.slice(head.length)) : null;
  const [key, signedFor, reserved, hash, signature, ...rest] = strings ?? [];
  const [type, bytes, ...others] = (signature === undefined ? null : readStrings(signature)) ?? [];
  if (key === undefined || signedFor === undefined || hash === undefined || rest.length > 0)
    return UNREADABLE;
  if (type === undefined || bytes === undefined || others.length > 0 || reserved?.length !== 0)
    return UNREADABLE;
  if (!isText(hash, 'sha512') || !isText(type, KEY_TYPE)) return UNREADABLE;
  if (!isText(signedFor, namespace)) return { why: 'has a signature for something else' };
  const key_id = await fingerprint(key);
  const known = keys.findLast((each) => each.key_id === key_id);
  if (known === undefined) return { why: `is signed with the key ${key_id}, which is not trusted` };
  const { valid_from, valid_until } = known;
  if ((valid_from !== null && day < valid_from) || (valid_until !== null && day > valid_until)) {
    return { why: `is signed with the key ${key_id}, which was not valid on ${day}` };
  }
  const signed = joined(
    MAGIC,
    ...[utf8(namespace), new Uint8Array(0), utf8('sha512'), await digestOf('SHA-512', message)].map(
      sshString,
    ),
  );
  return (await crypto.subtle.verify({ name: 'Ed25519' }, known.key, bytes, signed))
    ? { key_id }
    : { why: `does not match its signature by the key ${key_id}` };
}

const UNREADABLE = { why: 'has a signature that cannot be read' };

async function fingerprint(blob: Bytes): Promise<string> {
  const digest = await digestOf('SHA-256', blob);
  return `SHA256:${btoa(String.fromCharCode(...digest)).replace(/=+$/, '')}`;
}

function sshString(bytes: Bytes): Bytes {
  const length = new Uint8Array(LENGTH_BYTES);
  new DataView(length.buffer).setUint32(0, bytes.length);
  return joined(length, bytes);
}

/** All strings of these bytes; null unless they end with the last string. */
function readStrings(bytes: Bytes): Bytes[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const strings: Bytes[] = [];
  for (let at = 0; at < bytes.length;) {
    if (at + LENGTH_BYTES > bytes.length) return null;
    const begin = at + LENGTH_BYTES;
    at = begin + view.getUint32(at);
    if (at > bytes.length) return null;
    strings.push(bytes.slice(begin, at));
  }
  return strings;
}

function isText(bytes: Bytes, text: string): boolean {
  return isEqual(bytes, utf8(text));
}

function isEqual(a: Bytes, b: Bytes): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
