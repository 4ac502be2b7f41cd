/** What every page for people is answered with, whatever it shows. */
import { createMiddleware } from 'hono/factory';

interface Guard {
  /** Whether the page has forms, which are sent to us alone. */
  readonly forms: boolean;
}

/** Nothing from anywhere, no frame around it, no form out of it; `allowed` is what one kind of page needs beyond that. */
export function guardPage(allowed: readonly string[], { forms }: Guard = { forms: false }) {
  const policy = [
    "default-src 'none'",
    ...allowed,
    "base-uri 'none'",
    `form-action ${forms ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ');
  return createMiddleware(async (c, next) => {
    await next();
    c.res.headers.set('content-security-policy', policy);
    // A page that hides where it is sends its forms without saying whose they are.
    c.res.headers.set('referrer-policy', forms ? 'same-origin' : 'no-referrer');
  });
}
