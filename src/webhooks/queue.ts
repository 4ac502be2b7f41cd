/**
 * The queue of deliveries: one more of pg-boss in schema `ops`, beside that of the builds. A job holds the number of a
 * delivery and nothing else, and is queued in the transaction that keeps the event.
 */
import { type ClientBase, DatabaseError, type Pool } from 'pg';
import { PgBoss, type Queue } from 'pg-boss';
import { z } from 'zod';
import { CrossfootError } from '../errors.ts';
import { INSERT_BATCH, QUEUE_SCHEMA } from '../ops/queue-rules.ts';
import { giveBack } from '../ops/queue-statements.ts';
import type { NewDelivery } from './records.ts';

export const WEBHOOK_QUEUE = 'webhook';
const UNDEFINED_TABLE = '42P01';

/**
 * Attempt again after 5 to 10 seconds, twice as long each time with as much chance, and in the end every four hours:
 * sixteen times in a day.
 */
const WEBHOOK_RULES: Omit<Queue, 'name'> = {
  retryLimit: 16,
  retryDelay: 5,
  retryDelayMax: 4 * 3600,
  retryBackoff: true,
  // A receiver has ten seconds: whoever holds a delivery for longer is gone.
  expireInSeconds: 60,
  deleteAfterSeconds: 7 * 86_400,
  retentionSeconds: 7 * 86_400,
};

/** A receiver that asks to be left alone is not left alone for longer. */
const MAX_POSTPONED_SECONDS = 4 * 3600;

/** A delivery that a worker holds. */
export interface TakenDelivery {
  readonly job_id: string;
  /** 0 for the first try. */
  readonly retryCount: number;
  readonly isLastTry: boolean;
  readonly account_id: bigint;
  readonly delivery_id: bigint;
}

export interface WebhookQueue {
  /** Queues deliveries in the transaction of this session. */
  enqueue(session: ClientBase, deliveries: readonly NewDelivery[]): Promise<void>;
  /** The next delivery that is due, now held by the caller; null when there is none. */
  take(): Promise<TakenDelivery | null>;
  complete(delivery: TakenDelivery): Promise<void>;
  /** To be tried again later; not before so many seconds, if the receiver asked for that. */
  fail(delivery: TakenDelivery, reason: string, postponed_s: number | null): Promise<void>;
  /** For another worker to take at once, as if it had not been taken. */
  giveBack(delivery: TakenDelivery): Promise<void>;
  close(): Promise<void>;
}

interface QueueOptions {
  /** Sessions as `cf_service`; their owner ends them after the queue is closed. */
  readonly service: Pool;
  readonly onError: (error: Error) => void;
}

/** Opens the queue and brings its rules up to date; what was lost with a worker, the queue of builds looks after. */
export async function openWebhookQueue({ service, onError }: QueueOptions): Promise<WebhookQueue> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => service.query(text, values) },
    schema: QUEUE_SCHEMA,
    migrate: false,
    reindex: false,
    monitorVacuum: false,
    schedule: false,
    supervise: false,
  });
  boss.on('error', onError);
  try {
    await service.query(THERE);
    await boss.start();
    await boss.createQueue(WEBHOOK_QUEUE, WEBHOOK_RULES);
    // A queue that was there keeps the rules of the program that made it.
    await boss.updateQueue(WEBHOOK_QUEUE, WEBHOOK_RULES);
  } catch (error) {
    await boss.stop({ graceful: false });
    if (error instanceof DatabaseError && error.code === UNDEFINED_TABLE) throw unready(error);
    throw error;
  }
  return {
    async enqueue(session, deliveries) {
      const db = { executeSql: (text: string, values?: unknown[]) => session.query(text, values) };
      for (let first = 0; first < deliveries.length; first += INSERT_BATCH) {
        const jobs = deliveries.slice(first, first + INSERT_BATCH).map(({ account_id, id, job_id }) => ({
          id: job_id,
          data: { account_id: String(account_id), delivery_id: String(id) },
        }));
        await boss.insert(WEBHOOK_QUEUE, jobs, { db });
      }
    },
    take: () => take(boss),
    complete: async (delivery) => void (await boss.complete(WEBHOOK_QUEUE, attemptOf(delivery))),
    async fail(delivery, reason, postponed_s) {
      await boss.fail(WEBHOOK_QUEUE, attemptOf(delivery), { code: reason });
      if (postponed_s === null) return;
      await service.query(POSTPONE, [
        WEBHOOK_QUEUE,
        delivery.job_id,
        Math.min(postponed_s, MAX_POSTPONED_SECONDS),
      ]);
    },
    giveBack: (delivery) => giveBack(service, attemptOf(delivery), WEBHOOK_QUEUE),
    close: () => boss.stop({ graceful: false }),
  };
}

const id = z
  .string()
  .regex(/^[1-9]\d{0,18}$/)
  .transform(BigInt);
const job = z.object({
  id: z.string(),
  retryCount: z.int(),
  retryLimit: z.int(),
  data: z.strictObject({ account_id: id, delivery_id: id }),
});

async function take(boss: PgBoss): Promise<TakenDelivery | null> {
  for (;;) {
    const [fetched] = await boss.fetch<unknown>(WEBHOOK_QUEUE, { includeMetadata: true });
    if (fetched === undefined) return null;
    const read = job.safeParse(fetched);
    if (read.success) {
      const { id: job_id, retryCount, retryLimit, data } = read.data;
      return { job_id, retryCount, isLastTry: retryCount >= retryLimit, ...data };
    }
    await boss.fail(WEBHOOK_QUEUE, fetched, { code: 'job_malformed' });
  }
}

function unready(cause: unknown): CrossfootError {
  return new CrossfootError('queue_unready', 'The queue of deliveries is not there.', {
    hint: 'Bring the database to the schema of this program: crossfoot migrate.',
    cause,
  });
}

/** With the try, so that whoever lost a delivery cannot settle it for its new holder. */
function attemptOf({ job_id, retryCount }: TakenDelivery): { id: string; retryCount: number } {
  return { id: job_id, retryCount };
}

// Fails on a database that was not migrated since this program was installed.
const THERE = 'select id from ops.deliveries limit 0';

const POSTPONE = `
  update ops.job set start_after = greatest(start_after, now() + $3::integer * interval '1 second')
  where name = $1 and id = $2 and state = 'retry'`;
