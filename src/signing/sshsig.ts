/**
 * Signatures that stock `ssh-keygen -Y verify` checks. The format is OpenSSH's PROTOCOL.sshsig: the key and the namespace
 * stand beside the signature, and what is signed is the SHA-512 of the message, with the namespace.
 */
import { createHash, sign, verify } from 'node:crypto';
import { isValidOn, KEY_TYPE, keyIdOf, type PublicKeys, type SigningKey } from './keys.ts';
import { sshString, takeSshString } from './ssh-strings.ts';

/** What is signed: a manifest, an entry of the publish log, or a mark. A signature counts for its own kind alone. */
export type Namespace = 'crossfoot' | 'crossfoot-log' | 'crossfoot-mark' | 'crossfoot-comparison';

const MAGIC = 'SSHSIG';
const VERSION = Buffer.from([0, 0, 0, 1]);
const HASH = 'sha512';
const NOTHING = sshString('');
const LINE = 70;
const BEGIN = '-----BEGIN SSH SIGNATURE-----\n';
const END = '-----END SSH SIGNATURE-----\n';

/** What came of checking a signature. */
export type Checked =
  | { readonly outcome: 'valid' | 'unknown-key'; readonly key_id: string }
  /** `why` is a clause whose subject is the signature's owner, such as "is signed with a key that …". */
  | { readonly outcome: 'invalid'; readonly why: string };

/** The signature of the message, in binary. The same key, namespace and message always give the same bytes. */
export function signSsh({ key, public_key }: SigningKey, namespace: Namespace, message: Uint8Array): Buffer {
  const signature = sign(null, signedBytes(namespace, message), key);
  return Buffer.concat([
    Buffer.from(MAGIC),
    VERSION,
    sshString(Buffer.from(public_key.openssh, 'base64')),
    sshString(namespace),
    NOTHING,
    sshString(HASH),
    sshString(Buffer.concat([sshString(KEY_TYPE), sshString(signature)])),
  ]);
}

/** Checks a binary signature of the message that was made on this day, `YYYY-MM-DD` in UTC. */
export function checkSsh(
  blob: Uint8Array,
  { namespace, message, day }: { namespace: Namespace; message: Uint8Array; day: string },
  keys: PublicKeys,
): Checked {
  const read = readParts(Buffer.from(blob));
  if (read === null) return { outcome: 'invalid', why: 'has a signature that cannot be read' };
  if (read.namespace !== namespace) {
    return { outcome: 'invalid', why: `has a signature for ${JSON.stringify(read.namespace)}` };
  }
  const { key_id } = read;
  const known = keys.get(key_id);
  if (known === undefined) return { outcome: 'unknown-key', key_id };
  if (!isValidOn(known, day)) {
    return { outcome: 'invalid', why: `is signed with the key ${key_id}, which was not valid on ${day}` };
  }
  return verify(null, signedBytes(namespace, message), known.key, read.signature)
    ? { outcome: 'valid', key_id }
    : { outcome: 'invalid', why: `does not match its signature by the key ${key_id}` };
}

/** The key of a signature as `readPublicKey` reads it, without checking anything; null if it cannot be read. */
export function signerOf(blob: Uint8Array): string | null {
  return readParts(Buffer.from(blob))?.key.toString('base64') ?? null;
}

/** The text of a signature, as `ssh-keygen` writes and reads it. */
export function armor(blob: Uint8Array): string {
  const text = Buffer.from(blob).toString('base64');
  const lines = Array.from({ length: Math.ceil(text.length / LINE) }, (_, line) =>
    text.slice(line * LINE, (line + 1) * LINE),
  );
  return `${BEGIN}${lines.join('\n')}\n${END}`;
}

/** The signature of such a text; null for any other text. */
export function unarmor(text: string): Buffer | null {
  if (!text.startsWith(BEGIN) || !text.endsWith(END)) return null;
  const blob = Buffer.from(text.slice(BEGIN.length, -END.length), 'base64');
  return armor(blob) === text ? blob : null;
}

function signedBytes(namespace: string, message: Uint8Array): Buffer {
  const hash = createHash(HASH).update(message).digest();
  return Buffer.concat([Buffer.from(MAGIC), sshString(namespace), NOTHING, sshString(HASH), sshString(hash)]);
}

interface Parts {
  readonly key: Buffer;
  readonly key_id: string;
  readonly namespace: string;
  readonly signature: Buffer;
}

function readParts(blob: Buffer): Parts | null {
  const head = Buffer.concat([Buffer.from(MAGIC), VERSION]);
  if (!blob.subarray(0, head.length).equals(head)) return null;
  const strings = readStrings(blob.subarray(head.length));
  if (strings?.length !== 5) return null;
  const [key, namespace, reserved, hash, signature] = strings as [Buffer, Buffer, Buffer, Buffer, Buffer];
  const signed = readStrings(signature);
  if (reserved.length !== 0 || hash.toString() !== HASH) return null;
  if (signed?.length !== 2 || signed[0]?.toString() !== KEY_TYPE || signed[1] === undefined) return null;
  return { key, key_id: keyIdOf(key), namespace: namespace.toString(), signature: signed[1] };
}

/** All strings of these bytes; null unless they end with the last string. */
function readStrings(bytes: Buffer): readonly Buffer[] | null {
  const strings: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const next = takeSshString(bytes, at);
    if (next === null) return null;
    strings.push(next.bytes);
    at = next.end;
  }
  return strings;
}
