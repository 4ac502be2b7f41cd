/** The answers to a request whose preconditions spare or forbid sending what it asks for. */
import type { Context } from 'hono';
import { CrossfootError } from '../../errors.ts';
import { judge } from './preconditions.ts';

/**
 * A 304 with these headers (those that a cache may store anew) when the client has this very representation;
 * null when it has to be sent. Refuses with 412 when the client wants another one.
 */
export function answerUnsent(
  c: Context,
  headers: Readonly<Record<string, string>> & { readonly etag: string },
): Response | null {
  const conditions = { ifMatch: c.req.header('if-match'), ifNoneMatch: c.req.header('if-none-match') };
  const verdict = judge(conditions, headers.etag);
  if (verdict === 'failed') {
    throw new CrossfootError('precondition_failed', 'What is here now is not what If-Match names.');
  }
  return verdict === 'unchanged' ? new Response(null, { status: 304, headers }) : null;
}
