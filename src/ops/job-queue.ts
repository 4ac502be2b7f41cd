/** A queue of pg-boss in schema `ops`, opened by a role that cannot create tables. Builds and webhooks use it. */
import type { ClientBase, Pool } from 'pg';
import { type JobInsert, type JobWithMetadata, PgBoss, type Queue } from 'pg-boss';
import { z } from 'zod';
import { CrossfootError } from '../errors.ts';
import { INSERT_BATCH, QUEUE_SCHEMA, SUPERVISE_SECONDS } from './queue-rules.ts';
import { giveBack } from './queue-statements.ts';

/** One attempt of a job. The number of the attempt keeps a worker that lost the job from settling the next attempt. */
export interface Attempt {
  readonly id: string;
  /** 0 for the first attempt. */
  readonly retryCount: number;
}

export interface JobQueue<Job extends Attempt> {
  readonly boss: PgBoss;
  /** Queues the jobs, in the session's transaction if given; returns the ids of those not queued before. */
  readonly insert: (jobs: readonly JobInsert[], session?: ClientBase) => Promise<ReadonlySet<string>>;
  /** Takes the next due job; null if there is none. */
  take(): Promise<Job | null>;
  /** Sends a heartbeat; false if the queue has released the job or given it to another worker. */
  beat(job: Job): Promise<boolean>;
  complete(job: Job, outcome?: object): Promise<void>;
  /** Queues a retry, or moves the job to the dead-letter queue after the last attempt. */
  fail(job: Job, failure: object): Promise<void>;
  /** Releases the job for another worker; the attempt does not count. */
  giveBack(job: Job): Promise<void>;
  close(): Promise<void>;
}

interface JobQueueOptions<Job extends Attempt> {
  /** Sessions as `cf_service`; their owner ends them after the queue is closed. */
  readonly service: Pool;
  /** True for workers, which supervise the queue. */
  readonly supervise: boolean;
  readonly onError: (error: Error) => void;
  readonly name: string;
  /** The rules of the queue, and of its dead-letter queue if it has one. */
  readonly rules: ReadonlyMap<string, Omit<Queue, 'name'>>;
  /** The shape of a job in pg-boss. */
  readonly job: z.ZodType<Job>;
  /** The failure recorded for a job of another shape. */
  readonly malformed: object;
  /** How many jobs of one group run at the same time, over all workers; any number if omitted. */
  readonly perGroup?: number;
  /** Called with each job before it is parsed. */
  readonly onTake?: (job: JobWithMetadata<unknown>) => Promise<void>;
}

/** What the caller of a queue chooses. */
export type QueueOptions = Pick<JobQueueOptions<Attempt>, 'onError' | 'service' | 'supervise'>;

/** Opens the queue and updates its rules; rejects with pg-boss's error if its tables do not exist. */
export async function openJobQueue<Job extends Attempt>({
  service,
  supervise,
  onError,
  name,
  rules,
  job,
  malformed,
  perGroup,
  onTake,
}: JobQueueOptions<Job>): Promise<JobQueue<Job>> {
  const boss = new PgBoss({
    db: sqlOn(service),
    schema: QUEUE_SCHEMA,
    // `migrate` and `reindex` would need an owner's rights. Our migrations create the tables; autovacuum maintains them.
    migrate: false,
    reindex: false,
    monitorVacuum: false,
    schedule: false,
    supervise,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  boss.on('error', onError);
  try {
    await boss.start();
    for (const [queue, rule] of rules) await boss.createQueue(queue, rule);
    // An existing queue has the rules of the program version that created it.
    for (const [queue, rule] of rules) await boss.updateQueue(queue, rule);
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
  return {
    boss,
    async insert(jobs, session) {
      const options = { returnId: true, ...(session === undefined ? {} : { db: sqlOn(session) }) };
      const inserted = new Set<string>();
      for (let first = 0; first < jobs.length; first += INSERT_BATCH) {
        const batch = jobs.slice(first, first + INSERT_BATCH);
        for (const id of (await boss.insert(name, batch, options)) ?? []) inserted.add(id);
      }
      return inserted;
    },
    async take() {
      const limit = perGroup === undefined ? {} : { groupConcurrency: perGroup };
      for (;;) {
        const [fetched] = await boss.fetch<unknown>(name, { includeMetadata: true, ...limit });
        if (fetched === undefined) return null;
        await onTake?.(fetched);
        const read = job.safeParse(fetched);
        if (read.success) return read.data;
        await boss.fail(name, fetched, malformed);
      }
    },
    beat: async (held) => touched.parse(await boss.touch(name, attemptOf(held))).affected === 1,
    complete: async (held, outcome) => void (await boss.complete(name, attemptOf(held), outcome)),
    fail: async (held, failure) => void (await boss.fail(name, attemptOf(held), failure)),
    giveBack: (held) => giveBack(service, held, name),
    close: () => boss.stop({ graceful: false }),
  };
}

// Part of pg-boss's result that its types omit.
const touched = z.object({ affected: z.int() });

/** The fields by which pg-boss settles a job. */
function attemptOf({ id, retryCount }: Attempt): Attempt {
  return { id, retryCount };
}

/** The error of a queue whose tables do not exist. */
export function queueUnready(message: string, cause: unknown): CrossfootError {
  return new CrossfootError('queue_unready', message, {
    hint: 'Bring the database to the schema of this program: npx --no crossfoot migrate.',
    cause,
  });
}

function sqlOn(session: ClientBase | Pool) {
  return { executeSql: (text: string, values?: unknown[]) => session.query(text, values) };
}
