/** What is done around the queueing of a night, by every process that queues it: each step is safe to run many times. */
import type { Settings } from '../../config.ts';
import { errorFields, type Logger } from '../../log.ts';
import type { Databases } from '../databases.ts';
import type { QueueSession } from './queue-session.ts';
import { refreshByLog } from './refresh-rates.ts';
import { retainByLog } from './retain-by-log.ts';
import { scrubByLog } from './scrub-by-log.ts';

export interface NightContext {
  readonly settings: Settings;
  readonly databases: Pick<Databases, 'ledgerUrl' | 'ownerUrl'>;
  readonly session: Pick<QueueSession, 'queue'>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

export interface NightStep {
  /** Named in the log when it fails. */
  readonly name: string;
  readonly run: (context: NightContext) => Promise<void>;
}

/** Before the night is queued, in the order in which they run. */
export const BEFORE_NIGHT: readonly NightStep[] = [
  {
    name: 'rates',
    run: async ({ settings, databases, logger, signal }) => {
      if (settings.ratesUrl !== null) await refreshByLog(settings.ratesUrl, databases, { logger, signal });
    },
  },
];

/** Once it is queued, so that it waits for none of them. */
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

/** Runs the steps; one that fails is told to the log and keeps nothing else from its work. */
export async function takeSteps(steps: readonly NightStep[], context: NightContext): Promise<void> {
  for (const { name, run } of steps) {
    await run(context).catch((error: unknown) => {
      // A step that was told to stop was not hindered by anything that an operator should look at.
      if (context.signal.aborted) return;
      context.logger.error('night.hindered', { ...errorFields(error), step: name });
    });
  }
}
