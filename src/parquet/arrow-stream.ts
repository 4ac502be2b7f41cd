/** Turns batches into Arrow: a schema with the table's metadata, and each batch as an IPC stream. */
import {
  Bool,
  BufferType,
  Data,
  DateDay,
  Decimal,
  Field,
  Float64,
  Int32,
  Int64,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  TimestampMicrosecond,
  Utf8,
  type DataType,
} from 'apache-arrow';
import type { Buffers } from 'apache-arrow/data';
import type { FieldKind } from '../fields.ts';
import { type Column, DECIMAL_DIGITS, fieldId } from '../tables/table.ts';
import { BATCH_ROWS, isText, type Batch, type ColumnBuffers } from './batch.ts';

/** The metadata of an Arrow field that the Parquet library writes as the `field_id` of the column. */
const FIELD_ID = 'PARQUET:field_id';

type AnyBuffers = Partial<Buffers<DataType>>;

const ARROW_TYPES: Readonly<Record<FieldKind, () => DataType>> = {
  string: () => new Utf8(),
  text: () => new Utf8(),
  json: () => new Utf8(),
  integer: () => new Int32(),
  number: () => new Float64(),
  boolean: () => new Bool(),
  date: () => new DateDay(),
  timestamp: () => new TimestampMicrosecond('UTC'),
  id: () => new Int64(),
  cents: () => new Int64(),
};

function typeOf({ kind, decimals }: Column): DataType {
  return decimals === undefined ? ARROW_TYPES[kind]() : new Decimal(decimals, DECIMAL_DIGITS, 128);
}

/** Encodes batches of one table. Constants are columns outside the batches, with the same text in every row. */
export class ArrowStream {
  readonly #schema: Schema;
  readonly #columns: readonly Column[];
  readonly #constants: ReadonlyMap<string, AnyBuffers>;

  /** The metadata goes into the Arrow schema, which keeps the order of its keys; an option of the library would not. */
  constructor(
    columns: readonly Column[],
    constants: Readonly<Record<string, string>>,
    metadata: Readonly<Record<string, string>>,
  ) {
    this.#columns = columns;
    this.#constants = new Map(Object.entries(constants).map(([name, text]) => [name, repeated(text)]));
    const fields = columns.map(
      (column, index) =>
        new Field(
          column.name,
          typeOf(column),
          column.nullable,
          new Map([
            ['description', column.description],
            [FIELD_ID, String(fieldId(index))],
          ]),
        ),
    );
    this.#schema = new Schema(fields, new Map(Object.entries(metadata)));
  }

  /** One batch as a complete IPC stream. It is a copy, so the batch can be reused. */
  encode(batch: Batch): Uint8Array {
    const sent = batch.columns.values();
    const children = this.#columns.map((column, index) => {
      const constant = this.#constants.get(column.name);
      const type = this.#schema.fields[index]?.type ?? new Utf8();
      if (constant) return new Data(type, 0, batch.rows, 0, constant);
      const from = sent.next().value;
      if (from === undefined) throw new RangeError(`a batch without ${column.name}`);
      return new Data(type, 0, batch.rows, from.nulls, buffersOf(column, from, batch.rows));
    });
    const rows = new Data(new Struct(this.#schema.fields), 0, batch.rows, 0, {}, children);
    const writer = new RecordBatchStreamWriter();
    writer.write(new RecordBatch(this.#schema, rows));
    writer.finish();
    return writer.toUint8Array(true);
  }
}

function buffersOf({ kind, decimals }: Column, from: ColumnBuffers, rows: number): AnyBuffers {
  const validity = from.nulls > 0 ? { [BufferType.VALIDITY]: from.validity } : {};
  if (isText(kind)) {
    return {
      ...validity,
      [BufferType.OFFSET]: from.words.subarray(0, rows + 1),
      [BufferType.DATA]: from.text,
    };
  }
  if (decimals !== undefined) return { ...validity, [BufferType.DATA]: widened(from.words, rows) };
  return { ...validity, [BufferType.DATA]: valuesOf(kind, from.words) };
}

/** Converts 64-bit integers to Arrow's 128-bit decimals: the sign fills the upper half. */
function widened(words: Int32Array, rows: number): Uint32Array {
  const wide = new Int32Array(rows * 4);
  for (let row = 0; row < rows; row += 1) {
    const high = words[row * 2 + 1] ?? 0;
    wide[row * 4] = words[row * 2] ?? 0;
    wide[row * 4 + 1] = high;
    wide[row * 4 + 2] = wide[row * 4 + 3] = high >> 31;
  }
  return new Uint32Array(wide.buffer);
}

function valuesOf(kind: FieldKind, { buffer }: Int32Array<ArrayBuffer>): DataType['TArray'] {
  if (kind === 'boolean') return new Uint8Array(buffer);
  if (kind === 'number') return new Float64Array(buffer);
  if (kind === 'integer' || kind === 'date') return new Int32Array(buffer);
  return new BigInt64Array(buffer);
}

function repeated(text: string): AnyBuffers {
  const one = Buffer.from(text);
  const offsets = new Int32Array(BATCH_ROWS + 1).map((_, row) => row * one.length);
  return { [BufferType.OFFSET]: offsets, [BufferType.DATA]: Buffer.alloc(BATCH_ROWS * one.length, one) };
}
