/** Telling accounts what happened, with this machine's clock, network and settings: what workers and commands open. */
import type { Pool } from 'pg';
import { publicBaseUrl, type Settings } from '../../config.ts';
import { openPool } from '../../ledger/connect.ts';
import { errorFields, type Logger } from '../../log.ts';
import { openWebhookQueue } from '../../webhooks/queue.ts';
import type { PublishLog } from '../../snapshot/format/publish-log.ts';
import { readLog, readOn } from '../../snapshot/read/read-log.ts';
import { readMarks } from '../../snapshot/read/read-marks.ts';
import type { StoreReader } from '../../store/store.ts';
import { deliver, type DeliverOptions } from '../../webhooks/deliver.ts';
import { reachOf } from '../../webhooks/reach.ts';
import { createTell, type Tell } from '../../webhooks/tell.ts';
import { watch } from '../../webhooks/watch.ts';
import type { Databases } from '../databases.ts';
import { openStoreToRead } from '../object-store.ts';
import { leftOutOfEntry } from '../left-out.ts';
import type { QueueSession } from './queue-session.ts';
import { PACE } from '../surroundings.ts';
import { WRITER } from '../../version.ts';

// Telling, looking and settling are short statements; no session is held while a receiver is waited for.
const MOST_SESSIONS = 3;
/** Two receivers that hang at once leave the others waiting for ten seconds. */
const LANES = 4;
/** How often a worker asks whether it is its turn to look. */
const LOOK_MS = 60_000;

export interface Telling {
  /** Its sessions as `cf_service`. */
  readonly service: Pool;
  /** Keeps an event and queues it for every webhook of its account; doing so again changes nothing. */
  readonly tell: Tell;
  /** Delivers what is queued, until it is told to stop or, with `untilEmpty`, until nothing is due. */
  deliver(options: TellOptions): Promise<void>;
  /** Looks for what nobody told, again and again until it is told to stop; with `untilEmpty` once. */
  keepWatch(options: TellOptions): Promise<void>;
  close(): Promise<void>;
}

interface TellOptions extends Pick<DeliverOptions, 'onTried' | 'signal'>, Pick<QueueSession, 'readAccounts'> {
  readonly untilEmpty: boolean;
}

/** Everything that is told beside the builds. */
export async function tellAll(telling: Telling, options: TellOptions): Promise<void> {
  if (options.untilEmpty) {
    await telling.keepWatch(options);
    await telling.deliver(options);
  } else {
    await Promise.all([telling.keepWatch(options), telling.deliver(options)]);
  }
}

interface TellingParts {
  readonly settings: Settings;
  readonly databases: Pick<Databases, 'serviceUrl'>;
  readonly logger: Logger;
}

/** Opens the queue of deliveries, as the role that may. */
export async function openTelling({ settings, databases, logger }: TellingParts): Promise<Telling> {
  let closing = false;
  const onError = (error: Error): void => {
    if (!closing) logger.warn('connection.lost', errorFields(error));
  };
  const service = openPool({
    url: databases.serviceUrl,
    role: 'cf_service',
    applicationName: 'crossfoot telling',
    max: MOST_SESSIONS,
    onError,
  });
  const { now, sleep } = PACE;
  try {
    const queue = await openWebhookQueue({ service, onError });
    const baseUrl = publicBaseUrl(settings, settings.port);
    let store: StoreReader | undefined;
    // Not kept when it fails: a later message may find the store back.
    const openStore = async (): Promise<StoreReader> => (store ??= await openStoreToRead(settings));
    const logs = new Map<bigint, PublishLog>();
    const logOf = async (account_id: bigint): Promise<PublishLog> => {
      const opened = await openStore();
      const known = logs.get(account_id);
      const log = await (known === undefined ? readLog(opened, account_id) : readOn(opened, known));
      logs.set(account_id, log);
      return log;
    };
    const leftOutOf = async (account_id: bigint, snapshot_id: string) => {
      const { entries } = await logOf(account_id);
      const entry = entries.find((each) => each.snapshot_id === snapshot_id);
      return await leftOutOfEntry(await openStore(), account_id, entry);
    };
    const tell = createTell({ service, queue, leftOutOf, baseUrl, now, logger });
    return {
      service,
      tell,
      deliver: ({ untilEmpty, onTried, signal }) =>
        deliver({
          onTried,
          signal,
          queue,
          service,
          lanes: LANES,
          reach: reachOf(settings.webhookNetworks),
          sender: WRITER.replace(' ', '/'),
          now,
          sleep,
          logger,
          onIdle: () => untilEmpty,
        }),
      keepWatch: async ({ readAccounts, signal, untilEmpty }) => {
        const opened = await openStore();
        const marksOf = (account_id: bigint) => readMarks(opened, account_id);
        for (;;) {
          await watch({ service, tell, readAccounts, logOf, marksOf, now, logger });
          if (untilEmpty) return;
          await sleep(LOOK_MS, signal).catch(() => undefined);
          if (signal.aborted) return;
        }
      },
      close: async () => {
        closing = true;
        await queue.close();
        await service.end();
      },
    };
  } catch (error) {
    closing = true;
    await service.end();
    throw error;
  }
}
