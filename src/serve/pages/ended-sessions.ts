/** Which sessions were signed out, at any server: asked of the database, with answers cached for a few seconds. */
import { Cache } from '../../cache.ts';

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
  const cache = new Cache<string, boolean>({
    max_entries: MAX_SESSIONS,
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
