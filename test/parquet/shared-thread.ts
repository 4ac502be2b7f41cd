/** One encoding thread for all builds and files of a test process: starting one takes longer than writing most files. */
import type { Worker } from 'node:worker_threads';
import { WarmThread } from '../../src/parquet/warm-thread.ts';

/** Keeps the process from ending only while a file is written. */
class SharedThread extends WarmThread {
  constructor() {
    super();
    void this.giveBack(this.take(), 0);
  }

  override take(): Worker {
    const worker = super.take();
    worker.ref();
    return worker;
  }

  override async giveBack(worker: Worker, memory_bytes: number): Promise<void> {
    worker.unref();
    await super.giveBack(worker, memory_bytes);
  }
}

let thread: SharedThread | undefined;

export const sharedThread = (): WarmThread => (thread ??= new SharedThread());
