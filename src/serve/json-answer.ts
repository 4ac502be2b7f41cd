import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { answerUnsent } from './unsent-answer.ts';

/**
 * A value as JSON with its length, which HEAD needs too and a framework adds to GET only, and a strong entity
 * tag: the SHA-256 of the very bytes. A client that has them already gets 304.
 */
export function answerJson(c: Context, value: unknown, headers: Readonly<Record<string, string>>): Response {
  const body = JSON.stringify(value);
  const tagged = { ...headers, etag: `"${createHash('sha256').update(body).digest('hex')}"` };
  const unsent = answerUnsent(c, tagged);
  if (unsent !== null) return unsent;
  const length = String(Buffer.byteLength(body));
  return new Response(body, {
    headers: { ...tagged, 'content-type': 'application/json', 'content-length': length },
  });
}
