/**
 * Steps before and after a night is queued; each is idempotent. `start` and the nightly job run both lists. `work` runs only
 * the steps before: retention deletes, which a worker has no right to do, and one scrub a night is enough.
 */
import type { Settings } from '../../config.ts';
import { errorFields, type Logger } from '../../log.ts';
import type { Databases } from '../opened-databases.ts';
import type { QueueSession } from './queue-session.ts';
import { ratesPlan } from './rates-plan.ts';
import { refreshByLog } from './refresh-rates.ts';
import { retainByLog } from './retain-by-log.ts';
import { scrubByLog } from './scrub-by-log.ts';

export interface NightContext {
  readonly settings: Settings;
  readonly databases: Pick<Databases, 'ledgerUrl' | 'ownerUrl' | 'embedded'>;
  readonly session: Pick<QueueSession, 'queue'>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

export interface NightStep {
  /** The name of the step in the log. */
  readonly name: string;
  readonly run: (context: NightContext) => Promise<void>;
}

/** Steps before the night is queued, in order. */
export const BEFORE_NIGHT: readonly NightStep[] = [
  {
    name: 'rates',
    run: async ({ settings, databases, logger, signal }) => {
      const plan = await ratesPlan(settings, databases);
      if (plan !== null) await refreshByLog(plan, databases, { logger, signal });
    },
  },
];

/** Steps after the night is queued, so that it does not wait for them. */
export const AFTER_NIGHT: readonly NightStep[] = [
  {
    name: 'retention',
    run: async ({ settings, databases, logger }) => {
      await retainByLog(settings, databases.ledgerUrl, logger);
    },
  },
  {
    name: 'scrub',
    run: async ({ settings, session, logger, signal }) => {
      const rebuild = (accounts: readonly bigint[]) => session.queue.enqueueRebuild(accounts);
      await scrubByLog(settings, { rebuild, logger, signal });
    },
  },
];

/** The same steps, of which the first run does nothing: the program has done them just now. */
export function afterFirst(steps: readonly NightStep[]): readonly NightStep[] {
  return steps.map(({ name, run }) => {
    let done = true;
    return {
      name,
      run: async (context) => {
        if (!done) await run(context);
        done = false;
      },
    };
  });
}

/** Runs the steps. A failed step is logged and does not stop the others. */
export async function takeSteps(steps: readonly NightStep[], context: NightContext): Promise<void> {
  for (const { name, run } of steps) {
    await run(context).catch((error: unknown) => {
      // An aborted step did not fail: an operator need not look at it.
      if (context.signal.aborted) return;
      context.logger.error('night.hindered', { ...errorFields(error), step: name });
    });
  }
}
