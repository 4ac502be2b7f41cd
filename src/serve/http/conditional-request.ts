/** Conditional requests: answers 304 or 412 where the preconditions say so. */
import type { Context } from 'hono';
import { CrossfootError } from '../../errors.ts';
import { evaluatePreconditions } from './preconditions.ts';

/**
 * A 304 with these headers when the client has this version already; null when the body has to be sent. Throws 412 when
 * If-Match names another version.
 */
export function respondIfUnchanged(
  c: Context,
  headers: Readonly<Record<string, string>> & { readonly etag: string },
): Response | null {
  const conditions = { ifMatch: c.req.header('if-match'), ifNoneMatch: c.req.header('if-none-match') };
  const verdict = evaluatePreconditions(conditions, headers.etag);
  if (verdict === 'failed') {
    throw new CrossfootError(
      'precondition_failed',
      'The current version is not the one that If-Match names.',
    );
  }
  return verdict === 'unchanged' ? new Response(null, { status: 304, headers }) : null;
}
