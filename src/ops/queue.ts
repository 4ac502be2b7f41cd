/**
 * The queue of builds, on any number of machines: pg-boss in schema `ops`, worked as a role that may not create
 * anything. A queued build holds its account's id and nothing else; the id of the job is made of account and night, so
 * that queueing a night twice is the same as once.
 */
import type { Pool } from 'pg';
import { type JobInsert, PgBoss } from 'pg-boss';
import { z } from 'zod';
import { CrossfootError } from '../errors.ts';
import { jitterMs } from './jitter.ts';
import { nightJobId, rebuildJobId } from './job-id.ts';
import type { Night } from './night.ts';
import {
  BUILD_QUEUE,
  BUILD_RULES,
  DEAD_QUEUE,
  DEAD_RULES,
  INSERT_BATCH,
  QUEUE_SCHEMA,
  REBUILD_PRIORITY,
  SUPERVISE_SECONDS,
} from './queue-rules.ts';
import { forgetWaiting, forgiveLoss, giveBack, giveBackAll, holdsPending } from './queue-statements.ts';

/** A build that a worker holds. */
export interface TakenBuild {
  readonly id: string;
  /** 0 for the first try; with the id it tells this try from any other. */
  readonly retryCount: number;
  readonly account_id: bigint;
  /** The night it is for; null for a rebuild that somebody asked for. */
  readonly night: string | null;
  /** When it was queued by the database's clock, in microseconds since 1970. */
  readonly requested_at: bigint;
}

/** How a try failed, as the queue keeps it. */
export interface BuildFailure {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

export interface NightRequest {
  readonly night: Night;
  readonly accounts: readonly bigint[];
  /** The bound of each account's jitter. */
  readonly jitter_ms: number;
  /** Milliseconds since 1970. */
  readonly now_ms: number;
}

export interface BuildQueue {
  /** Queues the night for each account and gives those that it was not queued for before. */
  enqueueNight(request: NightRequest): Promise<readonly bigint[]>;
  /** Queues a build of each account before all nights; gives the accounts that are being rebuilt right now instead. */
  enqueueRebuild(accounts: readonly bigint[]): Promise<readonly bigint[]>;
  /** The next build that is due, now held by the caller; null when there is none. */
  take(): Promise<TakenBuild | null>;
  /** Says that the build goes on; false once it is no longer the caller's. */
  beat(build: TakenBuild): Promise<boolean>;
  complete(build: TakenBuild, outcome: Readonly<Record<string, unknown>>): Promise<void>;
  /** To be tried again later, or to the dead letters if this was the last try. */
  fail(build: TakenBuild, failure: BuildFailure): Promise<void>;
  /** For another worker to take at once, as if it had not been taken. */
  giveBack(build: TakenBuild): Promise<void>;
  /** The same for every build that is held: only where no worker but the caller can be running. */
  giveBackAll(): Promise<void>;
  /** True while any build is waiting or held. */
  holdsPending(): Promise<boolean>;
  /** Looks after builds whose worker is gone; a queue opened to supervise does so by itself. */
  supervise(): Promise<void>;
  close(): Promise<void>;
}

interface QueueOptions {
  /** Sessions as `cf_service`; their owner ends them after the queue is closed. */
  readonly service: Pool;
  /** True for whoever works the queue. */
  readonly supervise: boolean;
  readonly onError: (error: Error) => void;
}

/** Opens the queue and brings its rules up to date. */
export async function openBuildQueue({ service, supervise, onError }: QueueOptions): Promise<BuildQueue> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => service.query(text, values) },
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
    await boss.createQueue(DEAD_QUEUE, DEAD_RULES);
    await boss.createQueue(BUILD_QUEUE, BUILD_RULES);
    // A queue that was there keeps the rules of the program that made it.
    await boss.updateQueue(DEAD_QUEUE, DEAD_RULES);
    await boss.updateQueue(BUILD_QUEUE, BUILD_RULES);
  } catch (error) {
    await boss.stop({ graceful: false });
    throw explained(error);
  }
  const insert = async (jobs: readonly JobInsert[]): Promise<ReadonlySet<string>> => {
    const inserted = new Set<string>();
    for (let first = 0; first < jobs.length; first += INSERT_BATCH) {
      const batch = jobs.slice(first, first + INSERT_BATCH);
      for (const id of (await boss.insert(BUILD_QUEUE, batch, { returnId: true })) ?? []) inserted.add(id);
    }
    return inserted;
  };
  return {
    enqueueNight: async (request) => {
      const inserted = await insert(nightJobs(request));
      return request.accounts.filter((account) => inserted.has(nightJobId(account, request.night.day)));
    },
    enqueueRebuild: async (accounts) => {
      await forgetWaiting(service, accounts.map(rebuildJobId));
      const inserted = await insert(accounts.map(rebuildJob));
      return accounts.filter((account) => !inserted.has(rebuildJobId(account)));
    },
    take: () => take(boss, (id) => forgiveLoss(service, id)),
    beat: async (build) => touched.parse(await boss.touch(BUILD_QUEUE, attemptOf(build))).affected === 1,
    complete: async (build, outcome) => void (await boss.complete(BUILD_QUEUE, attemptOf(build), outcome)),
    fail: async (build, failure) => void (await boss.fail(BUILD_QUEUE, attemptOf(build), failure)),
    giveBack: (build) => giveBack(service, build),
    giveBackAll: () => giveBackAll(service),
    holdsPending: () => holdsPending(service),
    supervise: () => boss.supervise(),
    close: () => boss.stop({ graceful: false }),
  };
}

