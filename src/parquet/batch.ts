/**
 * A batch: up to 16,384 rows of one table in typed buffers, in Arrow's layout (little-endian, as on every machine that
 * runs Node). Batches are transferred between the threads and reused.
 */
import type { Column } from '../tables/table.ts';
import type { FieldKind } from '../fields.ts';

/** Rows in a batch. With a batch as large as a row group, the process took 450 MB instead of 290. */
export const BATCH_ROWS = 16_384;

/** Rows in a row group, if the table does not say it. A reader can skip a whole group; the encoder holds one group in memory. */
export const ROW_GROUP_ROWS = 131_072;

// The limit of bytes in a batch. A full batch of usual rows has about this size; long texts end a batch earlier. There are
// three batches, and a copy on each side of WebAssembly. With 32 MiB, a table of value entries took 40 MB more memory, in the
// same time.
const BATCH_BYTES = 4 * 1024 * 1024;

export interface ColumnBuffers {
  nulls: number;
  /** One bit per row, cleared where there is no value. */
  readonly validity: Uint8Array<ArrayBuffer>;
  /** One or two 32-bit words per row; for texts, their offsets (one more than rows); for booleans, one bit per row. */
  readonly words: Int32Array<ArrayBuffer>;
  /** The bytes of all texts, end to end. */
  text: Uint8Array<ArrayBuffer>;
  /** A view of the same bytes, which copies four of them at once. */
  textView: DataView<ArrayBuffer>;
}

export interface Batch {
  rows: number;
  /** Bytes of the values so far. */
  bytes: number;
  readonly columns: readonly ColumnBuffers[];
}

/** Eight rows with a value. Most fields have one, so only a null is marked. */
const ALL_PRESENT = 0xff;

const WORDS: Readonly<Record<FieldKind, number>> = {
  string: BATCH_ROWS + 1,
  text: BATCH_ROWS + 1,
  json: BATCH_ROWS + 1,
  integer: BATCH_ROWS,
  date: BATCH_ROWS,
  number: BATCH_ROWS * 2,
  timestamp: BATCH_ROWS * 2,
  id: BATCH_ROWS * 2,
  cents: BATCH_ROWS * 2,
  boolean: BATCH_ROWS / 32,
};

/** True for the kinds whose values are UTF-8 of any length. */
export function isText(kind: FieldKind): boolean {
  return kind === 'string' || kind === 'text' || kind === 'json';
}

/** An empty batch for these columns. */
export function makeBatch(columns: readonly Column[]): Batch {
  return {
    rows: 0,
    bytes: 0,
    columns: columns.map(({ kind }) => {
      const text = new Uint8Array(isText(kind) ? BATCH_ROWS : 0);
      return {
        nulls: 0,
        validity: new Uint8Array(BATCH_ROWS / 8).fill(ALL_PRESENT),
        words: new Int32Array(WORDS[kind]),
        text,
        textView: new DataView(text.buffer),
      };
    }),
  };
}

/** Empties a batch for reuse: a null must not show the value that the row had before. */
export function clearBatch(batch: Batch): void {
  batch.rows = 0;
  batch.bytes = 0;
  for (const column of batch.columns) {
    column.nulls = 0;
    column.validity.fill(ALL_PRESENT);
    column.words.fill(0);
  }
}

/**
 * True if the batch takes no further row: it has no space, or the `rows` of the table so far end a row group. Pages begin with
 * batches, so the bytes of a row group then depend only on its own rows, and not on the rows before it.
 */
export function isFull(batch: Batch, rows: number, group_rows = ROW_GROUP_ROWS): boolean {
  if (batch.rows === BATCH_ROWS || batch.bytes >= BATCH_BYTES) return true;
  return batch.rows > 0 && rows % group_rows === 0;
}

/** The memory of a batch, for a transfer to another thread. */
export function memoryOf(batch: Batch): ArrayBuffer[] {
  return batch.columns.flatMap(({ validity, words, text }) => [validity.buffer, words.buffer, text.buffer]);
}

/** Frees the memory of a batch; the caller must not use it again. */
export function freeBatch(batch: Batch): void {
  for (const buffer of memoryOf(batch)) buffer.transfer(0);
}

/** Reserves `length` bytes for the text of this row and returns their offset. */
export function roomForText(into: ColumnBuffers, row: number, length: number): number {
  const start = into.words[row] ?? 0;
  const end = start + length;
  if (end > into.text.length) {
    const larger = new Uint8Array(Math.max(end, into.text.length * 2));
    larger.set(into.text.subarray(0, start));
    into.text = larger;
    into.textView = new DataView(larger.buffer);
  }
  into.words[row + 1] = end;
  return start;
}

/** Marks the value of a row as null; for a text, the next text begins at the same offset. */
export function markNull(into: ColumnBuffers, row: number, kind: FieldKind): void {
  into.nulls += 1;
  const byte = row >> 3;
  into.validity[byte] = (into.validity[byte] ?? 0) & ~(1 << (row & 7));
  if (isText(kind)) into.words[row + 1] = into.words[row] ?? 0;
}

/** Sets the bit of a row whose boolean is true. */
export function setTrue(into: ColumnBuffers, row: number): void {
  const word = row >> 5;
  into.words[word] = (into.words[word] ?? 0) | (1 << (row & 31));
}
