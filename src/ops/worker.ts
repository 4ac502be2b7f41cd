/**
 * Takes builds and ranges of builds from their queues, sends heartbeats while they run, and settles them. When stopped, it
 * ends its jobs and releases them. If the queue has given a job to another worker, this worker ends it and does not settle it.
 */
import { isCrossfootError } from '../errors.ts';
import { type Failure, failureOf } from '../failure.ts';
import { errorFields, type LogFields } from '../log.ts';
import { beat } from './beat.ts';
import { type LaneOptions, workLanes } from './lanes.ts';
import type { Attempt, JobQueue } from './job-queue.ts';
import type { TakenBuild } from './queue.ts';
import type { TakenRange } from './range-queue.ts';

/** How long a lane without a job waits before it queries the queues again. */
const POLL_MS = 1_000;

/** A queue, and what a worker does with each of its jobs. */
export interface Work<Job extends Attempt> {
  readonly queue: Pick<JobQueue<Job>, 'beat' | 'complete' | 'fail' | 'giveBack' | 'take'>;
  /** Returns the outcome for the queue. */
  readonly run: (job: Job, signal: AbortSignal) => Promise<Readonly<Record<string, unknown>>>;
}

export interface WorkOptions extends LaneOptions, Work<TakenBuild> {
  /** Ranges that other builds offer; if omitted, this worker takes none. */
  readonly ranges?: Work<TakenRange>;
  /** How many builds and ranges run at the same time. */
  readonly concurrency: number;
}

/** Works until stopped, or until `onIdle` has ended each lane. A failed job does not reject. */
export async function workQueue(options: WorkOptions): Promise<void> {
  const { concurrency: lanes } = options;
  const take = async () => (await takeRange(options)) ?? (await takeBuild(options));
  await workLanes({ queue: { take }, lanes, poll_ms: POLL_MS, run: (job) => job() }, options);
}

/** Runs and settles a taken job. */
type Handle = () => Promise<void>;

/** A build waits for its ranges with an open transaction, so they come before other builds. */
async function takeRange({ ranges, ...options }: WorkOptions): Promise<Handle | null> {
  const taken = (await ranges?.queue.take()) ?? null;
  if (ranges === undefined || taken === null) return null;
  const { account_id, table } = taken.range;
  return () => handle(taken, ranges, { account: BigInt(account_id), table }, options);
}

async function takeBuild(options: WorkOptions): Promise<Handle | null> {
  const build = await options.queue.take();
  if (build === null) return null;
  const { account_id, night } = build;
  return () => handle(build, options, { account: account_id, night: night ?? undefined }, options);
}

async function handle<Job extends Attempt>(
  job: Job,
  { queue, run }: Work<Job>,
  fields: LogFields,
  options: LaneOptions,
): Promise<void> {
  const { signal } = options;
  const { retryCount } = job;
  const logger = options.logger.with({
    ...fields,
    attempt: retryCount + 1,
  });
  const lost = new AbortController();
  const ended = new AbortController();
  const beating = beat(job, { ...options, queue, logger, lost, ended });
  try {
    logger.info('job.taken');
    const outcome = await run(job, AbortSignal.any([signal, lost.signal]));
    await queue.complete(job, outcome);
    logger.info('job.completed', { step: String(outcome['outcome']) });
  } catch (error) {
    if (lost.signal.aborted) {
      logger.warn('job.lost');
    } else if (signal.aborted) {
      await queue.giveBack(job);
      logger.info('job.returned');
    } else {
      await queue.fail(job, storedFailure(error));
      logger.error('job.failed', errorFields(error));
    }
  } finally {
    ended.abort();
    await beating;
  }
}

function storedFailure(error: unknown): Failure {
  if (isCrossfootError(error)) return failureOf(error);
  const { error: classes } = errorFields(error);
  return {
    code: 'unforeseen',
    message: `Unexpected error (${classes}); the worker's log has the details.`,
    hint: null,
  };
}