function nightJobs({ night, accounts, jitter_ms, now_ms }: NightRequest): readonly JobInsert[] {
  return accounts.map((account_id) => {
    const start_ms = night.due_ms + jitterMs(account_id, jitter_ms);
    return {
      id: nightJobId(account_id, night.day),
      data: payloadOf(account_id),
      // Not unique by itself in a queue of this policy: it only says which night the build is for.
      singletonKey: night.day,
      // A missed night begins at once; a start long ago would also be an end long ago.
      ...(start_ms > now_ms ? { startAfter: new Date(start_ms).toISOString() } : {}),
    };
  });
}

function rebuildJob(account_id: bigint): JobInsert {
  return { id: rebuildJobId(account_id), data: payloadOf(account_id), priority: REBUILD_PRIORITY };
}

// An account's id is exact as a JSON number: its manifest refuses one that is not.
function payloadOf(account_id: bigint): { account_id: number } {
  return { account_id: Number(account_id) };
}

const job = z.object({
  id: z.string(),
  retryCount: z.int(),
  createdOn: z.bigint(),
  data: z.strictObject({ account_id: z.int().min(1) }),
  singletonKey: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/)
    .nullable(),
});

// What pg-boss answers and does not say in its types.
const touched = z.object({ affected: z.int() });

// What pg-boss writes of a try that it ended itself: no beat came any more.
const lost = z.object({ value: z.object({ message: z.literal('job heartbeat timeout') }) });

async function take(boss: PgBoss, forgive: (id: string) => Promise<void>): Promise<TakenBuild | null> {
  for (;;) {
    const [fetched] = await boss.fetch<unknown>(BUILD_QUEUE, { includeMetadata: true });
    if (fetched === undefined) return null;
    if (lost.safeParse(fetched.output).success) await forgive(fetched.id);
    const read = job.safeParse(fetched);
    if (read.success) {
      const { id, retryCount, data, singletonKey, createdOn } = read.data;
      return {
        id,
        retryCount,
        account_id: BigInt(data.account_id),
        night: singletonKey,
        requested_at: createdOn,
      };
    }
    const message = 'A queued build holds something other than the id of an account.';
    await boss.fail(BUILD_QUEUE, fetched, { code: 'job_malformed', message, hint: null });
  }
}

/** What pg-boss settles a job by: with the try, so that whoever lost a build cannot settle it for its new holder. */
function attemptOf({ id, retryCount }: TakenBuild): { id: string; retryCount: number } {
  return { id, retryCount };
}

function explained(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.startsWith('pg-boss')) return error;
  return new CrossfootError('queue_unready', `The build queue is not there: ${error.message}.`, {
    hint: 'Bring the database to the schema of this program: crossfoot migrate.',
    cause: error,
  });
}
