/** The loop of every worker. A lane runs one job at a time: it takes a job, runs and settles it, then takes the next. */
import { errorFields, type Logger } from '../log.ts';

export interface LaneOptions {
  /** Resolves after this time; rejects when aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Called when a lane finds no job; true ends the lane. */
  readonly onIdle: () => Promise<boolean> | boolean;
}

interface Lanes<Job> {
  /** How many jobs run at the same time. */
  readonly lanes: number;
  /** How long a lane without a job waits before it queries the queue again. */
  readonly poll_ms: number;
  readonly queue: { take(): Promise<Job | null> };
  /** Runs and settles the job; rejects only if the queue cannot be reached. */
  readonly run: (job: Job) => Promise<void>;
}

/** Runs the lanes until the signal is aborted, or until `onIdle` has ended each lane. A failed job does not reject. */
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
      // The database does not answer. The queue releases the held job, and the lane tries again after a pause.
      logger.warn('queue.lost', errorFields(error));
    }
    await sleep(poll_ms, signal).catch(() => undefined);
  }
}
