/**
 * Seals data that a caller carries for us (AES-256-GCM): the caller can neither read nor change it. The first key seals
 * and every key opens. Each purpose derives its own keys, so that a seal of one purpose never opens as another.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const SEAL_BYTES = 16;

export interface Seals {
  /** The content as letters, digits, `-` and `_`; it opens only with the same `bound`. */
  seal(content: Buffer, bound: string): string;
  /** The content; null for a text that was not sealed with these keys and this `bound`. */
  open(sealed: string, bound: string): Buffer | null;
}

interface SealOptions {
  readonly purpose: string;
  /** Every content of this purpose has this length. */
  readonly content_bytes: number;
}

/** The seals of one purpose. */
export function createSeals(
  [first, ...others]: readonly [string, ...string[]],
  { purpose, content_bytes }: SealOptions,
): Seals {
  const sealing = keysOf(first, purpose);
  const all = [sealing, ...others.map((secret) => keysOf(secret, purpose))];
  return {
    seal(content, bound) {
      // Derived from the content: one nonce never seals two contents, and the same content gives the same text.
      const nonce = createHmac('sha256', sealing.naming).update(content).update(bound).digest();
      const cipher = createCipheriv(CIPHER, sealing.sealing, nonce.subarray(0, NONCE_BYTES));
      cipher.setAAD(Buffer.from(bound));
      const sealed = [cipher.update(content), cipher.final(), cipher.getAuthTag()];
      return Buffer.concat([nonce.subarray(0, NONCE_BYTES), ...sealed]).toString('base64url');
    },
    open(sealed, bound) {
      const bytes = Buffer.from(sealed, 'base64url');
      // Decoding skips characters that are not base64url and stray bits, so compare the re-encoded text.
      if (
        bytes.length !== NONCE_BYTES + content_bytes + SEAL_BYTES ||
        bytes.toString('base64url') !== sealed
      ) {
        return null;
      }
      for (const keys of all) {
        const content = opened(keys.sealing, bytes, bound);
        if (content !== null) return content;
      }
      return null;
    },
  };
}

function keysOf(secret: string, purpose: string): { readonly sealing: Buffer; readonly naming: Buffer } {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', `crossfoot ${purpose}`, 64));
  return { sealing: bytes.subarray(0, 32), naming: bytes.subarray(32) };
}

function opened(key: Buffer, bytes: Buffer, bound: string): Buffer | null {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(bound))
    .setAuthTag(bytes.subarray(-SEAL_BYTES));
  const content = decipher.update(bytes.subarray(NONCE_BYTES, -SEAL_BYTES));
  try {
    decipher.final();
    return content;
  } catch {
    return null; // sealed with another key or `bound`, or changed
  }
}
