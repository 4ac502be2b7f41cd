/** The queue of deliveries in pg-boss's schema `ops`, beside those of builds and webhooks. A job contains only an id. */
import type { ClientBase, Pool } from 'pg';
import type { Queue } from 'pg-boss';
import { countRows, db } from '../database/query.ts';
import { takenDelivery } from '../ops/delivery-job.ts';
import { type Attempt, type JobQueue, openJobQueue, queueUnready } from '../ops/job-queue.ts';
import { hasSqlState, SQLSTATE, takeSession } from '../postgres-errors.ts';
import { reopenRetracted } from './kept-records.ts';
import { insertDeliveries, type NewDelivery } from './records.ts';

export const DELIVERY_QUEUE = 'delivery';

const HEARTBEAT_SECONDS = 30;
/** An account whose store hangs leaves the other lanes of every worker to the other accounts. */
const OF_ONE_ACCOUNT = 2;

/** Retries come as those of webhooks do: 16 in about a day. */
const DELIVERY_RULES: Omit<Queue, 'name'> = {
  retryLimit: 16,
  retryDelay: 30,
  retryDelayMax: 4 * 3600,
  retryBackoff: true,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  // A slow store must not hold a lane for ever; the next attempt goes on where this one ended.
  expireInSeconds: 2 * 3600,
  deleteAfterSeconds: 7 * 86_400,
  retentionSeconds: 7 * 86_400,
};

/** A delivery held by a worker. */
export interface TakenDelivery extends Attempt {
  readonly isLastTry: boolean;
  readonly account_id: bigint;
  readonly delivery_id: bigint;
}

export interface DeliveryQueue extends Pick<
  JobQueue<TakenDelivery>,
  'beat' | 'close' | 'complete' | 'fail' | 'giveBack' | 'take'
> {
  /** Stores the deliveries that are not stored yet, and queues them, in one transaction; returns how many. */
  enqueue(deliveries: readonly NewDelivery[]): Promise<number>;
  /** Queues the deliveries of retracted snapshots to a target once more, so that a notice is left there; returns how many. */
  reopen(
    target: Pick<NewDelivery, 'account_id' | 'target_id'>,
    retracted: readonly string[],
  ): Promise<number>;
}

interface QueueOptions {
  /** Sessions as `cf_service`; their owner ends them after the queue is closed. */
  readonly service: Pool;
  readonly onError: (error: Error) => void;
}

/** Opens the queue and updates its rules. The build queue's supervision also releases deliveries of dead workers. */
export async function openDeliveryQueue({ service, onError }: QueueOptions): Promise<DeliveryQueue> {
  await requireDeliveries(service);
  const queue = await openJobQueue({
    service,
    supervise: false,
    onError,
    name: DELIVERY_QUEUE,
    rules: new Map([[DELIVERY_QUEUE, DELIVERY_RULES]]),
    job: takenDelivery,
    perGroup: OF_ONE_ACCOUNT,
    malformed: { code: 'job_malformed' },
  });
  /** Queues the deliveries that the step stores, in one transaction. */
  async function queueing(
    store: (session: ClientBase) => ReturnType<typeof insertDeliveries>,
  ): Promise<number> {
    using pooled = await takeSession(service);
    const session = pooled.client;
    try {
      await session.query('begin');
      const stored = await store(session);
      const jobs = stored.map(({ account_id, id: delivery_id, job_id }) => ({
        id: job_id,
        group: { id: String(account_id) },
        data: { account_id: String(account_id), delivery_id: String(delivery_id) },
      }));
      await queue.insert(jobs, session);
      await session.query('commit');
      return stored.length;
    } catch (error) {
      await pooled.rollback();
      throw error;
    }
  }

  return {
    ...queue,
    enqueue: (deliveries) => queueing((session) => insertDeliveries(session, deliveries)),
    reopen: (target, retracted) => queueing((session) => reopenRetracted(session, target, retracted)),
  };
}

/** Throws if the database lacks the migrations of this program. */
async function requireDeliveries(service: Pool): Promise<void> {
  const some = db.selectFrom('ops.snapshot_deliveries').select('id').limit(0);
  await countRows(service, some).catch((error: unknown) => {
    if (!hasSqlState(error, SQLSTATE.undefined_table)) throw error;
    throw queueUnready('The queue of deliveries is not there.', error);
  });
}
