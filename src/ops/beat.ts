/** The heartbeats of a job that runs for long: they tell the queue that its worker is alive. */
import { errorFields, type Logger } from '../log.ts';
import type { LaneOptions } from './lanes.ts';
import { BEAT_MS } from './queue-rules.ts';

interface Beating<Job> extends Pick<LaneOptions, 'sleep'> {
  readonly queue: { beat(job: Job): Promise<boolean> };
  readonly logger: Logger;
  /** Aborted when the queue no longer gives this worker the job. */
  readonly lost: AbortController;
  /** Aborted by the caller at the end of the job. */
  readonly ended: AbortController;
}

/** Sends heartbeats until the job has ended, or no longer belongs to this worker. */
export async function beat<Job>(
  job: Job,
  { queue, sleep, logger, lost, ended }: Beating<Job>,
): Promise<void> {
  for (;;) {
    await sleep(BEAT_MS, ended.signal).catch(() => undefined);
    if (ended.signal.aborted) return;
    try {
      // The job exceeded its timeout or missed its heartbeats, so the queue has released it or given it to another worker.
      if (!(await queue.beat(job)) && !ended.signal.aborted) {
        lost.abort(new Error('its job no longer belongs to this worker'));
        return;
      }
    } catch (error) {
      // A heartbeat that could not be sent does not mean that the job is lost.
      logger.warn('queue.lost', errorFields(error));
    }
  }
}
