/** Compression of JSON and text for clients that accept it. Parquet is compressed inside, and a digest holds for bytes as stored. */
import { compress } from 'hono/compress';
import { createMiddleware } from 'hono/factory';
import { parseAccept } from 'hono/utils/accept';

/** Less than this gains nothing: the rest of the answer is as large. */
const THRESHOLD_BYTES = 1_024;

// `no-store` marks what may hold a secret (a form token, a link): next to text that a stranger chose, the compressed
// length would tell of it (BREACH). `no-transform` marks files, whose bytes stand in a manifest.
const AS_IT_IS = /(?:^|,)\s*(?:no-store|no-transform)\s*(?:,|$)/i;
/** Headers that speak of the bytes as they are: a range of them, or their digest. */
const OF_THE_BYTES = ['accept-ranges', 'content-digest', 'content-range', 'repr-digest'];

const TEXT = /^(?:text\/(?!event-stream)|application\/(?:json|sql|yaml)\b)/i;

const shrink = compress({ encoding: 'gzip', threshold: THRESHOLD_BYTES, contentTypeFilter: TEXT });
const nothing = async (): Promise<void> => undefined;

/**
 * Compresses an answer of known length; a stream without one, such as the assistant's events, is passed on as it comes.
 * The compressed bytes have a weak tag, because a strong tag names one encoding only.
 */
export const compressText = createMiddleware(async (c, next) => {
  await next();
  const { headers, status } = c.res;
  if (AS_IT_IS.test(headers.get('cache-control') ?? '')) return;
  if (OF_THE_BYTES.some((name) => headers.has(name))) return;
  const isText = TEXT.test(headers.get('content-type') ?? '');
  const isLarge = Number(headers.get('content-length') ?? 0) >= THRESHOLD_BYTES;
  if (status !== 304 && !(isText && isLarge)) return;
  // In place: a copy would no longer be sent in one piece.
  headers.append('vary', 'Accept-Encoding');
  const etag = headers.get('etag') ?? '';
  if (status === 304) {
    // The client's own tag, by which it finds what it has.
    if (c.req.header('if-none-match')?.includes(`W/${etag}`) === true) headers.set('etag', `W/${etag}`);
    return;
  }
  if (c.req.method !== 'HEAD') return void (await shrink(c, nothing));
  // HEAD says what GET would: the length is known only once the body is compressed.
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
