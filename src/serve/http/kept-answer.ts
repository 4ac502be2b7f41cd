/** Bodies that are whole in memory: hashed once, answered as often as asked. */
import { createHash } from 'node:crypto';
import type { Context, TypedResponse } from 'hono';
import { answerUnsent } from './unsent-answer.ts';
import { WholeAnswer } from './whole-answer.ts';

export interface Kept {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** A strong entity tag: the SHA-256 of the very bytes. */
  readonly etag: string;
}

/** For what names no figure of any account: any cache may keep it. */
export const CACHE_PUBLIC = { 'cache-control': 'public, max-age=300' } as const;

/** Bytes that were made before: no value is left whose type a contract could be compared with. */
type Bytes = Response & TypedResponse<never, never, never>;

/** A body of that content type, ready to be answered. */
export function keep(body: string | Uint8Array<ArrayBuffer>, type: string): Kept {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return { body: bytes, type, etag: `"${createHash('sha256').update(bytes).digest('hex')}"` };
}

/**
 * A kept body with its length, which HEAD needs too and a framework adds to GET only, and its tag. A client that has
 * it already gets 304.
 */
export function answerKept(c: Context, kept: Kept, headers: Readonly<Record<string, string>>): Bytes {
  const tagged = { ...headers, etag: kept.etag };
  const answer =
    answerUnsent(c, tagged) ??
    new WholeAnswer(kept.body, {
      headers: { ...tagged, 'content-type': kept.type, 'content-length': String(kept.body.length) },
    });
  return answer as Bytes; // the members beside Response exist for the compiler only
}
