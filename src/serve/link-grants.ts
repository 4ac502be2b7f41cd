/**
 * Grants: what stands in the path of a link and lets its holder read one table of one snapshot until it expires. They
 * are sealed with AES-256-GCM rather than only signed, because they hold the digest of the token that asked for them:
 * by that the token is looked up again at each use, and so dies with all of its links.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const SEAL_BYTES = 16;
const VERSION = 1;
const ID_CHARACTERS = 16;
const CONTENT_BYTES = 1 + 8 + 8 + 32 + ID_CHARACTERS;

/** What a link is good for. */
export interface Grant {
  readonly account_id: bigint;
  readonly snapshot_id: string;
  readonly table: string;
  /** Of the token that asked for it. */
  readonly token_sha256: Uint8Array;
  /** Microseconds since 1970. */
  readonly expires_at: bigint;
}

export interface LinkGrants {
  /** The grant as a part of a path. */
  seal(grant: Grant): string;
  /** What was granted for this table, expired or not; null for whatever we did not seal for it. */
  open(sealed: string, table: string): Grant | null;
}

/** Grants that the first key seals and every key opens. */
export function createLinkGrants([first, ...others]: readonly [string, ...string[]]): LinkGrants {
  const sealing = keysOf(first);
  const all = [sealing, ...others.map(keysOf)];
  return {
    seal(grant) {
      const content = written(grant);
      // Made of what is sealed, so that one nonce never seals two contents, and the same grant is the same link.
      const nonce = createHmac('sha256', sealing.naming).update(content).update(grant.table).digest();
      const cipher = createCipheriv(CIPHER, sealing.sealing, nonce.subarray(0, NONCE_BYTES));
      cipher.setAAD(Buffer.from(grant.table));
      const sealed = [cipher.update(content), cipher.final(), cipher.getAuthTag()];
      const parts = [nonce.subarray(0, NONCE_BYTES), ...sealed];
      return Buffer.concat(parts).toString('base64url');
    },
    open(sealed, table) {
      const bytes = Buffer.from(sealed, 'base64url');
      // Decoding skips what is not base64url and drops stray bits: only the way back is a grant of ours.
      if (
        bytes.length !== NONCE_BYTES + CONTENT_BYTES + SEAL_BYTES ||
        bytes.toString('base64url') !== sealed
      ) {
        return null;
      }
      for (const keys of all) {
        const content = opened(keys.sealing, bytes, table);
        if (content !== null) return read(content, table);
      }
      return null;
    },
  };
}

/** Keys of their own, so that no seal of one kind is ever one of another. */
function keysOf(secret: string): { readonly sealing: Buffer; readonly naming: Buffer } {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'crossfoot links', 64));
  return { sealing: bytes.subarray(0, 32), naming: bytes.subarray(32) };
}

function opened(key: Buffer, bytes: Buffer, table: string): Buffer | null {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(table))
    .setAuthTag(bytes.subarray(-SEAL_BYTES));
  const content = decipher.update(bytes.subarray(NONCE_BYTES, -SEAL_BYTES));
  try {
    decipher.final();
    return content;
  } catch {
    return null; // another key's, another table's, or changed
  }
}

function written({ account_id, snapshot_id, token_sha256, expires_at }: Grant): Buffer {
  const head = Buffer.alloc(17);
  head.writeUInt8(VERSION);
  head.writeBigInt64BE(account_id, 1);
  head.writeBigInt64BE(expires_at, 9);
  return Buffer.concat([head, token_sha256, Buffer.from(snapshot_id, 'ascii')]);
}

function read(content: Buffer, table: string): Grant {
  return {
    account_id: content.readBigInt64BE(1),
    expires_at: content.readBigInt64BE(9),
    token_sha256: content.subarray(17, 49),
    snapshot_id: content.toString('ascii', 49),
    table,
  };
}
