/** Security headers of every page for people. */
import { createMiddleware } from 'hono/factory';

interface Guard {
  /** Whether the page has forms; a form may be sent to this server only. */
  readonly forms: boolean;
}

/** The content security policy of a page. */
export function pagePolicy(allowed: readonly string[], { forms }: Guard): string {
  return [
    "default-src 'none'",
    ...allowed,
    "base-uri 'none'",
    `form-action ${forms ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The page loads nothing, cannot be framed and sends no form elsewhere; `allowed` adds sources for one kind of page. */
export function guardPage(allowed: readonly string[], { forms }: Guard = { forms: false }) {
  const policy = pagePolicy(allowed, { forms });
  return createMiddleware(async (c, next) => {
    await next();
    // A page below that has a policy of its own keeps it.
    if (c.res.headers.has('content-security-policy')) return;
    c.res.headers.set('content-security-policy', policy);
    // With `no-referrer` a browser sends forms with the origin `null`, which the check of forms refuses.
    c.res.headers.set('referrer-policy', forms ? 'same-origin' : 'no-referrer');
  });
}
