/** Security headers of every page for people. */
import { createMiddleware } from 'hono/factory';

interface Guard {
  /**
   * The forms of the page, which may be sent to this server only: `sent` with a token and the origin of the page, which the server
   * checks; `search` opens an address.
   */
  readonly forms: false | 'search' | 'sent';
}

/** What every page loads, all from this server: its script, its style, and the mark in its address bar. */
export const PAGE_SOURCES = ["script-src 'self'", "style-src 'self'", 'img-src data:'] as const;

/** The content security policy of a page. */
export function pagePolicy(allowed: readonly string[], { forms }: Guard): string {
  return [
    "default-src 'none'",
    ...allowed,
    "base-uri 'none'",
    `form-action ${forms === false ? "'none'" : "'self'"}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The page loads only what `allowed` names, cannot be framed and sends no form elsewhere. */
export function guardPage(allowed: readonly string[], { forms }: Guard = { forms: false }) {
  const policy = pagePolicy(allowed, { forms });
  return createMiddleware(async (c, next) => {
    await next();
    // A page below that has a policy of its own keeps it.
    if (c.res.headers.has('content-security-policy')) return;
    c.res.headers.set('content-security-policy', policy);
    // With `no-referrer` a browser sends forms with the origin `null`, which the check of forms refuses.
    c.res.headers.set('referrer-policy', forms === 'sent' ? 'same-origin' : 'no-referrer');
  });
}
