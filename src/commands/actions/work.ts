/** The action of `crossfoot work`: takes builds from the queue until a signal stops it, or until the queue is empty. */
import { errorFields } from '../../log.ts';
import { openRangeQueue } from '../../ops/range-queue.ts';
import { workQueue } from '../../ops/worker.ts';
import { BEFORE_NIGHT } from '../../run/worker/night-steps.ts';
import { buildEnvironment } from '../../run/builders/build-process.ts';
import { clearSpools } from '../../run/builders/clear-spools.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { openDatabases } from '../../run/databases.ts';
import { clockReader } from '../../run/clocks.ts';
import { nightAt } from '../../run/nights.ts';
import { queueDueNights } from '../../run/worker/queue-night.ts';
import { publishingTerms } from '../../run/worker/current-snapshots.ts';
import { openQueueSession } from '../../run/worker/queue-session.ts';
import { processesByEnvironment } from '../../run/builders/current-processes.ts';
import { queuedBuilds } from '../../run/builders/queued-build.ts';
import { queuedRanges } from '../../run/builders/queued-range.ts';
import { endingInTime, unlessOverdue } from '../../run/stopping.ts';
import { CLOCK } from '../../run/machine.ts';
import { openDeliveries } from '../../run/worker/deliveries.ts';
import { openWebhooks, runWebhooks } from '../../run/worker/webhooks.ts';
import { openWorkerMetrics } from '../../run/worker/metrics.ts';

export interface WorkOptions {
  readonly concurrency: number;
  readonly untilEmpty: boolean;
}

/** A stopped build ends within two seconds. A job whose release the database has not confirmed by then is released later. */
const GRACE_MS = 3_000;
const CLOSING_MS = 1_000;

/** Works on the queue of the settings. */
export async function work({ concurrency, untilEmpty }: WorkOptions, context: CommandContext): Promise<void> {
  const { settings, logger } = openSettings(context);
  const { signal } = context;
  await clearSpools(settings, logger);
  await using databases = await openDatabases(settings, signal, logger, { serves: true });
  await using closing = new AsyncDisposableStack();
  const session = await databases.outlast(() => openQueueSession({ databases, logger, supervise: true }));
  closing.use(endingInTime(session, signal, CLOSING_MS));
  const ranges = await databases.outlast(() =>
    openRangeQueue({
      service: session.service,
      supervise: false,
      onError: (error) => logger.warn('queue.lost', errorFields(error)),
    }),
  );
  closing.use(endingInTime({ [Symbol.asyncDispose]: ranges.close }, signal, CLOSING_MS));
  // The embedded database has no other worker, so every job that is held now was left by a killed worker.
  if (databases.embedded) await databases.outlast(() => session.queue.giveBackAll());
  const beside = new AsyncDisposableStack();
  closing.use(endingInTime(beside, signal, CLOSING_MS));
  const webhooks = beside.use(await databases.outlast(() => openWebhooks({ settings, databases, logger })));
  const deliveries = beside.use(
    await databases.outlast(() => openDeliveries({ settings, databases, logger })),
  );
  const metrics = beside.use(await openWorkerMetrics({ settings, service: webhooks.service, logger }));
  const readEnvironment = () => buildEnvironment({ ...context, settings, ...databases });
  // A missing or unusable signing key is reported now, and not by the first build.
  await readEnvironment();
  const processes = processesByEnvironment(readEnvironment);
  const build = workQueue({
    queue: session.queue,
    ranges: { queue: ranges, run: queuedRanges(processes) },
    concurrency,
    run: metrics.counting(
      queuedBuilds({
        session,
        enqueueEvent: webhooks.enqueueEvent,
        night: async () => nightAt(settings, await session.readDatabaseClock()).day,
        processes,
        readTerms: () => publishingTerms(settings),
        logger,
      }),
    ),
    sleep: CLOCK.sleep,
    signal,
    logger,
    onIdle: async () => untilEmpty && !(await session.queue.holdsPending()),
  });
  logger.info('worker.started', { step: `${concurrency} at once` });
  const tools = {
    readAccounts: session.readAccounts,
    enqueueEvent: webhooks.enqueueEvent,
    signal,
    onAttempt: metrics.onAttempt,
    untilEmpty,
  };
  const working = untilEmpty
    ? // Builds and deliveries queue their events. A slow store of a customer delays no message about the night.
      build
        .then(() => runWebhooks(webhooks, tools))
        .then(() => deliveries.run(tools))
        .then(() => runWebhooks(webhooks, tools))
    : // Expired snapshots are not deleted here but by the command `nightly`: else each of many workers would list the whole store.
      Promise.all([
        build,
        runWebhooks(webhooks, tools),
        deliveries.run(tools),
        queueDueNights({
          settings,
          databases,
          session,
          readClocks: clockReader(settings, session.readDatabaseClock),
          logger,
          signal,
          sleep: CLOCK.sleep,
          before: BEFORE_NIGHT,
          after: [],
        }),
      ]);
  await unlessOverdue(signal, Promise.race([working, databases.lost]), GRACE_MS);
  logger.info('worker.stopped');
}
