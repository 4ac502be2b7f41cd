/**
 * The encoding thread: batches in, bytes of a Parquet file out. A thread of its own because encoding costs as much
 * time as reading; and because WebAssembly memory never shrinks, it ends with the file.
 */
import { parentPort, workerData } from 'node:worker_threads';
import {
  Compression,
  EnabledStatistics,
  Table,
  transformParquetStream,
  WriterPropertiesBuilder,
  WriterVersion,
  type RecordBatch,
  type WriterProperties,
} from 'parquet-wasm';
import type { Column } from '../tables/table.ts';
import { ArrowStream } from './arrow-stream.ts';
import { memoryOf, type Batch } from './batch.ts';
import type { EncodeJob, FromEncoder, ToEncoder } from './messages.ts';

/** Rows to a row group: what readers skip by, and as much as the encoder holds at once. */
const ROW_GROUP_ROWS = 131_072;

const port = parentPort;
if (port === null) throw new Error('encode-worker runs as a worker thread only');
const job = workerData as EncodeJob; // the encoder starts this thread with nothing else
const arrow = new ArrowStream(job.columns, job.constants, job.metadata);

const inbox: (Batch | 'end')[] = [];
let wakeReader = (): void => undefined;
let wakeWriter = (): void => undefined;

port.on('message', (message: ToEncoder) => {
  if (message.kind === 'taken') {
    wakeWriter();
  } else {
    inbox.push(message.kind === 'batch' ? message.batch : 'end');
    wakeReader();
  }
});

try {
  await encode();
  send({ kind: 'done' });
} catch (error) {
  send({ kind: 'failed', error });
}
port.close();

async function encode(): Promise<void> {
  // The library swallows an error of its source and leaves a valid, short file. So the source never fails: it
  // stands still, and the error goes round.
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  const batches = new ReadableStream<RecordBatch>(
    {
      async pull(controller) {
        try {
          const next = await nextBatch();
          if (next === undefined) controller.close();
          else controller.enqueue(next);
        } catch (error) {
          fail(error);
          await failed.catch(() => new Promise(() => undefined));
        }
      },
    },
    { highWaterMark: 0 },
  );
  await Promise.race([failed, sendFile(batches)]);
}

async function sendFile(batches: ReadableStream<RecordBatch>): Promise<void> {
  const file: ReadableStream<Uint8Array<ArrayBuffer>> = await transformParquetStream(
    batches,
    writerProperties(job.columns),
  );
  for await (const bytes of file) {
    const { promise: taken, resolve } = Promise.withResolvers<void>();
    wakeWriter = resolve;
    send({ kind: 'bytes', bytes }, [bytes.buffer]);
    await taken;
  }
}

async function nextBatch(): Promise<RecordBatch | undefined> {
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  wakeReader = resolve;
  if (inbox.length === 0) await arrived;
  const batch = inbox.shift();
  if (batch === undefined || batch === 'end') return undefined;

  const table = Table.fromIPCStream(arrow.encode(batch));
  send({ kind: 'free', batch }, memoryOf(batch));
  const [records, ...more] = table.recordBatches();
  table.free(); // the record batch is freed by the writer that takes it; the table by nobody but us
  if (records === undefined || more.length > 0) throw new Error('one batch did not come out as one');
  return records;
}

/** Made for each file, because a write consumes them and a second one would be uncompressed without a word. */
function writerProperties(columns: readonly Column[]): WriterProperties {
  let builder = new WriterPropertiesBuilder()
    .setWriterVersion(WriterVersion.V1) // data pages V1: not every warehouse reads V2
    .setCompression(Compression.ZSTD) // level 1, the library's own choice; 3 was slower and no smaller
    .setMaxRowGroupSize(ROW_GROUP_ROWS)
    .setStatisticsEnabled(EnabledStatistics.Page)
    .setDictionaryEnabled(false);
  for (const { name, repeats } of columns) {
    if (repeats) builder = builder.setColumnDictionaryEnabled(name, true);
  }
  return builder.build();
}

function send(message: FromEncoder, transfer: ArrayBuffer[] = []): void {
  port?.postMessage(message, transfer);
}
