/** Keeps one encoding thread ready for the next file. */
import { Worker } from 'node:worker_threads';

/**
 * A thread whose WebAssembly memory is larger than this is not reused, because the memory never shrinks. The memory is 12 to
 * 40 MB after tables of a few thousand rows, and about 150 MB after a table of a million rows.
 */
const MAX_REUSED_MEMORY_BYTES = 64 * 1024 * 1024;

/**
 * Before a pause, the idle thread is ended if a file since the last pause needed more memory. An account of a few thousand
 * rows needs less.
 */
const RESTING_MEMORY_BYTES = 32 * 1024 * 1024;

/**
 * The encoding thread, which writes the files of builds one after the other. Loading its libraries takes longer than
 * encoding most tables, so it is started early, while the ledger is read.
 */
export class WarmThread implements AsyncDisposable {
  readonly #start: () => Worker;
  #idle: Worker | undefined;
  /** The largest memory of a thread since the last pause. */
  #most_bytes = 0;

  constructor(startThread: () => Worker = start) {
    this.#start = startThread;
    this.#keep(startThread());
  }

  /** Takes the idle thread, or starts one. The thread belongs to the caller until `giveBack`. */
  take(): Worker {
    const worker = this.#idle ?? this.#start();
    this.#idle = undefined;
    worker.removeAllListeners();
    return worker;
  }

  /** Keeps a thread for the next file, or ends it if its memory has grown too large. */
  async giveBack(worker: Worker, memory_bytes: number): Promise<void> {
    worker.removeAllListeners();
    this.#most_bytes = Math.max(this.#most_bytes, memory_bytes);
    if (this.#idle === undefined && memory_bytes <= MAX_REUSED_MEMORY_BYTES) this.#keep(worker);
    else await worker.terminate();
  }

  /**
   * Call it before a longer pause. After a large file it ends the idle thread, also if a small file came last. This frees 35 MB
   * for the audit of a large account.
   */
  async rest(): Promise<void> {
    if (this.#most_bytes > RESTING_MEMORY_BYTES) await this[Symbol.asyncDispose]();
    this.#most_bytes = 0;
  }

  /** Ends the idle thread. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#idle?.terminate();
    this.#idle = undefined;
  }

  #keep(worker: Worker): void {
    this.#idle = worker;
    // An idle thread may die silently. If threads cannot start at all, the next file reports it.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (this.#idle === worker) this.#idle = undefined;
    });
  }
}

/**
 * The encoding library. The main thread does not use it, but imports it to keep its machine code: V8 drops the code with the
 * last thread that imports it, and compiles it again for the next thread. This saves 0.4 s of processor time per table of a
 * million rows.
 */
let library: Promise<unknown> | undefined;

function start(): Worker {
  library ??= import('parquet-wasm').catch(() => undefined); // the thread reports a failed import
  return new Worker(new URL('./encode-worker.ts', import.meta.url));
}
