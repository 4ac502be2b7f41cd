/** Opens the deliveries of a worker: their queue, the search for those that are due, and the copying itself. */
import type { Settings } from '../../config.ts';
import { type DeliverOptions, deliverSnapshots } from '../../deliveries/deliver.ts';
import { findDueDeliveries } from '../../deliveries/find-due.ts';
import { openDeliveryQueue } from '../../deliveries/queue.ts';
import type { Logger } from '../../log.ts';
import { readLog, readOn } from '../../snapshot/read/read-log.ts';
import { readMarks } from '../../snapshot/read/read-marks.ts';
import type { StoreReader } from '../../store/store.ts';
import { bytesOfLog, type PublishLog } from '../../snapshot/format/publish-log.ts';
import { claimWatch } from '../../webhooks/records.ts';
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';
import { openDeliveryTarget } from '../delivery-target.ts';
import { openStoreToRead } from '../object-store.ts';
import type { Databases } from '../opened-databases.ts';
import { openSessions } from '../sessions.ts';
import { CLOCK } from '../machine.ts';
import type { QueueSession } from './queue-session.ts';

/** Parallel deliveries: while stores of customers are slow, others are served and builds go on. */
const LANES = 4;
/** One for each lane that moves a `latest.json`, and some for short statements. */
const MAX_SESSIONS = LANES + 2;
const SEARCH_SECONDS = 60;

/** Disposing of them closes the queue and ends the sessions. */
export interface Deliveries extends AsyncDisposable {
  /** Searches and delivers until aborted; with `untilEmpty` once, until nothing is due. */
  run(options: RunOptions): Promise<void>;
}

interface RunOptions extends Pick<QueueSession, 'readAccounts'>, Pick<DeliverOptions, 'enqueueEvent'> {
  readonly signal: AbortSignal;
  readonly untilEmpty: boolean;
}

interface DeliveryParts {
  readonly settings: Settings;
  readonly databases: Pick<Databases, 'serviceUrl'>;
  readonly logger: Logger;
}

/** Opens the queue of deliveries as `cf_service`. */
export async function openDeliveries({ settings, databases, logger }: DeliveryParts): Promise<Deliveries> {
  await using resources = new AsyncDisposableStack();
  const sessions = await openSessions({
    url: databases.serviceUrl,
    role: 'cf_service',
    applicationName: 'crossfoot deliveries',
    max: MAX_SESSIONS,
    logger,
  });
  resources.use(sessions);
  const { pool: service, onError } = sessions;
  const queue = await openDeliveryQueue({ service, onError });
  resources.defer(async () => {
    sessions.expectEnd();
    await queue.close();
  });
  const open = resources.move();

  async function run({ readAccounts, enqueueEvent, signal, untilEmpty }: RunOptions): Promise<void> {
    const store = await openStoreToRead(settings);
    const logOf = logsOf(store);
    const marksOf = (account_id: bigint) => readMarks(store, account_id);
    const search = () => findDueDeliveries({ service, queue, readAccounts, logOf, marksOf, logger });
    const deliver = () =>
      deliverSnapshots({
        queue,
        service,
        store,
        logOf,
        lanes: LANES,
        enqueueEvent,
        openTarget: (due) => openDeliveryTarget(settings, due.account_id, due),
        clock: CLOCK,
        sleep: CLOCK.sleep,
        signal,
        logger,
        onIdle: () => untilEmpty,
      });
    if (untilEmpty) {
      await search();
      return await deliver();
    }
    await Promise.all([deliver(), keepSearching(search, signal)]);
  }

  async function keepSearching(search: () => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // Of many workers one searches.
      const isClaimed = await claimWatch(service, 'deliveries', SEARCH_SECONDS).catch(() => false);
      if (isClaimed) await search();
      await CLOCK.sleep(SEARCH_SECONDS * 1_000, signal).catch(() => undefined);
    }
  }

  return { run, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

function logsOf(store: StoreReader): (account_id: bigint) => Promise<PublishLog> {
  const logs = new Cache<bigint, PublishLog>({ max_bytes: MEMORY_BUDGET.logs, bytesOf: bytesOfLog });
  return (account_id) =>
    logs.renew(account_id, (before) =>
      before === undefined ? readLog(store, account_id) : readOn(store, before),
    );
}
