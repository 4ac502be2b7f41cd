import { Worker } from 'node:worker_threads';
import { CrossfootError } from '../errors.ts';
import type { Column, Table } from '../tables/table.ts';
import { clearBatch, makeBatch, memoryOf, type Batch } from './batch.ts';
import type { Halt } from './halt.ts';
import type { EncodeJob, FromEncoder, ToEncoder } from './messages.ts';

// One being filled, one under way, one being encoded: neither thread waits while the other works.
const BATCHES = 3;

type Sink = (bytes: Uint8Array) => Promise<void>;

/** The encoding thread as the main thread sees it. Whatever ends it early is raised on the halt, never lost. */
export class Encoder {
  readonly #table: Table;
  readonly #columns: readonly Column[];
  readonly #worker: Worker;
  readonly #halt: Halt;
  readonly #free: Batch[] = [];
  readonly #done = Promise.withResolvers<void>();
  #made = 0;
  #ending = false;
  #ended = false;
  #batchFreed = (): void => undefined;

  /** `columns` are those that batches carry. The sink gets the file's bytes in order, one call at a time. */
  constructor(table: Table, columns: readonly Column[], job: EncodeJob, sink: Sink, halt: Halt) {
    this.#table = table;
    this.#columns = columns;
    this.#halt = halt;
    this.#worker = new Worker(new URL('./encode-worker.ts', import.meta.url), { workerData: job });
    this.#worker.on('message', (message: FromEncoder) => this.#receive(message, sink));
    this.#worker.on('error', (error) => this.#fail('failed', error));
    this.#worker.on('messageerror', (error) => this.#fail('sent what could not be read', error));
    this.#worker.on('exit', () => {
      if (!this.#ended) this.#fail('ended before the file was whole');
    });
  }

  /** An empty batch, as soon as there is one: this is where reading waits for encoding. */
  async freeBatch(): Promise<Batch> {
    if (this.#free.length === 0 && this.#made < BATCHES) {
      this.#made += 1;
      return makeBatch(this.#columns);
    }
    if (this.#free.length === 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#batchFreed = resolve;
      await this.#halt.orHalt(promise);
    }
    const batch = this.#free.pop();
    if (batch === undefined) throw new RangeError('two waited for one batch');
    clearBatch(batch);
    return batch;
  }

  /** Gives a batch away; it must not be touched again. */
  write(batch: Batch): void {
    this.#send({ kind: 'batch', batch }, memoryOf(batch));
  }

  /** Ends the file; returns when the sink has taken its last byte. */
  async finish(): Promise<void> {
    this.#ending = true;
    this.#send({ kind: 'end' });
    await this.#halt.orHalt(this.#done.promise);
  }

  /** Ends the thread, in the middle of its work if need be. */
  async close(): Promise<void> {
    this.#ended = true;
    await this.#worker.terminate();
  }

  #receive(message: FromEncoder, sink: Sink): void {
    switch (message.kind) {
      case 'free':
        this.#free.push(message.batch);
        this.#batchFreed();
        break;
      case 'bytes':
        // The call is made inside a promise, so that a sink that throws at once fails like one that rejects.
        Promise.resolve(message.bytes)
          .then(sink)
          .then(
            () => this.#send({ kind: 'taken' }),
            (error: unknown) => this.#halt.raise(error),
          );
        break;
      case 'done':
        this.#ended = true;
        if (this.#ending) this.#done.resolve();
        else this.#fail('ended the file before its last row');
        break;
      case 'failed':
        this.#fail('failed', message.error);
        break;
    }
  }

  #send(message: ToEncoder, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  #fail(what: string, cause?: unknown): void {
    const error = new CrossfootError('parquet_failed', `${this.#table.name}: the Parquet encoder ${what}.`, {
      data: { table: this.#table.name },
      cause,
    });
    this.#halt.raise(error);
  }
}
