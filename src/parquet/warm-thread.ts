import { Worker } from 'node:worker_threads';

/**
 * What the WebAssembly memory of a thread may have grown to for another file to be written in it: it never shrinks.
 * Tables of a few thousand rows leave 12 to 40 MB, one of a million about 150.
 */
const KEPT_MEMORY_BYTES = 64 * 1024 * 1024;

/** What it may hold while nothing is written: what an account of a few thousand rows leaves. */
const RESTING_MEMORY_BYTES = 32 * 1024 * 1024;

/**
 * The encoding thread that the files of builds are written in, one after the other. Loading the libraries takes a
 * thread longer than most tables do; begun early, it is done while the ledger is read.
 */
export class WarmThread implements AsyncDisposable {
  readonly #start: () => Worker;
  #idle: Worker | undefined;
  #idle_bytes = 0;

  constructor(startThread: () => Worker = start) {
    this.#start = startThread;
    this.#keep(startThread(), 0);
  }

  /** A thread that is the caller's alone until given back: the one that waits, else a new one. */
  take(): Worker {
    const worker = this.#idle ?? this.#start();
    this.#idle = undefined;
    worker.removeAllListeners();
    return worker;
  }

  /** Keeps a thread that has finished its file for the next one, unless it has grown. */
  async giveBack(worker: Worker, memory_bytes: number): Promise<void> {
    worker.removeAllListeners();
    if (this.#idle === undefined && memory_bytes <= KEPT_MEMORY_BYTES) this.#keep(worker, memory_bytes);
    else await worker.terminate();
  }

  /** To be called when nothing will be written for a while: ends a thread that holds much. */
  async rest(): Promise<void> {
    if (this.#idle_bytes > RESTING_MEMORY_BYTES) await this[Symbol.asyncDispose]();
  }

  /** Ends the thread that waits. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#idle?.terminate();
    this.#idle = undefined;
  }

  #keep(worker: Worker, memory_bytes: number): void {
    this.#idle = worker;
    this.#idle_bytes = memory_bytes;
    // One that ends while it waits has failed nobody; what keeps it from starting will be met by the next one's file.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (this.#idle === worker) this.#idle = undefined;
    });
  }
}

/**
 * The encoding library once more, for its machine code. V8 drops that with the last thread that has it, makes it anew
 * for the next one and tunes it while it runs: held by this thread as well, it was measured to save 0.4 s of processor in
 * each table of a million rows.
 */
let library: Promise<unknown> | undefined;

function start(): Worker {
  library ??= import('parquet-wasm').catch(() => undefined); // the thread says what is wrong with it, for a file
  return new Worker(new URL('./encode-worker.ts', import.meta.url));
}
