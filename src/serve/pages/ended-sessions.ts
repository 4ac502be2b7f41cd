/** Which sessions were signed out, at any server: asked of the database, with answers cached for a few seconds. */
import { LRUCache } from 'lru-cache';

/** A session that was signed out elsewhere is refused within five seconds: one is left for the look-up itself. */
const CACHE_MS = 4_000;
const MAX_SESSIONS = 10_000;

/** A session by the digest of what its cookie holds. */
export interface SessionId {
  readonly sha256: Uint8Array;
  /** Microseconds since 1970. */
  readonly expires_at: bigint;
}

export interface EndedSessions {
  /** Ends the session at every server; it is over once this resolves. */
  end(session: SessionId): Promise<void>;
  /** True for a session that was ended. A look-up that fails is no answer: it rejects. */
  has(session: SessionId): Promise<boolean>;
}

const keyOf = ({ sha256 }: SessionId): string => Buffer.from(sha256).toString('base64');

/** The same, with the answer that a session goes on cached; `clock` gives milliseconds and only goes forward. */
export function cacheEndedSessions(store: EndedSessions, clock: () => number): EndedSessions {
  // When a session was looked up last and had not ended.
  const open = new LRUCache<string, number>({ max: MAX_SESSIONS });
  return {
    async end(session) {
      await store.end(session);
      open.delete(keyOf(session));
    },
    async has(session) {
      const asked_ms = clock();
      const last_ms = open.get(keyOf(session));
      if (last_ms !== undefined && asked_ms - last_ms < CACHE_MS) return false;
      const ended = await store.has(session);
      if (ended) open.delete(keyOf(session));
      else open.set(keyOf(session), asked_ms);
      return ended;
    },
  };
}
