/**
 * The queue of deliveries in pg-boss's schema `ops`, beside the queue of builds. A job contains only the id of a delivery,
 * and is queued in the transaction that stores the event.
 */
import { sql } from 'kysely';
import type { ClientBase, Pool } from 'pg';
import type { Queue } from 'pg-boss';
import { countRows, db } from '../database/query.ts';
import { hasSqlState, SQLSTATE } from '../postgres-errors.ts';
import { takenDelivery } from '../ops/delivery-job.ts';
import { type Attempt, type JobQueue, openJobQueue, queueUnready } from '../ops/job-queue.ts';
import type { NewDelivery } from './records.ts';

export const WEBHOOK_QUEUE = 'webhook';

/**
 * The first retry comes after 5 to 10 seconds: a delay of 5 seconds and up to as much jitter. Both double with each retry, up
 * to four hours. So there are 16 retries in about a day.
 */
const WEBHOOK_RULES: Omit<Queue, 'name'> = {
  retryLimit: 16,
  retryDelay: 5,
  retryDelayMax: 4 * 3600,
  retryBackoff: true,
  // The timeout of a receiver is ten seconds: a worker that holds a delivery for longer has died.
  expireInSeconds: 60,
  deleteAfterSeconds: 7 * 86_400,
  retentionSeconds: 7 * 86_400,
};

/** The maximum delay that a receiver's `Retry-After` can ask for. */
const MAX_POSTPONED_SECONDS = 4 * 3600;

/** A delivery held by a worker. */
export interface TakenDelivery extends Attempt {
  readonly isLastTry: boolean;
  readonly account_id: bigint;
  readonly delivery_id: bigint;
}

export interface WebhookQueue extends Pick<JobQueue<TakenDelivery>, 'close' | 'giveBack' | 'take'> {
  /** Queues deliveries in the transaction of this session. */
  enqueue(session: ClientBase, deliveries: readonly NewDelivery[]): Promise<void>;
  complete(delivery: TakenDelivery): Promise<void>;
  /** Queues a retry; not before `postponed_s` seconds if the receiver asked for that. */
  fail(delivery: TakenDelivery, reason: string, postponed_s: number | null): Promise<void>;
}

interface QueueOptions {
  /** Sessions as `cf_service`; their owner ends them after the queue is closed. */
  readonly service: Pool;
  readonly onError: (error: Error) => void;
}

/** Opens the queue and updates its rules. The build queue's supervision also releases deliveries of dead workers. */
export async function openWebhookQueue({ service, onError }: QueueOptions): Promise<WebhookQueue> {
  await requireDeliveries(service);
  const queue = await openJobQueue({
    service,
    supervise: false,
    onError,
    name: WEBHOOK_QUEUE,
    rules: new Map([[WEBHOOK_QUEUE, WEBHOOK_RULES]]),
    job: takenDelivery,
    malformed: { code: 'job_malformed' },
  });
  return {
    ...queue,
    async enqueue(session, deliveries) {
      const jobs = deliveries.map(({ account_id, id, job_id }) => ({
        id: job_id,
        data: { account_id: String(account_id), delivery_id: String(id) },
      }));
      await queue.insert(jobs, session);
    },
    async fail(delivery, reason, postponed_s) {
      await queue.fail(delivery, { code: reason });
      if (postponed_s === null) return;
      const after_s = Math.min(postponed_s, MAX_POSTPONED_SECONDS);
      const postponed = db
        .updateTable('ops.job')
        .set((eb) => ({
          start_after: sql`greatest(${eb.ref('start_after')}, now() + ${after_s}::integer * interval '1 second')`,
        }))
        .where('name', '=', WEBHOOK_QUEUE)
        .where('id', '=', delivery.id)
        .where('state', '=', 'retry');
      await countRows(service, postponed);
    },
  };
}

/** Throws if the database lacks the migrations of this program. */
async function requireDeliveries(service: Pool): Promise<void> {
  await countRows(service, db.selectFrom('ops.deliveries').select('id').limit(0)).catch((error: unknown) => {
    if (!hasSqlState(error, SQLSTATE.undefined_table)) throw error;
    throw queueUnready('The queue of deliveries is not there.', error);
  });
}
