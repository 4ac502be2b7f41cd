/**
 * Takes builds from the queue, sends heartbeats while they run, and settles them. When stopped, it ends its builds and
 * releases them. If the queue has given a build to another worker, this worker ends the build and does not settle it.
 */
import { isCrossfootError } from '../errors.ts';
import { type Failure, failureOf } from '../failure.ts';
import { errorFields } from '../log.ts';
import { beat } from './beat.ts';
import { type LaneOptions, workLanes } from './lanes.ts';
import type { BuildQueue, TakenBuild } from './queue.ts';

/** How long a lane without a build waits before it queries the queue again. */
const POLL_MS = 1_000;

export interface WorkOptions extends LaneOptions {
  readonly queue: BuildQueue;
  /** How many builds run at the same time. */
  readonly concurrency: number;
  /** Builds the account; returns the outcome for the queue. */
  readonly run: (build: TakenBuild, signal: AbortSignal) => Promise<Readonly<Record<string, unknown>>>;
}

/** Works until stopped, or until `onIdle` has ended each lane. A failed build does not reject. */
export async function workQueue(options: WorkOptions): Promise<void> {
  const { queue, concurrency: lanes } = options;
  await workLanes({ queue, lanes, poll_ms: POLL_MS, run: (build) => handle(build, options) }, options);
}

async function handle(build: TakenBuild, options: WorkOptions): Promise<void> {
  const { queue, run, signal } = options;
  const { account_id, retryCount, night } = build;
  const logger = options.logger.with({
    account: account_id,
    attempt: retryCount + 1,
    night: night ?? undefined,
  });
  const lost = new AbortController();
  const ended = new AbortController();
  const beating = beat(build, { ...options, logger, lost, ended });
  try {
    logger.info('job.taken');
    const outcome = await run(build, AbortSignal.any([signal, lost.signal]));
    await queue.complete(build, outcome);
    logger.info('job.completed', { step: String(outcome['outcome']) });
  } catch (error) {
    if (lost.signal.aborted) {
      logger.warn('job.lost');
    } else if (signal.aborted) {
      await queue.giveBack(build);
      logger.info('job.returned');
    } else {
      await queue.fail(build, storedFailure(error));
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
