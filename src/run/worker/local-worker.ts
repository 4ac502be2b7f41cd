/** The worker of `crossfoot start`, in the process of the server: queues nights, takes builds and delivers webhooks. */
import type { Settings } from '../../config.ts';
import { isCrossfootError } from '../../errors.ts';
import { isReadByPerson } from '../../log-format.ts';
import type { Logger } from '../../log.ts';
import { type WorkOptions, workQueue } from '../../ops/worker.ts';
import { type Clocks, requireAgreement } from '../../clock-offsets.ts';
import { AFTER_NIGHT, afterFirst, BEFORE_NIGHT } from './night-steps.ts';
import { followBuild } from '../builders/report.ts';
import type { CommandContext } from '../context.ts';
import type { Databases } from '../opened-databases.ts';
import { clockReader } from '../clocks.ts';
import { nightAt } from '../nights.ts';
import { openStoreToRead } from '../object-store.ts';
import type { Service } from '../server/service.ts';
import { openHeadWatch } from '../seen-heads.ts';
import { currentSnapshot, publishingTerms } from './current-snapshots.ts';
import { queueDueNights } from './queue-night.ts';
import { openQueueSession, type QueueSession } from './queue-session.ts';
import type { ProcessesOfNow } from '../builders/current-processes.ts';
import { queuedBuilds } from '../builders/queued-build.ts';
import { unlessOverdue } from '../stopping.ts';
import { CLOCK } from '../machine.ts';
import { type Deliveries, openDeliveries } from './deliveries.ts';
import type { WorkerMetrics } from './metrics.ts';
import { openWebhooks, runWebhooks, type Webhooks } from './webhooks.ts';
import { toMs } from '../../instant.ts';

// Ctrl-C promises an end within five seconds, and the embedded database may need most of them.
const GRACE_MS = 2_000;

/** Its disposal ends running work; call it after the stop signal. */
export interface LocalWorker extends AsyncDisposable {
  /** Resolves when no due build is left, successful or not; rejects when the worker cannot work. */
  readonly idle: Promise<void>;
}

interface LocalWorkerParts {
  readonly databases: Databases;
  readonly settings: Settings;
  readonly logger: Logger;
  readonly context: CommandContext;
  /** Counts its builds and deliveries; the server of this process serves the counts. */
  readonly metrics: WorkerMetrics;
  /** The server of this process: what a build has published is served before the build counts as ended. */
  readonly service: Pick<Service, 'showPublished'>;
  readonly processes: ProcessesOfNow;
}

/**
 * Starts the worker. With the embedded database, it first queues a build of each account whose ledger has changed since its
 * newest snapshot.
 */
export async function startLocalWorker(parts: LocalWorkerParts): Promise<LocalWorker> {
  const { databases, logger, context } = parts;
  await using opened = new AsyncDisposableStack();
  const session = opened.use(await openQueueSession({ databases, logger, supervise: true }));
  const webhooks = opened.use(await openWebhooks(parts));
  const deliveries = opened.use(await openDeliveries(parts));
  const open = opened.move();
  const idle = Promise.withResolvers<void>();
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const working = work(parts, { ...session, webhooks, deliveries }, signal, idle.resolve);
  working.catch(idle.reject);
  return {
    idle: idle.promise,
    [Symbol.asyncDispose]: async () => {
      stop.abort(context.signal.reason);
      await unlessOverdue(
        signal,
        working.catch(() => undefined),
        GRACE_MS,
      );
      await unlessOverdue(signal, open.disposeAsync(), GRACE_MS);
    },
  };
}

