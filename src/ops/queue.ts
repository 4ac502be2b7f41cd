/**
 * The queue of builds, for any number of machines. A job contains only the account's id. The job's id is derived from
 * account and night, so that queueing a night is idempotent.
 */
import type { JobInsert } from 'pg-boss';
import { z } from 'zod';
import { jitterMs } from './jitter.ts';
import { nightJobId, rebuildJobId, rebuildJobIds, REBUILDS } from './job-id.ts';
import { type Attempt, type JobQueue, openJobQueue, type QueueOptions, queueUnready } from './job-queue.ts';
import type { Night } from './night.ts';
import { BUILD_QUEUE, BUILD_RULES, DEAD_QUEUE, DEAD_RULES, REBUILD_PRIORITY } from './queue-rules.ts';
import { forgetWaiting, forgiveLoss, giveBackAll, holdsPending } from './queue-statements.ts';
import type { Instant } from '../instant.ts';
import type { Failure } from '../failure.ts';

/** A build held by a worker. */
export interface TakenBuild extends Attempt {
  readonly account_id: bigint;
  /** The night of the build; null for a rebuild. */
  readonly night: string | null;
  /** The time at which the build was queued, by the database's clock. */
  readonly requested_at: Instant;
}

export interface NightRequest {
  readonly night: Night;
  readonly accounts: readonly bigint[];
  /** The maximum delay before an account's build starts. */
  readonly jitter_ms: number;
  /** Milliseconds since 1970. */
  readonly now_ms: number;
}

export interface BuildQueue extends Pick<JobQueue<TakenBuild>, 'beat' | 'close' | 'giveBack' | 'take'> {
  /** Queues the night for each account; returns the accounts for which it was not queued before. */
  enqueueNight(request: NightRequest): Promise<readonly bigint[]>;
  /**
   * Queues a rebuild of each account before all nights; returns the accounts of which a rebuild runs. It may have read the ledger
   * before this call, so one more follows it.
   */
  enqueueRebuild(accounts: readonly bigint[]): Promise<readonly bigint[]>;
  complete(build: TakenBuild, outcome: Readonly<Record<string, unknown>>): Promise<void>;
  /** Queues a retry, or moves the build to the dead-letter queue after the last attempt. */
  fail(build: TakenBuild, failure: Failure): Promise<void>;
  /** Releases every held build; call it only where no other worker can be running. */
  giveBackAll(): Promise<void>;
  /** True if any build is waiting, or held by a worker. */
  holdsPending(): Promise<boolean>;
  /** Releases builds whose worker has died; a queue opened with `supervise` does so by itself. */
  supervise(): Promise<void>;
}

/** Opens the queue and updates its rules. */
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
  /** Queues these rebuilds; returns the accounts of which this rebuild runs. */
  async function insertRebuilds(accounts: readonly bigint[], which: number): Promise<readonly bigint[]> {
    const inserted = await queue.insert(accounts.map((account) => rebuildJob(account, which)));
    return accounts.filter((account) => !inserted.has(rebuildJobId(account, which)));
  }

  return {
    ...queue,
    enqueueNight: async (request) => {
      const inserted = await queue.insert(nightJobs(request));
      return request.accounts.filter((account) => inserted.has(nightJobId(account, request.night.day)));
    },
    enqueueRebuild: async (accounts) => {
      await forgetWaiting(service, accounts.flatMap(rebuildJobIds));
      const running = await insertRebuilds(accounts, 1);
      let left = running;
      for (let which = 2; left.length > 0 && which <= REBUILDS; which += 1)
        left = await insertRebuilds(left, which);
      return running;
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
      // Under this queue's policy the key is not unique; it only records the night.
      singletonKey: night.day,
      // For a start in the past, omit the time: pg-boss would count the timeout of the job from it.
      ...(start_ms > now_ms ? { startAfter: new Date(start_ms).toISOString() } : {}),
    };
  });
}

function rebuildJob(account_id: bigint, which: number): JobInsert {
  return {
    id: rebuildJobId(account_id, which),
    data: payloadOf(account_id),
    priority: REBUILD_PRIORITY,
  };
}

// The id is exact as a JSON number: no manifest is written for an account with a larger id.
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

// The output that pg-boss stores for an attempt that it ended, because no heartbeat came.
const lost = z.object({ value: z.object({ message: z.literal('job heartbeat timeout') }) });

function explained(error: unknown): unknown {
  return error instanceof Error && error.message.startsWith('pg-boss')
    ? queueUnready(`The build queue is not there: ${error.message}.`, error)
    : error;
}
