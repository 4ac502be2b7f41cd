/**
 * Writes one reporting table as a Parquet file to a sink; the rows come from a COPY binary stream or from the figures. The
 * file is valid only if the rows read, the rows sent by the database and the rows in the file's footer are equal.
 */
import { CrossfootError } from '../errors.ts';
import type { Column, Table } from '../tables/table.ts';
import { isFull, isText } from './batch.ts';
import { CopyDecoder } from './copy-decoder.ts';
import { FileDigest, type Digests } from './digest.ts';
import { Encoder } from './encoder.ts';
import { rowsOfFooter } from './footer.ts';
import { Halt } from './halt.ts';
import { refuseValue } from './refusal.ts';
import { putRow, type Row } from './row-fields.ts';
import { WarmThread } from './warm-thread.ts';

/** A complete file. */
export interface WrittenTable extends Digests {
  readonly rows: number;
}

interface WriteJob {
  readonly table: Table;
  /** Text columns with the same value in every row, which the rows do not contain: `snapshot_id`. */
  readonly constants: Readonly<Record<string, string>>;
  /** The metadata of the file: snapshot, schema version, moment, table. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Takes the bytes in order, one call at a time. It must not change them, nor keep them after it resolves. */
  readonly sink: (bytes: Uint8Array) => Promise<void>;
  /** The thread that encodes the file; if omitted, a new thread. */
  readonly thread?: WarmThread | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each full batch with the number of rows read so far. */
  readonly onRows?: ((rows: number) => void) | undefined;
}

interface CopyJob extends WriteJob {
  /** The payload of `COPY … TO STDOUT (FORMAT binary)`, in any chunks. */
  readonly source: AsyncIterable<Uint8Array>;
  /** The number of rows that PostgreSQL sent; called after the source has ended. */
  readonly rowsSent: () => number;
}

interface RowsJob extends WriteJob {
  readonly rows: AsyncIterable<Row> | Iterable<Row>;
}

/** Writes a table from a COPY stream. Rejects if a check fails; the written bytes are then worthless. */
export async function writeCopy(job: CopyJob): Promise<WrittenTable> {
  return write(job, async (encoder, columns, halt) => {
    const decoder = new CopyDecoder(job.table, columns);
    let batch = await encoder.freeBatch();
    for await (const chunk of halt.each(job.source)) {
      decoder.add(chunk);
      while (decoder.fill(batch)) {
        encoder.write(batch);
        batch = await encoder.freeBatch();
        job.onRows?.(decoder.rows);
      }
    }
    decoder.end();
    if (decoder.rows !== job.rowsSent()) {
      throw disagree(job.table, `decoded ${decoder.rows} rows, PostgreSQL sent ${job.rowsSent()}`);
    }
    // Write an empty batch for a table without rows: the library fails without any batch.
    if (batch.rows > 0 || decoder.rows === 0) encoder.write(batch);
    return decoder.rows;
  });
}

/** Writes a table from computed rows. Rejects if a check fails; the written bytes are then worthless. */
export async function writeRows(job: RowsJob): Promise<WrittenTable> {
  return write(job, async (encoder, columns, halt) => {
    const rows = Symbol.asyncIterator in job.rows ? halt.each(job.rows) : job.rows;
    let batch = await encoder.freeBatch();
    let count = 0;
    for await (const row of rows) {
      if (isFull(batch, count, job.table.group_rows)) {
        encoder.write(batch);
        batch = await encoder.freeBatch();
        job.onRows?.(count);
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
  const halt = new Halt();
  const abort = (): void => halt.raise(signal?.reason);
  const sink = async (bytes: Uint8Array): Promise<void> => {
    digest.update(bytes);
    await job.sink(bytes);
  };
  const encoded = {
    root: table.name,
    columns: table.columns,
    group_rows: table.group_rows,
    constants,
    metadata,
  };
  const encoder = new Encoder({ table, columns, job: encoded, sink }, thread, halt);
  signal?.addEventListener('abort', abort);
  try {
    const rows = await feed(encoder, columns, halt);
    const written = rowsOfFooter(await encoder.finish());
    if (written !== rows) throw disagree(table, `${rows} rows were read, the file holds ${written}`);
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
