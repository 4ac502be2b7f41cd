/** The main thread's side of the encoding thread: sends it batches of one file and passes the file's bytes to a sink. */
import type { Worker } from 'node:worker_threads';
import { CrossfootError } from '../errors.ts';
import type { Column, Table } from '../tables/table.ts';
import { clearBatch, freeBatch, makeBatch, memoryOf, type Batch } from './batch.ts';
import { freeBytes } from './free-bytes.ts';
import type { Halt } from './halt.ts';
import type { EncodeJob, FromEncoder, ToEncoder } from './messages.ts';
import type { WarmThread } from './warm-thread.ts';

// One batch is filled, one is in transfer and one is encoded, so that neither thread waits for the other.
const BATCHES = 3;

export interface EncodedFile {
  readonly table: Table;
  /** The columns of the batches. */
  readonly columns: readonly Column[];
  readonly job: EncodeJob;
  /** Takes the file's bytes in order, one call at a time. Their memory is freed when it resolves. */
  readonly sink: (bytes: Uint8Array) => Promise<void>;
}

/** The encoding of one file. If the thread fails or ends early, `halt` is raised with the error. */
export class Encoder {
  readonly #file: EncodedFile;
  readonly #thread: WarmThread;
  readonly #worker: Worker;
  readonly #halt: Halt;
  readonly #free: Batch[] = [];
  readonly #done = Promise.withResolvers<Uint8Array>();
  #made = 0;
  #footer: Uint8Array | undefined;
  #ending = false;
  /** The size of the thread's memory after the file was complete. */
  #memory_bytes: number | undefined;
  #batchFreed = (): void => undefined;

  constructor(file: EncodedFile, thread: WarmThread, halt: Halt) {
    this.#file = file;
    this.#halt = halt;
    this.#thread = thread;
    this.#worker = thread.take();
    this.#worker.on('message', (message: FromEncoder) => this.#receive(message));
    this.#worker.on('error', (error) => this.#fail('failed', error));
    this.#worker.on('messageerror', (error) => this.#fail('sent a message that could not be read', error));
    this.#worker.on('exit', () => {
      if (this.#memory_bytes === undefined) this.#fail('ended before the file was whole');
      this.#memory_bytes = undefined; // no failure of this file, but no thread for the next one either
    });
    this.#send({ kind: 'begin', job: file.job });
  }

  /** Waits for an empty batch: back-pressure, which makes reading wait for encoding. */
  async freeBatch(): Promise<Batch> {
    if (this.#free.length === 0 && this.#made < BATCHES) {
      this.#made += 1;
      return makeBatch(this.#file.columns);
    }
    if (this.#free.length === 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#batchFreed = resolve;
      await this.#halt.orHalt(promise);
    }
    const batch = this.#free.pop();
    if (batch === undefined) throw new RangeError('two callers waited for one batch');
    clearBatch(batch);
    return batch;
  }

  /** Transfers a batch to the thread; the caller must not use it again. */
  write(batch: Batch): void {
    this.#send({ kind: 'batch', batch }, memoryOf(batch));
  }

  /** Ends the file; resolves with its footer when the sink has taken the last byte. */
  async finish(): Promise<Uint8Array> {
    this.#ending = true;
    this.#send({ kind: 'end' });
    return this.#halt.orHalt(this.#done.promise);
  }

  /** Frees the batches. Returns the thread for reuse after a complete file; otherwise ends it, even during its work. */
  async close(): Promise<void> {
    for (const batch of this.#free) freeBatch(batch);
    if (this.#memory_bytes === undefined) {
      this.#worker.removeAllListeners('exit'); // this exit is not a failure
      await this.#worker.terminate();
    } else {
      await this.#thread.giveBack(this.#worker, this.#memory_bytes);
    }
  }

  #receive(message: FromEncoder): void {
    switch (message.kind) {
      case 'free':
        this.#free.push(message.batch);
        this.#batchFreed();
        break;
      case 'bytes':
      case 'footer':
        void this.#pass(message);
        break;
      case 'done':
        if (!this.#ending) return this.#fail('ended the file before its last row');
        if (this.#footer === undefined) return this.#fail('ended the file without a footer');
        this.#memory_bytes = message.memory_bytes;
        this.#done.resolve(this.#footer);
        break;
      case 'failed':
        this.#fail('failed', message.error);
        break;
    }
  }

  async #pass({ kind, bytes }: Extract<FromEncoder, { readonly bytes: unknown }>): Promise<void> {
    try {
      await this.#file.sink(bytes);
    } catch (error) {
      return this.#halt.raise(error);
    }
    if (kind === 'footer') this.#footer = bytes;
    else freeBytes(bytes);
    this.#send({ kind: 'taken' });
  }

  #send(message: ToEncoder, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  #fail(what: string, cause?: unknown): void {
    const { table } = this.#file;
    const error = new CrossfootError('parquet_failed', `${table.name}: the Parquet encoder ${what}.`, {
      data: { table: table.name },
      cause,
    });
    this.#halt.raise(error);
  }
}
