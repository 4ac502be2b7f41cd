/**
 * Writes one reporting table as a Parquet file: rows from a COPY binary stream or from the figures, bytes to a
 * sink. A file counts only when the rows taken in, the rows the database says it sent and the rows of the file's
 * own footer are the same number.
 */
import { CrossfootError } from '../errors.ts';
import type { Column, Table } from '../tables/table.ts';
import { isFull, isText } from './batch.ts';
import { CopyDecoder } from './copy-decoder.ts';
import { FileDigest, type Digests } from './digest.ts';
import { Encoder } from './encoder.ts';
import { FileTail } from './footer.ts';
import { Halt } from './halt.ts';
import { refuseValue } from './refusal.ts';
import { putRow, type Row } from './row-fields.ts';
import { WarmThread } from './warm-thread.ts';

/** A file that is whole. */
export interface WrittenTable extends Digests {
  readonly rows: number;
}

interface WriteJob {
  readonly table: Table;
  /** Text columns that hold one value in every row and do not come with the rows: `snapshot_id`. */
  readonly constants: Readonly<Record<string, string>>;
  /** What the file says of itself: snapshot, schema version, moment, table. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Takes the bytes in order, one call at a time, and must not change them; not called again after the end. */
  readonly sink: (bytes: Uint8Array) => Promise<void>;
  /** The thread to write the file in; without one it is written in a thread of its own. */
  readonly thread?: WarmThread | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface CopyJob extends WriteJob {
  /** The payload of `COPY … TO STDOUT (FORMAT binary)`, in any chunks. */
  readonly source: AsyncIterable<Uint8Array>;
  /** The rows PostgreSQL says it sent; asked after the source has ended. */
  readonly rowsSent: () => number;
}

interface RowsJob extends WriteJob {
  readonly rows: AsyncIterable<Row> | Iterable<Row>;
}

/** Writes a table from a COPY stream; rejects, and the bytes are worthless, unless every check holds. */
export async function writeCopy(job: CopyJob): Promise<WrittenTable> {
  return write(job, async (encoder, columns, halt) => {
    const decoder = new CopyDecoder(job.table, columns);
    let batch = await encoder.freeBatch();
    for await (const chunk of halt.each(job.source)) {
      decoder.add(chunk);
      while (decoder.fill(batch)) {
        encoder.write(batch);
        batch = await encoder.freeBatch();
      }
    }
    decoder.end();
    if (decoder.rows !== job.rowsSent()) {
      throw disagree(job.table, `decoded ${decoder.rows} rows, PostgreSQL sent ${job.rowsSent()}`);
    }
    // A table without rows is one batch of none: without any batch the library fails.
    if (batch.rows > 0 || decoder.rows === 0) encoder.write(batch);
    return decoder.rows;
  });
}

/** Writes a table from rows that were computed; the same batches, the same file. */
export async function writeRows(job: RowsJob): Promise<WrittenTable> {
  return write(job, async (encoder, columns, halt) => {
    const rows = Symbol.asyncIterator in job.rows ? halt.each(job.rows) : job.rows;
    let batch = await encoder.freeBatch();
    let count = 0;
    for await (const row of rows) {
      if (isFull(batch)) {
        encoder.write(batch);
        batch = await encoder.freeBatch();
      }
      count += 1;
      putRow(batch, job.table, columns, row, count);
    }
    encoder.write(batch);
    return count;
  });
}

type Feed = (encoder: Encoder, columns: readonly Column[], halt: Halt) => Promise<number>;

async function write(job: WriteJob, feed: Feed): Promise<WrittenTable> {
  job.signal?.throwIfAborted();
  if (job.thread !== undefined) return writeIn(job.thread, job, feed);
  await using thread = new WarmThread();
  return await writeIn(thread, job, feed);
}

async function writeIn(thread: WarmThread, job: WriteJob, feed: Feed): Promise<WrittenTable> {
  const { table, constants, metadata, signal } = job;
  const columns = columnsSent(table, constants);
  const digest = new FileDigest();
  const tail = new FileTail();
  const halt = new Halt();
  const abort = (): void => halt.raise(signal?.reason);
  const sink = async (bytes: Uint8Array): Promise<void> => {
    digest.update(bytes);
    tail.add(bytes);
    await job.sink(bytes);
  };
  const encoded = { columns: table.columns, constants, metadata };
  const encoder = new Encoder({ table, columns, job: encoded, sink }, thread, halt);
  signal?.addEventListener('abort', abort);
  try {
    const rows = await feed(encoder, columns, halt);
    await encoder.finish();
    const written = tail.rowCount();
    if (written !== rows) throw disagree(table, `took in ${rows} rows, the file holds ${written}`);
    return { rows, ...digest.finish() };
  } finally {
    signal?.removeEventListener('abort', abort);
    await encoder.close();
  }
}

function columnsSent(table: Table, constants: Readonly<Record<string, string>>): Column[] {
  const constant = table.columns.filter(({ name }) => Object.hasOwn(constants, name));
  for (const column of constant) {
    if (!isText(column.kind)) throw refuseValue('value_not_of_kind', table, column, 1);
  }
  return table.columns.filter((column) => !constant.includes(column));
}

function disagree(table: Table, what: string): CrossfootError {
  return new CrossfootError('rows_disagree', `${table.name}: ${what}; nothing was kept.`, {
    data: { table: table.name },
  });
}
