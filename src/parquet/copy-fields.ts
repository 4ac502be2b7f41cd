/**
 * How one field of each kind goes from the COPY binary format (big-endian, days and microseconds since 2000) into
 * a column's buffers. No BigInt and no string is made on the way.
 */
import type { FieldKind } from '../fields.ts';
import { markPresent, roomForText, setTrue, type ColumnBuffers } from './batch.ts';
import type { ValueFault } from './refusal.ts';

/** Bytes as they came, with a view over the same memory. */
export interface Wire {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** Takes the field of `length` bytes at `at` into a row, or says what is wrong with it. */
type TakeField = (
  into: ColumnBuffers,
  row: number,
  wire: Wire,
  at: number,
  length: number,
) => ValueFault | undefined;

// PostgreSQL counts from 2000-01-01: 10,957 days or 946,684,800,000,000 microseconds after 1970-01-01.
const EPOCH_DAYS = 10_957;
const EPOCH_LOW = Number(946_684_800_000_000n & 0xffff_ffffn);
const EPOCH_HIGH = Number(946_684_800_000_000n >> 32n);

// The largest and smallest values of the type stand for +infinity and -infinity.
const INFINITY_WORD = 0x7fff_ffff;
const MINUS_INFINITY_WORD = -0x8000_0000;

// Measured: up to about 40 bytes a loop is faster than making a view for `set`, at 8 bytes three times.
const SHORT_TEXT_BYTES = 32;

const takeText: TakeField = (into, row, { bytes }, at, length) => {
  const start = roomForText(into, row, length);
  if (length > SHORT_TEXT_BYTES) into.text.set(bytes.subarray(at, at + length), start);
  else for (let i = 0; i < length; i++) into.text[start + i] = bytes[at + i] ?? 0;
  markPresent(into, row);
  return undefined;
};

const takeInteger: TakeField = (into, row, { view }, at, length) => {
  if (length !== 4) return 'copy_field_width';
  into.words[row] = view.getInt32(at);
  markPresent(into, row);
  return undefined;
};

const takeDay: TakeField = (into, row, { view }, at, length) => {
  if (length !== 4) return 'copy_field_width';
  const days = view.getInt32(at);
  if (days === INFINITY_WORD || days === MINUS_INFINITY_WORD) return 'value_infinite';
  into.words[row] = days + EPOCH_DAYS;
  markPresent(into, row);
  return undefined;
};

const takeInstant: TakeField = (into, row, { view }, at, length) => {
  if (length !== 8) return 'copy_field_width';
  const high = view.getInt32(at);
  const low = view.getUint32(at + 4) + EPOCH_LOW;
  const carried = high + EPOCH_HIGH + (low > 0xffff_ffff ? 1 : 0);
  // Both infinities have an extreme high word, which no instant of PostgreSQL's calendar reaches below; above, the
  // last 49 years of it do not fit 64 bits once counted from 1970.
  if (high === MINUS_INFINITY_WORD || carried > INFINITY_WORD) return 'value_infinite';
  into.words[row * 2] = low;
  into.words[row * 2 + 1] = carried;
  markPresent(into, row);
  return undefined;
};

const takeWhole: TakeField = (into, row, { view }, at, length) => {
  if (length !== 8) return 'copy_field_width';
  into.words[row * 2 + 1] = view.getInt32(at);
  into.words[row * 2] = view.getInt32(at + 4);
  markPresent(into, row);
  return undefined;
};

const takeNumber: TakeField = (into, row, wire, at, length) => {
  if (length !== 8) return 'copy_field_width';
  if (!Number.isFinite(wire.view.getFloat64(at))) return 'value_not_finite';
  return takeWhole(into, row, wire, at, length);
};

const takeBoolean: TakeField = (into, row, { bytes }, at, length) => {
  if (length !== 1) return 'copy_field_width';
  if (bytes[at] !== 0) setTrue(into, row);
  markPresent(into, row);
  return undefined;
};

/** The taker of each kind. */
export const TAKE_FIELD: Readonly<Record<FieldKind, TakeField>> = {
  string: takeText,
  text: takeText,
  json: takeText,
  integer: takeInteger,
  number: takeNumber,
  boolean: takeBoolean,
  date: takeDay,
  timestamp: takeInstant,
  id: takeWhole,
  cents: takeWhole,
};
