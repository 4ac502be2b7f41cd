/**
 * The queue of builds, on any number of machines. A queued build holds its account's id and nothing else; the id of the job is made of account and night, so
 * that queueing a night twice is the same as once.
 */
import type { JobInsert } from 'pg-boss';
import { z } from 'zod';
import { jitterMs } from './jitter.ts';
import { nightJobId, rebuildJobId } from './job-id.ts';
import { type Attempt, attemptOf, type JobQueue, openJobQueue, queueUnready } from './job-queue.ts';
import type { Night } from './night.ts';
import { BUILD_QUEUE, BUILD_RULES, DEAD_QUEUE, DEAD_RULES, REBUILD_PRIORITY } from './queue-rules.ts';
import { forgetWaiting, forgiveLoss, giveBackAll, holdsPending } from './queue-statements.ts';

/** A build that a worker holds. */
export interface TakenBuild extends Attempt {
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
  /** The facts behind the message, of an error of the catalogue. */
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface NightRequest {
  readonly night: Night;
  readonly accounts: readonly bigint[];
  /** The bound of each account's jitter. */
  readonly jitter_ms: number;
  /** Milliseconds since 1970. */
  readonly now_ms: number;
}

export interface BuildQueue extends Pick<JobQueue<TakenBuild>, 'close' | 'giveBack' | 'take'> {
  /** Queues the night for each account and gives those that it was not queued for before. */
  enqueueNight(request: NightRequest): Promise<readonly bigint[]>;
  /** Queues a build of each account before all nights; gives the accounts that are being rebuilt right now instead. */
  enqueueRebuild(accounts: readonly bigint[]): Promise<readonly bigint[]>;
  /** Says that the build goes on; false once it is no longer the caller's. */
  beat(build: TakenBuild): Promise<boolean>;
  complete(build: TakenBuild, outcome: Readonly<Record<string, unknown>>): Promise<void>;
  /** To be tried again later, or to the dead letters if this was the last try. */
  fail(build: TakenBuild, failure: BuildFailure): Promise<void>;
  /** Gives back every build that is held: only where no worker but the caller can be running. */
  giveBackAll(): Promise<void>;
  /** True while any build is waiting or held. */
  holdsPending(): Promise<boolean>;
  /** Looks after builds whose worker is gone; a queue opened to supervise does so by itself. */
  supervise(): Promise<void>;
}

type QueueOptions = Pick<Parameters<typeof openJobQueue>[0], 'onError' | 'service' | 'supervise'>;

/** Opens the queue and brings its rules up to date. */
export async function openBuildQueue({ service, supervise, onError }: QueueOptions): Promise<BuildQueue> {
  const queue = await openJobQueue({
    service,
    supervise,
    onError,
    name: BUILD_QUEUE,
    rules: new Map([
      [DEAD_QUEUE, DEAD_RULES],
      [BUILD_QUEUE, BUILD_RULES],
    ]),
    job: takenBuild,
    malformed: MALFORMED,
    onTake: async ({ id, output }) => {
      if (lost.safeParse(output).success) await forgiveLoss(service, id);
    },
  }).catch((error: unknown) => Promise.reject(explained(error)));
  return {
    ...queue,
    enqueueNight: async (request) => {
      const inserted = await queue.insert(nightJobs(request));
      return request.accounts.filter((account) => inserted.has(nightJobId(account, request.night.day)));
    },
    enqueueRebuild: async (accounts) => {
      await forgetWaiting(service, accounts.map(rebuildJobId));
      const inserted = await queue.insert(accounts.map(rebuildJob));
      return accounts.filter((account) => !inserted.has(rebuildJobId(account)));
    },
    beat: async (build) => {
      const { affected } = touched.parse(await queue.boss.touch(BUILD_QUEUE, attemptOf(build)));
      return affected === 1;
    },
    giveBackAll: () => giveBackAll(service),
    holdsPending: () => holdsPending(service),
    supervise: () => queue.boss.supervise(),
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

const takenBuild = z
  .object({
    id: z.string(),
    retryCount: z.int(),
    createdOn: z.bigint(),
    data: z.strictObject({ account_id: z.int().min(1).transform(BigInt) }),
    singletonKey: z
      .string()
      .regex(/^\d{4}-\d\d-\d\d$/)
      .nullable(),
  })
  .transform(({ id, retryCount, data: { account_id }, singletonKey: night, createdOn: requested_at }) => ({
    id,
    retryCount,
    account_id,
    night,
    requested_at,
  }));

const MALFORMED = {
  code: 'job_malformed',
  message: 'A queued build holds something other than the id of an account.',
  hint: null,
};

// What pg-boss answers and does not say in its types.
const touched = z.object({ affected: z.int() });

// What pg-boss writes of a try that it ended itself: no beat came any more.
const lost = z.object({ value: z.object({ message: z.literal('job heartbeat timeout') }) });

function explained(error: unknown): unknown {
  return error instanceof Error && error.message.startsWith('pg-boss')
    ? queueUnready(`The build queue is not there: ${error.message}.`, error)
    : error;
}
