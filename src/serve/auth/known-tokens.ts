/** Token look-ups, each kept for a few seconds, so that a client that reads page after page costs one query. */
import { Cache } from '../../cache.ts';
import type { TokenHolder } from '../../ledger/tokens.ts';

/**
 * A revoked token, or one whose holder left, is refused within five seconds: one is left for the look-up itself. Published
 * files need no database but this look-up, so without a database they are served to known tokens for these four seconds, and
 * are 503 after them. Serving longer would serve a token that was revoked meanwhile: no outage extends this time.
 */
const KEPT_MS = 4_000;
/** A holder is some 200 bytes; with more tokens at once than this, the least recent are looked up again. */
const MAX_TOKENS = 10_000;

/**
 * The same look-up, whose answers are kept; `clock` gives milliseconds and only goes forward. A refusal is never kept:
 * a token issued a moment ago works at once. Nor is a failure.
 */
export function rememberTokens(
  lookUp: (sha256: Uint8Array) => Promise<TokenHolder | null>,
  clock: () => number,
): (sha256: Uint8Array) => Promise<TokenHolder | null> {
  const known = new Cache<string, TokenHolder | null>({
    max_entries: MAX_TOKENS,
    max_age: KEPT_MS,
    clock,
    keep: (holder) => holder !== null,
  });
  // The token itself stays in no memory that outlives a request.
  return (sha256) => known.get(Buffer.from(sha256).toString('base64'), () => lookUp(sha256));
}
