/** Which sessions were signed out, at any server: looked up in the database, with answers cached for a few seconds. */
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';
import type { Instant } from '../../instant.ts';

/** A session that was signed out elsewhere is refused within five seconds: four in this cache, one for the look-up. */
const CACHE_MS = 4_000;
const SESSION_BYTES = 100;

/** A session, by the digest of its cookie. */
export interface SessionId {
  readonly sha256: Uint8Array;
  readonly expires_at: Instant;
}

export interface EndedSessions {
  /** Ends the session at every server; resolves once it has ended. */
  end(session: SessionId): Promise<void>;
  /** Whether a session was ended. A failed look-up rejects. */
  has(session: SessionId): Promise<boolean>;
}

const keyOf = ({ sha256 }: SessionId): string => Buffer.from(sha256).toString('base64');

/** The same, with a cache for sessions that have not ended; `clock` gives milliseconds and never goes back. */
export function cacheEndedSessions(store: EndedSessions, clock: () => number): EndedSessions {
  const cache = new Cache<string, boolean>({
    max_bytes: MEMORY_BUDGET.ended_sessions,
    bytesOf: () => SESSION_BYTES,
    max_age: CACHE_MS,
    clock,
    keep: (ended) => !ended,
  });
  return {
    async end(session) {
      await store.end(session);
      cache.delete(keyOf(session));
    },
    has: (session) => cache.get(keyOf(session), () => store.has(session)),
  };
}
