/** Ends the body of every answer to HEAD. */
import { createMiddleware } from 'hono/factory';

/**
 * Hono answers HEAD by the route of GET and drops the body without cancelling it. The stream of a file would keep its slot and
 * its handle until the server stops. Use this middleware before all others: they may still read the body.
 */
export const cancelHeadBody = createMiddleware(async (c, next) => {
  await next();
  if (c.req.method === 'HEAD') await c.res.body?.cancel();
});
