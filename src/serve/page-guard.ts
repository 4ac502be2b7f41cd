/** What every page for people is answered with, whatever it shows. */
import { createMiddleware } from 'hono/factory';

/** Nothing from anywhere, no frame around it, no form out of it; `allowed` is what one kind of page needs beyond that. */
export function guardPage(allowed: readonly string[]) {
  const policy = [
    "default-src 'none'",
    ...allowed,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return createMiddleware(async (c, next) => {
    await next();
    c.header('content-security-policy', policy);
    c.header('referrer-policy', 'no-referrer');
  });
}
