/** A worker in this process, for builds that are told what to do. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '../../src/log.ts';
import { type WorkOptions, workQueue } from '../../src/ops/worker.ts';

/** What a test says of a worker; the rest is a silent worker of one lane that ends when nothing is due. */
export type Work = Partial<WorkOptions> & Pick<WorkOptions, 'queue' | 'run'>;

export function work(options: Work): Promise<void> {
  return workQueue({
    concurrency: 1,
    sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
    signal: new AbortController().signal,
    logger: createLogger('silent'),
    onIdle: () => true,
    ...options,
  });
}
