import { createHash } from 'node:crypto';

/**
 * A value as JSON with its length, which HEAD needs too and a framework adds to GET only, and a strong entity
 * tag: the SHA-256 of the very bytes.
 */
export function answerJson(value: unknown, headers: Readonly<Record<string, string>>): Response {
  const body = JSON.stringify(value);
  const etag = `"${createHash('sha256').update(body).digest('hex')}"`;
  const length = String(Buffer.byteLength(body));
  return new Response(body, {
    headers: { ...headers, 'content-type': 'application/json', 'content-length': length, etag },
  });
}
