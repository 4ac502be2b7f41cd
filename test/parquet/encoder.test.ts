import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { memoryOf } from '../../src/parquet/batch.ts';
import { Encoder } from '../../src/parquet/encoder.ts';
import { Halt } from '../../src/parquet/halt.ts';
import type { ToEncoder } from '../../src/parquet/messages.ts';
import { WarmThread } from '../../src/parquet/warm-thread.ts';
import { everyKind, everyKindColumns } from './every-kind.ts';

/** A thread that does only what a test makes it do. */
class ScriptedWorker extends EventEmitter {
  readonly received: ToEncoder['kind'][] = [];
  terminated = false;
  postMessage(message: ToEncoder): void {
    this.received.push(message.kind);
  }
  async terminate(): Promise<number> {
    this.terminated = true;
    this.emit('exit', 1);
    return 1;
  }
}

interface Started {
  readonly encoder: Encoder;
  readonly worker: ScriptedWorker;
  readonly thread: WarmThread;
  readonly taken: Uint8Array[];
}

function start(): Started {
  const taken: Uint8Array[] = [];
  const job = { root: everyKind.name, columns: everyKind.columns, constants: {}, metadata: {} };
  const sink = async (bytes: Uint8Array): Promise<void> => {
    taken.push(Uint8Array.from(bytes));
  };
  const file = { table: everyKind, columns: everyKindColumns, job, sink };
  const worker = new ScriptedWorker();
  const workers = [worker];
  const thread = new WarmThread(() => (workers.shift() ?? new ScriptedWorker()) as unknown as Worker); // what an encoder asks of one
  const encoder = new Encoder(file, thread, new Halt());
  return { encoder, worker, thread, taken };
}

const FOOTER = new Uint8Array([7]);

/** Does what a thread does at the end of a file. */
async function complete(worker: ScriptedWorker): Promise<void> {
  worker.emit('message', { kind: 'footer', bytes: FOOTER });
  await expect.poll(() => worker.received.at(-1)).toBe('taken');
  worker.emit('message', { kind: 'done', memory_bytes: 0 });
}

it.each([
  ['exits', 'exit', 0, 'ended before the file was whole'],
  ['throws', 'error', new Error('unreachable'), 'failed'],
  ['sends what cannot be read', 'messageerror', new Error('clone'), 'sent a message that could not be read'],
  ['reports a failure', 'message', { kind: 'failed', error: new Error('wasm') }, 'failed'],
])('the encoder rejects when the thread %s', async (_, event, argument, what) => {
  const { encoder, worker } = start();
  const finishing = encoder.finish();
  worker.emit(event, argument);
  await expect(finishing).rejects.toMatchObject({
    code: 'parquet_failed',
    message: `every_kind: the Parquet encoder ${what}.`,
    data: { table: 'every_kind' },
  });
});

it('the error of an encoder keeps the cause of a failure', async () => {
  const { encoder, worker } = start();
  const cause = new Error('wasm');
  worker.emit('message', { kind: 'failed', error: cause });
  await expect(encoder.finish()).rejects.toMatchObject({ cause });
});

it('the encoder rejects when the file ends before its last row', async () => {
  const { encoder, worker } = start();
  worker.emit('message', { kind: 'done', memory_bytes: 0 });
  await expect(encoder.finish()).rejects.toThrow('ended the file before its last row');
});

it('the encoder rejects when the file ends without a footer', async () => {
  const { encoder, worker } = start();
  const finishing = encoder.finish();
  worker.emit('message', { kind: 'done', memory_bytes: 0 });
  await expect(finishing).rejects.toThrow('ended the file without a footer');
});

it('an encoder is done only when the thread says so, and then its exit is no failure', async () => {
  const { encoder, worker } = start();
  const finishing = encoder.finish();
  expect(worker.received).toEqual(['begin', 'end']);
  await complete(worker);
  worker.emit('exit', 0);
  await expect(finishing).resolves.toEqual(FOOTER);
  await expect(encoder.freeBatch()).resolves.toMatchObject({ rows: 0 });
});

it('the encoder hands out three batches and then waits for an emptied one', async () => {
  const { encoder, worker } = start();
  const batches = [await encoder.freeBatch(), await encoder.freeBatch(), await encoder.freeBatch()];
  const fourth = encoder.freeBatch();
  const [used] = batches;
  if (used === undefined) throw new Error('no batch');
  used.rows = 7;
  worker.emit('message', { kind: 'free', batch: used });
  expect(await fourth).toBe(used);
  expect(used.rows).toBe(0);
});

it('the wait for a batch stops when the thread ends', async () => {
  const { encoder, worker } = start();
  await Promise.all([encoder.freeBatch(), encoder.freeBatch(), encoder.freeBatch()]);
  const fourth = encoder.freeBatch();
  worker.emit('exit', 1);
  await expect(fourth).rejects.toMatchObject({ code: 'parquet_failed' });
});

it('the encoder says that bytes are taken after the sink has them, and frees their memory', async () => {
  const { worker, taken } = start();
  const bytes = new Uint8Array([1, 2]);
  worker.emit('message', { kind: 'bytes', bytes });
  expect(worker.received).toEqual(['begin']);
  expect(bytes).toHaveLength(2);
  await expect.poll(() => worker.received).toEqual(['begin', 'taken']);
  expect(taken).toEqual([new Uint8Array([1, 2])]);
  expect(bytes).toHaveLength(0);
});

it('the encoder ends its thread when it is closed before the file is whole', async () => {
  const { encoder, worker, thread } = start();
  await encoder.close();
  expect(worker.terminated).toBe(true);
  expect(thread.take()).not.toBe(worker);
});

it('the encoder frees the batches when it is closed', async () => {
  const { encoder, worker } = start();
  const batch = await encoder.freeBatch();
  worker.emit('message', { kind: 'free', batch });
  await encoder.close();
  expect(memoryOf(batch).map(({ byteLength }) => byteLength)).toEqual(memoryOf(batch).map(() => 0));
});

it('the encoder gives its thread back when the file is whole', async () => {
  const { encoder, worker, thread } = start();
  const finishing = encoder.finish();
  await complete(worker);
  await finishing;
  await encoder.close();
  expect(worker.terminated).toBe(false);
  expect(thread.take()).toBe(worker);
});

it('the encoder gives no thread back that ended after the file was whole', async () => {
  const { encoder, worker, thread } = start();
  const finishing = encoder.finish();
  await complete(worker);
  await finishing;
  worker.emit('exit', 0);
  await encoder.close();
  expect(thread.take()).not.toBe(worker);
});
