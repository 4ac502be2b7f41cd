/** What `crossfoot work` does: it takes builds from the queue until it is told to stop, or nothing waits. */
import { workQueue } from '../../ops/worker.ts';
import { BEFORE_NIGHT } from '../../run/worker/night-steps.ts';
import { buildEnvironment } from '../../run/build/build-process.ts';
import { clearSpools } from '../../run/build/clear-spools.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { openDatabases } from '../../run/databases.ts';
import { clockReader } from '../../run/clocks.ts';
import { nightAt } from '../../run/nights.ts';
import { keepNights } from '../../run/worker/queue-night.ts';
import { openQueueSession } from '../../run/worker/queue-session.ts';
import { queuedBuilds } from '../../run/build/queued-build.ts';
import { unlessOverdue } from '../../run/stopping.ts';
import { PACE } from '../../run/surroundings.ts';
import { openWebhooks, runWebhooks } from '../../run/worker/webhooks.ts';
import { openWorkerMetrics } from '../../run/worker/metrics.ts';
import type { WorkOptions } from '../work.ts';

/** A build ends within two seconds of the signal; what a database does not answer by then comes back by itself. */
const GRACE_MS = 3_000;
const CLOSING_MS = 1_000;

/** Works on the queue of the settings. */
export async function work({ concurrency, untilEmpty }: WorkOptions, context: CommandContext): Promise<void> {
  const { settings, logger } = openSettings(context);
  const { signal } = context;
  await clearSpools(settings, logger);
  const databases = await openDatabases(settings, signal, logger);
  try {
    const session = await openQueueSession({ databases, logger, supervise: true });
    try {
      // No other process works on the embedded database, so a killed process left every held job.
      if (databases.embedded) await session.queue.giveBackAll();
      const webhooks = await openWebhooks({ settings, databases, logger });
      const metrics = await openWorkerMetrics({ settings, service: webhooks.service, logger });
      try {
        const build = workQueue({
          queue: session.queue,
          concurrency,
          run: metrics.counting(
            queuedBuilds({
              session,
              enqueueEvent: webhooks.enqueueEvent,
              night: async () => nightAt(settings, await session.readDatabaseClock()).day,
              env: buildEnvironment({ ...context, settings, ...databases }),
              logger,
            }),
          ),
          sleep: PACE.sleep,
          signal,
          logger,
          onIdle: async () => untilEmpty && !(await session.queue.holdsPending()),
        });
        logger.info('worker.started', { step: `${concurrency} at once` });
        const beside = {
          readAccounts: session.readAccounts,
          signal,
          onAttempt: metrics.onAttempt,
          untilEmpty,
        };
        const working = untilEmpty
          ? // What the builds have to tell is queued when they are done.
            build.then(() => runWebhooks(webhooks, beside))
          : // Retention is left to what queues nights and does nothing else: a fleet of workers would each list the store.
            Promise.all([
              build,
              runWebhooks(webhooks, beside),
              keepNights({
                settings,
                databases,
                session,
                readClocks: clockReader(settings, session.readDatabaseClock),
                logger,
                signal,
                sleep: PACE.sleep,
                before: BEFORE_NIGHT,
                after: [],
              }),
            ]);
        await unlessOverdue(signal, Promise.race([working, databases.lost]), GRACE_MS);
        logger.info('worker.stopped');
      } finally {
        await unlessOverdue(
          signal,
          metrics.close().then(() => webhooks.close()),
          CLOSING_MS,
        );
      }
    } finally {
      await unlessOverdue(signal, session.close(), CLOSING_MS);
    }
  } finally {
    await databases.stop();
  }
}