async function work(
  { databases, settings, logger, context, metrics, service, processes }: LocalWorkerParts,
  session: QueueSession & { readonly webhooks: Webhooks; readonly deliveries: Deliveries },
  signal: AbortSignal,
  onIdle: () => void,
): Promise<void> {
  const { readAccounts } = session;
  // A missing or unusable signing key is reported now, and not by the first build.
  await processes();
  const readClocks = clockReader(settings, session.readDatabaseClock);
  if (databases.embedded) {
    await queueChanged({ databases, settings, logger, context }, session, readClocks).catch(
      (error: unknown) => {
        if (!isCrossfootError(error, 'clocks_disagree')) throw error;
        // Published snapshots are still served. `queueDueNights` tries to queue now, and then every minute until the clocks
        // agree. If a person reads the log, its first failure shows this message there.
        if (!isReadByPerson(settings.logFormat)) context.say(error.message);
      },
    );
  }
  let report: ReturnType<typeof followBuild> | undefined;
  const build = queuedBuilds({
    session,
    enqueueEvent: session.webhooks.enqueueEvent,
    night: async () => nightAt(settings, await session.readDatabaseClock()).day,
    logger,
    readTerms: () => publishingTerms(settings),
    processes,
    onBegin: ({ account_id }) => {
      context.print(`account ${account_id}`);
      report = followBuild(context);
    },
    onEvent: (_, event) => report?.(event),
  });
  const run: WorkOptions['run'] = async (taken, stop) => {
    const outcome = await build(taken, stop);
    // A store that does not answer now is no failure of the build: the server looks again by itself.
    await service.showPublished(taken.account_id).catch(() => undefined);
    return outcome;
  };
  await Promise.all([
    workQueue({
      queue: session.queue,
      // One build at a time: this process also serves and runs the database.
      concurrency: 1,
      // If a person reads the log, the log shows the error of a failed build.
      run: metrics.counting(isReadByPerson(settings.logFormat) ? run : explaining(run, context)),
      sleep: CLOCK.sleep,
      signal,
      logger,
      onIdle: () => {
        onIdle();
        return false;
      },
    }),
    runWebhooks(session.webhooks, { readAccounts, signal, onAttempt: metrics.onAttempt, untilEmpty: false }),
    session.deliveries.run({
      readAccounts,
      enqueueEvent: session.webhooks.enqueueEvent,
      signal,
      untilEmpty: false,
    }),
    queueDueNights({
      settings,
      databases,
      session,
      readClocks,
      logger,
      signal,
      sleep: CLOCK.sleep,
      // `start` has read the rates of the default just now: without a network that is one line, not two.
      before: databases.embedded && settings.ratesUrl === null ? afterFirst(BEFORE_NIGHT) : BEFORE_NIGHT,
      after: AFTER_NIGHT,
    }),
  ]);
}

/**
 * Queues every account whose newest snapshot does not show the current ledger. The embedded database has no other workers,
 * and may have changed while the program did not run.
 */
async function queueChanged(
  {
    databases: { migrated },
    settings,
    logger,
    context,
  }: Pick<LocalWorkerParts, 'context' | 'databases' | 'logger' | 'settings'>,
  { queue, readAccounts, isStillCurrent, service }: QueueSession,
  readClocks: () => Promise<Clocks>,
): Promise<void> {
  await queue.giveBackAll();
  const clocks = await readClocks();
  requireAgreement(clocks, 'queued');
  const accounts = await readAccounts();
  const night = nightAt(settings, clocks.database);
  const request = { night, accounts, jitter_ms: 0, now_ms: toMs(clocks.database) };
  const queued = new Set(await queue.enqueueNight(request));
  const rebuilt: bigint[] = [];
  // After a migration, changed views may give other figures for the same ledger.
  const altered = migrated !== null && (migrated.viewsRecreated || migrated.applied.length > 0);
  const store = await openStoreToRead(settings);
  const checkHead = openHeadWatch({ settings, onService: (run) => run(service), logger });
  const terms = await publishingTerms(settings);
  for (const account of accounts) {
    if (queued.has(account)) continue;
    const current = altered
      ? null
      : await currentSnapshot(account, { store, checkHead, isStillCurrent, terms });
    if (current === null) rebuilt.push(account);
    else context.print(`account ${account}: nothing has changed since snapshot ${current}`);
  }
  await queue.enqueueRebuild(rebuilt);
}

/** Wraps the function that runs a build, so that a failure also prints its message and hint. */
function explaining(run: WorkOptions['run'], { say, signal }: CommandContext): WorkOptions['run'] {
  return async (build, stop) => {
    try {
      return await run(build, stop);
    } catch (error) {
      if (isCrossfootError(error) && !signal.aborted) {
        say(`  ${error.message}`);
        if (error.hint !== undefined) say(`  ${error.hint}`);
      }
      throw error;
    }
  };
}
