/** Exchanges the counts of the rate limiter with other servers, in the background. */
import { errorFields, type Logger } from '../../log.ts';
import type { Spent } from '../../ops/rate-limits.ts';
import type { RateLimiter } from './rate-limiter.ts';

interface ShareParts {
  readonly rateLimiter: RateLimiter;
  /** Adds points to the shared totals and returns the new totals of these subjects. */
  readonly add: (spent: readonly Spent[]) => Promise<readonly Spent[]>;
  readonly logger: Logger;
}

/**
 * One exchange, to be called at an interval; a call during another does nothing. It never rejects: without the database
 * each server counts alone, and sends its points at the next exchange.
 */
export function syncRateLimits({ rateLimiter, add, logger }: ShareParts): () => Promise<void> {
  let busy = false;
  let alone = false;
  return async () => {
    const spent = busy ? [] : rateLimiter.unshared();
    if (spent.length === 0) return;
    busy = true;
    try {
      rateLimiter.merge(spent, await add(spent));
      if (alone) logger.info('limits.shared');
      alone = false;
    } catch (error) {
      // Logged once per outage: an exchange runs every second.
      if (!alone) logger.warn('limits.unshared', errorFields(error));
      alone = true;
    } finally {
      busy = false;
    }
  };
}
