/**
 * Thrift's compact protocol, in which Parquet writes its footers. Structures are decoded and encoded without their schema,
 * so that a changed offset leaves every other byte as it was.
 */

const TRUE = 1;
const FALSE = 2;
const BYTE = 3;
const I16 = 4;
const I32 = 5;
const I64 = 6;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
export const STRUCT = 12;

const DOUBLE_BYTES = 8;
/** A list of this length or longer has its length in a varint. */
const LONG_LIST = 15;
/** Footers nest at most six levels. The limit keeps hostile bytes from filling the stack. */
const MAX_DEPTH = 16;

export interface List {
  readonly type: number;
  readonly values: readonly Value[];
}

export type Value = boolean | number | Uint8Array | List | Struct;

export interface Field {
  readonly type: number;
  readonly value: Value;
}

/** The fields of a structure by their numbers, in ascending order. */
export type Struct = ReadonlyMap<number, Field>;

/** The structure in these bytes; throws a RangeError unless encoding it gives exactly these bytes again. */
export function decodeStruct(bytes: Uint8Array): Struct {
  const struct = new Decoder(bytes).struct(0);
  if (!Buffer.from(bytes).equals(encodeStruct(struct))) throw new RangeError('has another form of numbers');
  return struct;
}

class Decoder {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  struct(depth: number): Struct {
    if (depth > MAX_DEPTH) throw new RangeError('nests too deeply');
    const fields = new Map<number, Field>();
    let last = 0;
    for (let head = this.#byte(); head !== 0; head = this.#byte()) {
      const id = head >> 4 === 0 ? this.#integer() : last + (head >> 4);
      if (id <= last) throw new RangeError('has its fields out of order');
      const type = head & 15;
      const value = type === TRUE || type === FALSE ? type === TRUE : this.#value(type, depth);
      fields.set(id, { type, value });
      last = id;
    }
    return fields;
  }

  #value(type: number, depth: number): Value {
    if (type === BYTE) return this.#byte();
    if (type === I16 || type === I32 || type === I64) return this.#integer();
    if (type === DOUBLE) return this.#take(DOUBLE_BYTES);
    if (type === BINARY) return this.#take(this.#varint());
    if (type === STRUCT) return this.struct(depth + 1);
    if (type === LIST) return this.#list(depth);
    throw new RangeError(`has a value of the unknown type ${type}`);
  }

  #list(depth: number): List {
    const head = this.#byte();
    const length = head >> 4 === LONG_LIST ? this.#varint() : head >> 4;
    const type = head & 15;
    const values: Value[] = [];
    // In a list, a boolean has a byte of its own.
    for (let index = 0; index < length; index += 1)
      values.push(this.#value(type === TRUE || type === FALSE ? BYTE : type, depth + 1));
    return { type, values };
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new RangeError('ends too early');
    this.#at += 1;
    return byte;
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('ends too early');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  #varint(): number {
    let number = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#byte();
      number += (byte & 127) * factor;
      if (number + factor > Number.MAX_SAFE_INTEGER) throw new RangeError('has a number over 2^52');
      if (byte < 128) return number;
    }
  }

  /** Zigzag: 0, -1, 1, -2, 2 are written as 0, 1, 2, 3, 4. */
  #integer(): number {
    const number = this.#varint();
    return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
  }
}

/** The bytes of a structure. */
export function encodeStruct(struct: Struct): Buffer {
  const encoder = new Encoder();
  encoder.struct(struct);
  return encoder.bytes();
}

class Encoder {
  #buffer = Buffer.alloc(1_024);
  #length = 0;

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  struct(struct: Struct): void {
    let last = 0;
    for (const [id, { type, value }] of struct) {
      const step = id - last;
      this.#byte(step < LONG_LIST + 1 ? (step << 4) | type : type);
      if (step > LONG_LIST) this.#integer(id);
      if (type !== TRUE && type !== FALSE) this.#value(type, value);
      last = id;
    }
    this.#byte(0);
  }

  #value(type: number, value: Value): void {
    if (typeof value === 'number') {
      if (type === BYTE) this.#byte(value);
      else this.#integer(value);
    } else if (value instanceof Uint8Array) {
      if (type === BINARY) this.#varint(value.length);
      this.#put(value);
    } else if (value instanceof Map) this.struct(value);
    else if (typeof value === 'object' && 'values' in value) this.#list(value as List);
  }

  #list({ type, values }: List): void {
    this.#byte(((values.length < LONG_LIST ? values.length : LONG_LIST) << 4) | type);
    if (values.length >= LONG_LIST) this.#varint(values.length);
    for (const value of values) this.#value(type === TRUE || type === FALSE ? BYTE : type, value);
  }

  #byte(byte: number): void {
    this.#makeRoom(1);
    this.#buffer[this.#length] = byte;
    this.#length += 1;
  }

  #put(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #varint(number: number): void {
    let left = number;
    for (; left > 127; left = Math.floor(left / 128)) this.#byte((left % 128) | 128);
    this.#byte(left);
  }

  #integer(number: number): void {
    this.#varint(number < 0 ? -number * 2 - 1 : number * 2);
  }

  #makeRoom(length: number): void {
    if (this.#length + length <= this.#buffer.length) return;
    const larger = Buffer.alloc(Math.max(this.#length + length, this.#buffer.length * 2));
    larger.set(this.bytes());
    this.#buffer = larger;
  }
}
