/** Tells other servers what was spent here and learns what was spent there, while requests go on. */
import { errorFields, type Logger } from '../../log.ts';
import type { Spent } from '../../ops/rate-limits.ts';
import type { Spending } from './spending.ts';

interface ShareParts {
  readonly spending: Spending;
  /** Adds points to what all servers know and gives the new totals of their subjects. */
  readonly add: (spent: readonly Spent[]) => Promise<readonly Spent[]>;
  readonly logger: Logger;
}

/**
 * The exchange, to be called every so often; a call during another one does nothing. It never fails: without the
 * database each server goes on counting by itself, and what it could not tell is told the next time.
 */
export function shareSpending({ spending, add, logger }: ShareParts): () => Promise<void> {
  let busy = false;
  let alone = false;
  return async () => {
    const spent = busy ? [] : spending.unshared();
    if (spent.length === 0) return;
    busy = true;
    try {
      spending.learn(spent, await add(spent));
      if (alone) logger.info('limits.shared');
      alone = false;
    } catch (error) {
      // Once: it would be said every second.
      if (!alone) logger.warn('limits.unshared', errorFields(error));
      alone = true;
    } finally {
      busy = false;
    }
  };
}
