/** Gives every request an id, a logger with that id, common headers, and one line in the log after the response. */
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';
import type { Logger } from '../log.ts';
import type { ServeEnv } from './auth/authenticate.ts';
import type { Sent } from './http/transfers.ts';
import type { MetricsAnswer } from './metrics/metrics.ts';

/** The pattern of middleware for every request. Paths without a route match it too. */
const EVERY_PATH = '/*';

export interface RequestLogParts {
  readonly logger: Logger;
  readonly newRequestId: () => string;
  /** Milliseconds of a clock that never goes back. */
  readonly clock: () => number;
  /** Called for each answer before its first byte is sent. */
  readonly onAnswer: (answer: MetricsAnswer) => void;
}

/** The middleware; use it before all others. */
export function requestLog({ logger, newRequestId, clock, onAnswer }: RequestLogParts) {
  return createMiddleware<ServeEnv>(async (c, next) => {
    const request_id = newRequestId();
    const began = clock();
    c.set('logger', logger.with({ request_id }));
    await next();
    c.res.headers.set('x-request-id', request_id);
    c.res.headers.set('x-content-type-options', 'nosniff');
    const answer = { route: routeOf(c), status: c.res.status };
    onAnswer({ ...answer, ms: clock() - began });
    const log = (sent?: Sent): void =>
      c.var.logger.info('request.answered', {
        method: c.req.method,
        ...answer,
        ...sent,
        ms: clock() - began,
      });
    // The line is written after the last byte, because it says how many bytes were sent.
    if (c.env?.whenSent === undefined) log();
    else c.env.whenSent(log);
  });
}

/** The last matched pattern other than "every path": the middleware of limits is registered after the health routes. */
function routeOf(c: Context<ServeEnv>): string {
  return matchedRoutes(c).findLast(({ path }) => path !== EVERY_PATH)?.path ?? EVERY_PATH;
}
