/** What every request gets: an id, a logger that says it, some headers, and one line in the log once it is answered. */
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';
import type { Logger } from '../../log.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import type { Sent } from './transfers.ts';

/** The pattern of what is used for every request; also of a path that has no route. */
const EVERY_PATH = '/*';

export interface AccompanyParts {
  readonly logger: Logger;
  readonly newRequestId: () => string;
  /** Milliseconds of a clock that only goes forward. */
  readonly clock: () => number;
  /** Hears of each answer as soon as there is one to send. */
  readonly onAnswer: (answer: Answer) => void;
}

/** An answer, of which nothing was sent yet. */
export interface Answer {
  /** The route's pattern, never the path: a path may hold what somebody pasted into it. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

/** To be used before everything else. */
export function accompany({ logger, newRequestId, clock, onAnswer }: AccompanyParts) {
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
    // The line waits for the last byte, so that it can say how many there were.
    if (c.env?.whenSent === undefined) log();
    else c.env.whenSent(log);
  });
}

/** The last pattern that is not the one of every path: a limit is registered for that one after the health routes. */
function routeOf(c: Context<ServeEnv>): string {
  return matchedRoutes(c).findLast(({ path }) => path !== EVERY_PATH)?.path ?? EVERY_PATH;
}
