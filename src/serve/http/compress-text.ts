/** Compresses JSON and text for clients that accept it. Parquet files are never compressed again: their digest would not match. */
import { compress } from 'hono/compress';
import { createMiddleware } from 'hono/factory';
import { parseAccept } from 'hono/utils/accept';

/** A smaller body gains nothing: the headers are as large. */
const THRESHOLD_BYTES = 1_024;

// `no-store` marks answers that may contain a secret (a form token, a link). Beside text that an attacker chose, their
// compressed length would reveal the secret (BREACH). `no-transform` marks files whose digests are in a manifest.
const AS_IT_IS = /(?:^|,)\s*(?:no-store|no-transform)\s*(?:,|$)/i;
/** Headers that describe the uncompressed bytes: a range or a digest. */
const OF_THE_BYTES = ['accept-ranges', 'content-digest', 'content-range', 'repr-digest'];

const TEXT = /^(?:text\/(?!event-stream)|application\/(?:json|sql|yaml)\b)/i;

const shrink = compress({ encoding: 'gzip', threshold: THRESHOLD_BYTES, contentTypeFilter: TEXT });
// The first stream loads what Node compresses with, which no request shall wait for: `npm run campaign -- pauses`.
void new CompressionStream('gzip').readable.cancel();
const nothing = async (): Promise<void> => undefined;

/**
 * Compresses an answer of known length. A stream, such as the assistant's events, passes unchanged. Compressed bytes get a
 * weak entity tag, because a strong tag names one encoding only.
 */
export const compressText = createMiddleware(async (c, next) => {
  await next();
  const { headers, status } = c.res;
  if (AS_IT_IS.test(headers.get('cache-control') ?? '')) return;
  if (OF_THE_BYTES.some((name) => headers.has(name))) return;
  const isText = TEXT.test(headers.get('content-type') ?? '');
  const isLarge = Number(headers.get('content-length') ?? 0) >= THRESHOLD_BYTES;
  if (status !== 304 && !(isText && isLarge)) return;
  // Headers are changed in place: a copied response would no longer be sent in one piece.
  headers.append('vary', 'Accept-Encoding');
  const etag = headers.get('etag') ?? '';
  if (status === 304) {
    // The tag as the client spelled it, so that the client finds its cached copy.
    if (c.req.header('if-none-match')?.includes(`W/${etag}`) === true) headers.set('etag', `W/${etag}`);
    return;
  }
  if (c.req.method !== 'HEAD') return void (await shrink(c, nothing));
  // HEAD gets the headers of GET, except the length: that is known only after compression.
  if (!acceptsGzip(c.req.header('accept-encoding'))) return;
  headers.delete('content-length');
  headers.set('content-encoding', 'gzip');
  if (etag !== '') headers.set('etag', `W/${etag}`);
});

function acceptsGzip(header = ''): boolean {
  const accepted = parseAccept(header);
  const named = accepted.find(({ type }) => type.toLowerCase() === 'gzip');
  const { q = 0 } = named ?? accepted.find(({ type }) => type === '*') ?? {};
  return q > 0;
}
