/** Bytes as text, base64 and digests, with functions that every browser has. */

export type Bytes = Uint8Array<ArrayBuffer>;

const UTF8 = new TextEncoder();
const TEXT = new TextDecoder('utf-8', { fatal: true });

export function utf8(text: string): Bytes {
  return UTF8.encode(text);
}

/** The text of these bytes; throws unless they are UTF-8. */
export function textOf(bytes: Bytes): string {
  return TEXT.decode(bytes);
}

/** The bytes that a base64 text encodes; null if the text is not base64. */
export function bytesOfBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

export function joined(...parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export async function digestOf(algorithm: 'SHA-256' | 'SHA-512', bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest(algorithm, bytes));
}

/** The SHA-256 in hexadecimal digits. */
export async function sha256Hex(bytes: Bytes): Promise<string> {
  const digest = await digestOf('SHA-256', bytes);
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
