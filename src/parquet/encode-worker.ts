/**
 * The encoding thread: it receives batches and sends the bytes of a Parquet file, one file after the other. It is a separate
 * thread, because encoding takes as much time as reading.
 */
import { parentPort } from 'node:worker_threads';
import {
  Compression,
  EnabledStatistics,
  Encoding,
  transformParquetStream,
  wasmMemory,
  WriterPropertiesBuilder,
  WriterVersion,
  type RecordBatch,
  type WriterProperties,
} from 'parquet-wasm';
import { ArrowStream } from './arrow-stream.ts';
import { isText, memoryOf, ROW_GROUP_ROWS, type Batch } from './batch.ts';
import type { EncodeJob, FromEncoder, ToEncoder } from './messages.ts';
import { toRecordBatch } from './record-batch.ts';
import { nameRoot } from './root-name.ts';

/**
 * The limits of a page in a file with small row groups: it ends at the first multiple of `SMALL_PAGE_ROWS` rows after
 * `SMALL_PAGE_BYTES` bytes. A list that shows a hundred rows decodes only some pages, in half the time of a whole group. The
 * file grows by a fifth.
 */
const SMALL_PAGE_BYTES = 2_048;
const SMALL_PAGE_ROWS = 1_024;

const port = parentPort;
if (port === null) throw new Error('encode-worker runs as a worker thread only');

let inbox: (Batch | 'end')[] = [];
let wakeReader = (): void => undefined;
let wakeWriter = (): void => undefined;

port.on('message', (message: ToEncoder) => {
  switch (message.kind) {
    case 'begin':
      void encodeFile(message.job);
      break;
    case 'taken':
      wakeWriter();
      break;
    case 'batch':
    case 'end':
      inbox.push(message.kind === 'batch' ? message.batch : 'end');
      wakeReader();
      break;
  }
});

async function encodeFile(job: EncodeJob): Promise<void> {
  inbox = [];
  try {
    await encode(job);
    const { buffer } = wasmMemory() as { buffer: ArrayBuffer }; // a WebAssembly.Memory, as the library's page says
    send({ kind: 'done', memory_bytes: buffer.byteLength });
  } catch (error) {
    // The state of the library is unknown after an error, so this thread encodes no further file.
    send({ kind: 'failed', error });
    port?.close();
  }
}

async function encode(job: EncodeJob): Promise<void> {
  const arrow = new ArrowStream(job.columns, job.constants, job.metadata);
  // If its source fails, the library ignores the error and writes a valid file with fewer rows. So the source never fails:
  // it stops for ever, and `failed` rejects with the error.
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  const batches = new ReadableStream<RecordBatch>(
    {
      async pull(controller) {
        try {
          const next = await nextBatch(arrow);
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
  await Promise.race([failed, sendFile(batches, job)]);
}

async function sendFile(batches: ReadableStream<RecordBatch>, job: EncodeJob): Promise<void> {
  const file: ReadableStream<Uint8Array<ArrayBuffer>> = await transformParquetStream(
    batches,
    writerProperties(job),
  );
  // The library returns one row group at a time, and the whole footer together with the last group.
  let ended = false;
  for await (const bytes of file) {
    if (ended) throw new Error('the library wrote on after the footer');
    const end = nameRoot(bytes, job.root);
    ended = end !== null;
    await sendBytes('bytes', end?.pages ?? bytes);
    if (end !== null) await sendBytes('footer', end.footer);
  }
  if (!ended) throw new Error('the library did not write the footer in one piece');
}

async function sendBytes(kind: 'bytes' | 'footer', bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  if (bytes.length === 0) return;
  const { promise: taken, resolve } = Promise.withResolvers<void>();
  wakeWriter = resolve;
  send({ kind, bytes }, [bytes.buffer]);
  await taken;
}

async function nextBatch(arrow: ArrowStream): Promise<RecordBatch | undefined> {
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  wakeReader = resolve;
  if (inbox.length === 0) await arrived;
  const batch = inbox.shift();
  if (batch === undefined || batch === 'end') return undefined;

  const encoded = arrow.encode(batch);
  send({ kind: 'free', batch }, memoryOf(batch));
  return toRecordBatch(encoded);
}

/** New properties for each file: a write consumes them, and a second file with them would silently be uncompressed. */
function writerProperties({ columns, group_rows }: EncodeJob): WriterProperties {
  let builder = new WriterPropertiesBuilder()
    .setWriterVersion(WriterVersion.V1) // data pages V1: not every warehouse reads V2
    .setCompression(Compression.ZSTD) // level 1, the library's own choice; 3 was slower and no smaller
    .setMaxRowGroupSize(group_rows ?? ROW_GROUP_ROWS)
    .setStatisticsEnabled(EnabledStatistics.Page)
    .setDictionaryEnabled(false);
  if (group_rows !== undefined) {
    builder = builder.setWriteBatchSize(SMALL_PAGE_ROWS).setDataPageSizeLimit(SMALL_PAGE_BYTES);
  }
  for (const { name, kind, encoding } of columns) {
    const delta = isText(kind) ? Encoding.DELTA_BYTE_ARRAY : Encoding.DELTA_BINARY_PACKED;
    if (encoding === 'delta') builder = builder.setColumnEncoding(name, delta);
    if (encoding === 'dictionary') builder = builder.setColumnDictionaryEnabled(name, true);
  }
  return builder.build();
}

function send(message: FromEncoder, transfer: ArrayBuffer[] = []): void {
  port?.postMessage(message, transfer);
}
