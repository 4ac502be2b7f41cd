/** A queue of pg-boss in schema `ops`, worked as a role that may not create anything. */
import type { ClientBase, Pool } from 'pg';
import { type JobInsert, type JobWithMetadata, PgBoss, type Queue } from 'pg-boss';
import type { z } from 'zod';
import { CrossfootError } from '../errors.ts';
import { INSERT_BATCH, QUEUE_SCHEMA, SUPERVISE_SECONDS } from './queue-rules.ts';
import { giveBack } from './queue-statements.ts';

/** One try of a job: whoever lost the job cannot settle it for its new holder. */
export interface Attempt {
  readonly id: string;
  /** 0 for the first try. */
  readonly retryCount: number;
}

export interface JobQueue<Job extends Attempt> {
  readonly boss: PgBoss;
  /** Queues the jobs and gives the ids of those that were not queued before; in the transaction of a session, if given. */
  readonly insert: (jobs: readonly JobInsert[], session?: ClientBase) => Promise<ReadonlySet<string>>;
  /** The next job that is due, now held by the caller; null when there is none. */
  take(): Promise<Job | null>;
  complete(job: Job, outcome?: object): Promise<void>;
  /** To be tried again later, or to the dead letters if this was the last try. */
  fail(job: Job, failure: object): Promise<void>;
  /** For another worker to take at once, as if it had not been taken. */
  giveBack(job: Job): Promise<void>;
  close(): Promise<void>;
}

interface JobQueueOptions<Job extends Attempt> {
  /** Sessions as `cf_service`; their owner ends them after the queue is closed. */
  readonly service: Pool;
  /** True for whoever works the queue. */
  readonly supervise: boolean;
  readonly onError: (error: Error) => void;
  readonly name: string;
  /** The rules of the queue, and of any queue that it names as its dead letters. */
  readonly rules: ReadonlyMap<string, Omit<Queue, 'name'>>;
  /** Reads a job as pg-boss gives it. */
  readonly job: z.ZodType<Job>;
  /** How a job fails that cannot be read. */
  readonly malformed: object;
  /** Called with each job before it is read. */
  readonly onTake?: (job: JobWithMetadata<unknown>) => Promise<void>;
}

/** Opens the queue and brings its rules up to date; rejects with pg-boss's own error if its tables are not there. */
export async function openJobQueue<Job extends Attempt>({
  service,
  supervise,
  onError,
  name,
  rules,
  job,
  malformed,
  onTake,
}: JobQueueOptions<Job>): Promise<JobQueue<Job>> {
  const boss = new PgBoss({
    db: sqlOn(service),
    schema: QUEUE_SCHEMA,
    // Both need an owner's rights: the tables come with the migrations, and autovacuum is enough for their indexes.
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
    // A queue that was there keeps the rules of the program that made it.
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
      for (;;) {
        const [fetched] = await boss.fetch<unknown>(name, { includeMetadata: true });
        if (fetched === undefined) return null;
        await onTake?.(fetched);
        const read = job.safeParse(fetched);
        if (read.success) return read.data;
        await boss.fail(name, fetched, malformed);
      }
    },
    complete: async (held, outcome) => void (await boss.complete(name, attemptOf(held), outcome)),
    fail: async (held, failure) => void (await boss.fail(name, attemptOf(held), failure)),
    giveBack: (held) => giveBack(service, held, name),
    close: () => boss.stop({ graceful: false }),
  };
}

/** What pg-boss settles a job by. */
export function attemptOf({ id, retryCount }: Attempt): Attempt {
  return { id, retryCount };
}

/** The error of a queue whose tables are not there. */
export function queueUnready(message: string, cause: unknown): CrossfootError {
  return new CrossfootError('queue_unready', message, {
    hint: 'Bring the database to the schema of this program: crossfoot migrate.',
    cause,
  });
}

function sqlOn(session: ClientBase | Pool) {
  return { executeSql: (text: string, values?: unknown[]) => session.query(text, values) };
}
