/**
 * A batch: up to 16 Ki rows of one table as typed buffers, laid out as Arrow wants them (little-endian, which every
 * machine Node runs on is). Batches travel between the threads by transfer and are used again.
 */
import type { Column } from '../tables/table.ts';
import type { FieldKind } from '../fields.ts';

/** Rows to a batch; a batch as large as a row group was measured to cost 450 MB instead of 290. */
export const BATCH_ROWS = 16_384;

// Rows of ordinary width fill about as much; long texts close a batch early. A batch is held three times over, and
// once more on each side of WebAssembly: at 32 MiB value entries with their inputs took 40 MB more, in the same time.
const BATCH_BYTES = 4 * 1024 * 1024;

export interface ColumnBuffers {
  nulls: number;
  /** One bit per row, set where there is a value. */
  readonly validity: Uint8Array<ArrayBuffer>;
  /** One or two words per row; for text its offsets, one more than rows; for booleans one bit per row. */
  readonly words: Int32Array<ArrayBuffer>;
  /** The bytes of all texts, end to end. */
  text: Uint8Array<ArrayBuffer>;
}

export interface Batch {
  rows: number;
  /** Bytes of values taken in so far. */
  bytes: number;
  readonly columns: readonly ColumnBuffers[];
}

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
    columns: columns.map(({ kind }) => ({
      nulls: 0,
      validity: new Uint8Array(BATCH_ROWS / 8),
      words: new Int32Array(WORDS[kind]),
      text: new Uint8Array(isText(kind) ? BATCH_ROWS : 0),
    })),
  };
}

/** Empties a batch for its next use; what was in a row that is now null must not shine through. */
export function clearBatch(batch: Batch): void {
  batch.rows = 0;
  batch.bytes = 0;
  for (const column of batch.columns) {
    column.nulls = 0;
    column.validity.fill(0);
    column.words.fill(0);
  }
}

/** True when the batch takes no further row. */
export function isFull(batch: Batch): boolean {
  return batch.rows === BATCH_ROWS || batch.bytes >= BATCH_BYTES;
}

/** The memory of a batch, for a transfer to another thread. */
export function memoryOf(batch: Batch): ArrayBuffer[] {
  return batch.columns.flatMap(({ validity, words, text }) => [validity.buffer, words.buffer, text.buffer]);
}

/** Makes room for `length` bytes of text in this row, notes where they end, and says where they begin. */
export function roomForText(into: ColumnBuffers, row: number, length: number): number {
  const start = into.words[row] ?? 0;
  const end = start + length;
  if (end > into.text.length) {
    const larger = new Uint8Array(Math.max(end, into.text.length * 2));
    larger.set(into.text.subarray(0, start));
    into.text = larger;
  }
  into.words[row + 1] = end;
  return start;
}

/** Marks the value of a row as present. */
export function markPresent(into: ColumnBuffers, row: number): void {
  const byte = row >> 3;
  into.validity[byte] = (into.validity[byte] ?? 0) | (1 << (row & 7));
}

/** Records that a row has no value; a text's offsets go on where they were. */
export function markNull(into: ColumnBuffers, row: number, kind: FieldKind): void {
  into.nulls += 1;
  if (isText(kind)) into.words[row + 1] = into.words[row] ?? 0;
}

/** Sets the bit of a row whose boolean is true. */
export function setTrue(into: ColumnBuffers, row: number): void {
  const word = row >> 5;
  into.words[word] = (into.words[word] ?? 0) | (1 << (row & 31));
}
