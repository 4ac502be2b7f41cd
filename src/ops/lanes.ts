/** The loop of every worker: each lane takes a job from a queue and settles it before it takes the next. */
import { errorFields, type Logger } from '../log.ts';

export interface LaneOptions {
  /** Resolves after so long, or rejects when the signal says so. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Called whenever a lane finds no job; true ends that lane. */
  readonly onIdle: () => Promise<boolean> | boolean;
}

interface Lanes<Job> {
  /** How many jobs at once. */
  readonly lanes: number;
  /** How long a lane without a job waits before it looks again. */
  readonly poll_ms: number;
  readonly queue: { take(): Promise<Job | null> };
  /** Does the job and settles it; rejects only if the queue cannot be reached. */
  readonly run: (job: Job) => Promise<void>;
}

/** Works until aborted, or until `onIdle` has ended every lane. A job that fails never rejects. */
export async function workLanes<Job>(lanes: Lanes<Job>, options: LaneOptions): Promise<void> {
  await Promise.all(Array.from({ length: lanes.lanes }, () => workLane(lanes, options)));
}

async function workLane<Job>(
  { queue, run, poll_ms }: Lanes<Job>,
  { signal, logger, sleep, onIdle }: LaneOptions,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const job = await queue.take();
      if (job !== null) {
        await run(job);
        continue;
      }
      if (await onIdle()) return;
    } catch (error) {
      // The database is unreachable. The queue releases the job we hold, and the next look may find the database back.
      logger.warn('queue.lost', errorFields(error));
    }
    await sleep(poll_ms, signal).catch(() => undefined);
  }
}
