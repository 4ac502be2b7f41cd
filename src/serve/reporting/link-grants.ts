/**
 * Grants: a part of a link's path that lets its holder read one table of one snapshot until it expires. Grants are
 * encrypted and not only signed, because they contain the digest of the token that asked for them. The token is looked up
 * at each use, so revoking it ends all of its links.
 */
import { createSeals } from '../auth/seals.ts';
import type { Instant } from '../../instant.ts';

const VERSION = 1;
const ID_CHARACTERS = 16;
const CONTENT_BYTES = 1 + 8 + 8 + 32 + ID_CHARACTERS;

/** What a grant allows. */
export interface Grant {
  readonly account_id: bigint;
  readonly snapshot_id: string;
  readonly table: string;
  /** The digest of the token that asked for the link. */
  readonly token_sha256: Uint8Array;
  readonly expires_at: Instant;
}

export interface LinkGrants {
  /** The grant as a segment of a path. */
  seal(grant: Grant): string;
  /** The grant for this table, expired or not; null for a text that was not sealed with these keys for this table. */
  open(sealed: string, table: string): Grant | null;
}

/** Grants that the first key seals and every key opens. */
export function createLinkGrants(keys: readonly [string, ...string[]]): LinkGrants {
  const seals = createSeals(keys, { purpose: 'links', content_bytes: CONTENT_BYTES });
  return {
    seal: (grant) => seals.seal(written(grant), grant.table),
    open(sealed, table) {
      const content = seals.open(sealed, table);
      return content === null ? null : read(content, table);
    },
  };
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
