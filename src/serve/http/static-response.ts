/** Responses with a fixed body in memory: hashed once, sent many times. */
import { createHash } from 'node:crypto';
import type { Context, TypedResponse } from 'hono';
import { respondIfUnchanged } from './conditional-request.ts';
import { BufferedResponse } from './buffered-response.ts';

export interface StaticResponse {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** A strong entity tag: the SHA-256 of the bytes. */
  readonly etag: string;
}

/** For answers without any account's figures: any cache may store them. */
export const CACHE_PUBLIC = { 'cache-control': 'public, max-age=300' } as const;

/** The type of a response whose body is bytes, which the compiler cannot compare with a route's contract. */
type Bytes = Response & TypedResponse<never, never, never>;

/** A body with its content type and entity tag. */
export function staticResponse(body: string | Uint8Array<ArrayBuffer>, type: string): StaticResponse {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return { body: bytes, type, etag: `"${createHash('sha256').update(bytes).digest('hex')}"` };
}

/**
 * The body with its length and entity tag. The length is set here, because a framework sets it for GET and not for HEAD.
 * A client with the current version gets 304.
 */
export function sendStatic(
  c: Context,
  kept: StaticResponse,
  headers: Readonly<Record<string, string>>,
): Bytes {
  const tagged = { ...headers, etag: kept.etag };
  const answer =
    respondIfUnchanged(c, tagged) ??
    new BufferedResponse(kept.body, {
      headers: { ...tagged, 'content-type': kept.type, 'content-length': String(kept.body.length) },
    });
  return answer as Bytes; // the members beside Response exist for the compiler only
}
