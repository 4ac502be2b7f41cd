/** What every request gets: an id, a logger that says it, some headers, and one line in the log once it is answered. */
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import type { Logger } from '../log.ts';
import type { ServeEnv } from './authenticate.ts';
import type { Sent } from './transfers.ts';

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
    const answer = { route: routePath(c, -1), status: c.res.status };
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
