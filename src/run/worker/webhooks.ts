/** Opens the webhooks of a worker or a command: the event queue, the deliveries and the search for missed events. */
import type { Pool } from 'pg';
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';
import { publicBaseUrl, type Settings } from '../../config.ts';
import { isCrossfootError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { openWebhookQueue } from '../../webhooks/queue.ts';
import { bytesOfLog, type PublishLog } from '../../snapshot/format/publish-log.ts';
import { readLog, readOn } from '../../snapshot/read/read-log.ts';
import { readMarks } from '../../snapshot/read/read-marks.ts';
import { createReader } from '../../snapshot/read/reader.ts';
import type { StoreReader } from '../../store/store.ts';
import { deliver, type DeliverOptions } from '../../webhooks/deliver.ts';
import { allowAddresses } from '../../webhooks/allowed-addresses.ts';
import { createEnqueueEvent, type EnqueueEvent } from '../../webhooks/enqueue-event.ts';
import { type NightChanges, readNightChanges } from '../../webhooks/night-changes.ts';
import { watchOnce } from '../../webhooks/missed-events.ts';
import type { Databases } from '../opened-databases.ts';
import { openStoreToRead } from '../object-store.ts';
import { leftOutOfEntry } from '../left-out.ts';
import { openSessions } from '../sessions.ts';
import { passedAfterEnd } from './ended-budgets.ts';
import type { QueueSession } from './queue-session.ts';
import { CLOCK } from '../machine.ts';
import { WRITER } from '../../version.ts';

// Statements are short, and no session is held while a receiver answers.
const MAX_SESSIONS = 3;
/** Parallel deliveries: if four receivers hang, the other deliveries wait for one timeout. */
const LANES = 4;
/** How often a worker checks whether a search for missed events is due. */
const LOOK_MS = 60_000;

/** Disposing of them closes the queue and ends the sessions. */
export interface Webhooks extends AsyncDisposable {
  /** The sessions as `cf_service`. */
  readonly service: Pool;
  /** Stores an event and queues a delivery for every webhook of its account. A second call changes nothing. */
  readonly enqueueEvent: EnqueueEvent;
  /** Delivers until aborted or, with `untilEmpty`, until nothing is due. */
  deliver(options: WebhookRunOptions): Promise<void>;
  /** Searches for missed events until aborted; with `untilEmpty` once. */
  watchForMissedEvents(options: WebhookRunOptions): Promise<void>;
}

interface WebhookRunOptions
  extends Pick<DeliverOptions, 'onAttempt' | 'signal'>, Pick<QueueSession, 'readAccounts'> {
  readonly untilEmpty: boolean;
}

/**
 * Delivers events and searches for missed ones, until the signal is aborted or, with `untilEmpty`, until nothing is due.
 */
export async function runWebhooks(webhooks: Webhooks, options: WebhookRunOptions): Promise<void> {
  if (options.untilEmpty) {
    await webhooks.watchForMissedEvents(options);
    await webhooks.deliver(options);
  } else {
    await Promise.all([webhooks.watchForMissedEvents(options), webhooks.deliver(options)]);
  }
}

/** No budgets if a file cannot be read: damage must not hide the other events of the account. */
async function unlessUnread(read: () => Promise<NightChanges['budgets']>): Promise<NightChanges['budgets']> {
  try {
    return await read();
  } catch (error) {
    if (isCrossfootError(error)) return [];
    throw error;
  }
}

interface WebhookParts {
  readonly settings: Settings;
  readonly databases: Pick<Databases, 'serviceUrl'>;
  readonly logger: Logger;
}

/** Opens the queue of deliveries as `cf_service`. */
export async function openWebhooks({ settings, databases, logger }: WebhookParts): Promise<Webhooks> {
  await using resources = new AsyncDisposableStack();
  const sessions = await openSessions({
    url: databases.serviceUrl,
    role: 'cf_service',
    applicationName: 'crossfoot webhooks',
    max: MAX_SESSIONS,
    logger,
  });
  resources.use(sessions);
  const { pool: service, onError } = sessions;
  const { now, sleep } = CLOCK;
  const queue = await openWebhookQueue({ service, onError });
  resources.defer(async () => {
    sessions.expectEnd();
    await queue.close();
  });
  const baseUrl = publicBaseUrl(settings, settings.port);
  let store: StoreReader | undefined;
  // Caches the store once it opens. A failure is not cached: the store may be back for the next event.
  const openStore = async (): Promise<StoreReader> => (store ??= await openStoreToRead(settings));
  const logs = new Cache<bigint, PublishLog>({ max_bytes: MEMORY_BUDGET.logs, bytesOf: bytesOfLog });
  const logOf = async (account_id: bigint): Promise<PublishLog> => {
    const opened = await openStore();
    return await logs.renew(account_id, (before) =>
      before === undefined ? readLog(opened, account_id) : readOn(opened, before),
    );
  };
  const leftOutOf = async (account_id: bigint, snapshot_id: string) => {
    const { entries } = await logOf(account_id);
    const entry = entries.find((each) => each.snapshot_id === snapshot_id);
    return await leftOutOfEntry(await openStore(), account_id, entry);
  };
  const changesOf = async (account_id: bigint, snapshot_id: string) => {
    const log = await logOf(account_id);
    const at = log.entries.findIndex((each) => each.snapshot_id === snapshot_id);
    const [from, to] = [log.entries[at - 1], log.entries[at]];
    if (from === undefined || to === undefined) return null;
    const opened = await openStore();
    const changes = await readNightChanges(opened, { log, from, to });
    if (changes === null) return null;
    const snapshots = createReader({ store: opened, now, onFault: () => undefined });
    const ids = [from.snapshot_id, to.snapshot_id] as const;
    const ended = await unlessUnread(() => passedAfterEnd(snapshots, account_id, ids));
    return { ...changes, budgets: [...changes.budgets, ...ended] };
  };
  const enqueueEvent = createEnqueueEvent({ service, queue, leftOutOf, changesOf, baseUrl, now, logger });
  const open = resources.move();
  return {
    service,
    enqueueEvent,
    deliver: ({ untilEmpty, onAttempt, signal }) =>
      deliver({
        onAttempt,
        signal,
        queue,
        service,
        lanes: LANES,
        allowed: allowAddresses(settings.webhookNetworks),
        mail: settings.mail,
        sender: WRITER.replace(' ', '/'),
        now,
        sleep,
        logger,
        onIdle: () => untilEmpty,
      }),
    watchForMissedEvents: async ({ readAccounts, signal, untilEmpty }) => {
      const opened = await openStore();
      const marksOf = (account_id: bigint) => readMarks(opened, account_id);
      for (;;) {
        await watchOnce({ service, enqueueEvent, readAccounts, logOf, marksOf, now, logger });
        if (untilEmpty) return;
        await sleep(LOOK_MS, signal).catch(() => undefined);
        if (signal.aborted) return;
      }
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
