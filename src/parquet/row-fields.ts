/** Writes one row of computed values into a batch. */
import type { FieldKind, FieldValues } from '../fields.ts';
import type { Column, Table } from '../tables/table.ts';
import { markNull, roomForText, setTrue, type Batch, type ColumnBuffers } from './batch.ts';
import { epochDays } from './day.ts';
import { refuseValue, type ValueFault } from './refusal.ts';

/** A row by published column names; a nullable column without a value is `null`, never omitted. */
export type Row = Readonly<Record<string, FieldValues[FieldKind] | null>>;

/** Checks the type of a value and writes it into a row; returns the fault of a wrong value. */
type PutValue = (into: ColumnBuffers, row: number, value: unknown) => ValueFault | undefined;

const utf8 = new TextEncoder();

const putText: PutValue = (into, row, value) => {
  // A lone surrogate has no UTF-8; the encoder would silently write another character.
  if (typeof value !== 'string' || !value.isWellFormed()) return 'value_not_of_kind';
  const bytes = utf8.encode(value);
  // Reserve the bytes first: this may replace the buffer by a larger one.
  const begin = roomForText(into, row, bytes.length);
  into.text.set(bytes, begin);
  return undefined;
};

const putInteger: PutValue = (into, row, value) => {
  if (typeof value !== 'number' || (value | 0) !== value) return 'value_not_of_kind';
  into.words[row] = value;
  return undefined;
};

const putWhole: PutValue = (into, row, value) => {
  if (typeof value !== 'bigint' || BigInt.asIntN(64, value) !== value) return 'value_not_of_kind';
  into.words[row * 2] = Number(BigInt.asIntN(32, value));
  into.words[row * 2 + 1] = Number(value >> 32n);
  return undefined;
};

const double = new Float64Array(1);
const doubleWords = new Int32Array(double.buffer);

const putNumber: PutValue = (into, row, value) => {
  if (typeof value !== 'number') return 'value_not_of_kind';
  if (!Number.isFinite(value)) return 'value_not_finite';
  double[0] = value;
  into.words.set(doubleWords, row * 2);
  return undefined;
};

const putBoolean: PutValue = (into, row, value) => {
  if (typeof value !== 'boolean') return 'value_not_of_kind';
  if (value) setTrue(into, row);
  return undefined;
};

const putDay: PutValue = (into, row, value) => {
  const days = typeof value === 'string' ? epochDays(value) : undefined;
  if (days === undefined) return 'value_not_of_kind';
  into.words[row] = days;
  return undefined;
};

const PUT_VALUE: Readonly<Record<FieldKind, PutValue>> = {
  string: putText,
  text: putText,
  json: putText,
  integer: putInteger,
  number: putNumber,
  boolean: putBoolean,
  date: putDay,
  timestamp: putWhole,
  id: putWhole,
  cents: putWhole,
};

/** Adds a row to a batch that is not full; `number` is the row's number in the table, for errors. */
export function putRow(
  batch: Batch,
  table: Table,
  columns: readonly Column[],
  row: Row,
  number: number,
): void {
  for (const [index, column] of columns.entries()) {
    const into = batch.columns[index];
    if (into === undefined) throw new RangeError('a batch of another table');
    const value = row[column.name];
    if (value === null) {
      if (!column.nullable) throw refuseValue('value_missing', table, column, number);
      markNull(into, batch.rows, column.kind);
      continue;
    }
    const fault = PUT_VALUE[column.kind](into, batch.rows, value);
    if (fault !== undefined) throw refuseValue(fault, table, column, number);
    batch.bytes += typeof value === 'string' ? value.length : 8;
  }
  batch.rows += 1;
}
