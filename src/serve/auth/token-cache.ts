/** A cache of token look-ups for a few seconds: a client that reads many pages costs one query. */
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';
import type { TokenHolder } from '../../ledger/tokens.ts';

/**
 * A look-up is used for four seconds, counted from its start. With the time of one query, a token that was revoked or expired,
 * or whose holder left, is refused within five seconds (attack A-12). Published files need the database for this look-up only.
 * Without a database they are served to cached tokens for these four seconds, then answered with 503.
 */
const CACHE_MS = 4_000;
const HOLDER_BYTES = 200;

/**
 * The same look-up with a cache; `clock` gives milliseconds and never goes back. An unknown token is looked up at each request,
 * so a new token works at once.
 */
export function cacheTokens(
  lookUp: (sha256: Uint8Array) => Promise<TokenHolder | null>,
  clock: () => number,
): (sha256: Uint8Array) => Promise<TokenHolder | null> {
  const known = new Cache<string, TokenHolder | null>({
    max_bytes: MEMORY_BUDGET.tokens,
    bytesOf: () => HOLDER_BYTES,
    max_age: CACHE_MS,
    clock,
    keep: (holder) => holder !== null,
  });
  // The cache key is the digest: the token itself does not stay in memory after the request.
  return (sha256) => known.get(Buffer.from(sha256).toString('base64'), () => lookUp(sha256));
}
