/**
 * Sessions: the content of a signed-in browser's cookie. It holds the digest of the token, which is looked up at every
 * request: revoking the token ends its sessions, and the cookie does not reveal the token. A session that was signed out
 * stays recorded as ended until it would have expired.
 */
import { createHash } from 'node:crypto';
import { createSeals } from '../auth/seals.ts';
import type { SessionId } from './ended-sessions.ts';
import type { Instant } from '../../instant.ts';

const VERSION = 1;
const CONTENT_BYTES = 1 + 8 + 32;
const BOUND = 'pages';

export interface Session {
  /** The digest of the token of the sign-in. */
  readonly token_sha256: Uint8Array;
  readonly expires_at: Instant;
}

export interface Sessions {
  /** The session as the value of a cookie. */
  seal(session: Session): string;
  /** The session, expired or not; null for a cookie that was not sealed with these keys. */
  open(cookie: string): Session | null;
}

/** Sessions that the first key seals and every key opens. */
export function createSessions(keys: readonly [string, ...string[]]): Sessions {
  const seals = createSeals(keys, { purpose: 'sessions', content_bytes: CONTENT_BYTES });
  return {
    seal({ token_sha256, expires_at }) {
      const head = Buffer.alloc(9);
      head.writeUInt8(VERSION);
      head.writeBigInt64BE(expires_at, 1);
      return seals.seal(Buffer.concat([head, token_sha256]), BOUND);
    },
    open(cookie) {
      const content = seals.open(cookie, BOUND);
      if (content === null) return null;
      return { expires_at: content.readBigInt64BE(1), token_sha256: content.subarray(9) };
    },
  };
}

/** The id of a session in the database, equal for all spellings of its cookie; a cookie cannot be made from it. */
export function sessionIdOf({ token_sha256, expires_at }: Session): SessionId {
  const sha256 = createHash('sha256')
    .update(`crossfoot session ${expires_at} `)
    .update(token_sha256)
    .digest();
  return { sha256, expires_at };
}

/**
 * The token that a form of this session must send. Only the server and the browser know the cookie, so no other party can
 * compute the token, and the server need not store it.
 */
export function formTokenOf(cookie: string): string {
  return createHash('sha256').update(`crossfoot form ${cookie}`).digest('base64url');
}
