/**
 * Reads the number of rows from the footer of a Parquet file that has just passed by: what the file itself says,
 * counted neither by us nor by the library's return value.
 */
import { CrossfootError } from '../errors.ts';

// A footer takes about 0.2 KB per column and row group: 1 MB for 50 columns and 10 M rows.
const KEPT_BYTES = 8 * 1024 * 1024;
const MAGIC = 'PAR1';

/** Keeps the end of a file while it passes by. */
export class FileTail {
  readonly #chunks: Uint8Array[] = [];
  #kept = 0;

  get keptBytes(): number {
    return this.#kept;
  }

  /** The bytes are kept as they are, not copied: nobody may change them. */
  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#kept += chunk.length;
    for (;;) {
      const oldest = this.#chunks[0]?.length ?? 0;
      if (oldest === 0 || this.#kept - oldest < KEPT_BYTES) return;
      this.#chunks.shift();
      this.#kept -= oldest;
    }
  }

  /** The rows that the footer promises a reader. */
  rowCount(): number {
    const tail = Buffer.concat(this.#chunks);
    const end = tail.length - 8;
    const start = end < 0 ? -1 : end - tail.readUInt32LE(end);
    if (start < 0 || tail.toString('latin1', end + 4) !== MAGIC) throw unreadable();
    return new FileMetaData(tail.subarray(start, end)).rowCount();
  }
}

function unreadable(): CrossfootError {
  return new CrossfootError('parquet_failed', 'The Parquet file ends without a footer that can be read.');
}

// Types of Thrift's compact protocol that need a word of their own; all others are one varint.
const [TRUE, FALSE, BYTE, DOUBLE, BINARY, LIST, SET, STRUCT] = [1, 2, 3, 7, 8, 9, 10, 12] as const;
const MAP = 11;
const ROWS_FIELD = 3; // FileMetaData: 1 version, 2 schema, 3 num_rows

/** As much of a Thrift reader as it takes to walk to one field: everything before it is skipped by its type. */
class FileMetaData {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  rowCount(): number {
    for (let field = 0; ;) {
      const head = this.#byte();
      if (head === 0) throw unreadable();
      field = head >> 4 === 0 ? this.#zigzag() : field + (head >> 4);
      if (field === ROWS_FIELD) return this.#zigzag();
      this.#skip(head & 15);
    }
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw unreadable();
    this.#at += 1;
    return byte;
  }

  #varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  #zigzag(): number {
    const value = this.#varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  #skip(type: number): void {
    if (type === TRUE || type === FALSE) return;
    if (type === BYTE) this.#at += 1;
    else if (type === DOUBLE) this.#at += 8;
    else if (type === BINARY) this.#skipBytes();
    else if (type === LIST || type === SET) this.#skipList();
    else if (type === STRUCT) this.#skipStruct();
    else if (type === MAP) throw unreadable(); // FileMetaData has none
    else this.#varint();
  }

  #skipBytes(): void {
    const length = this.#varint(); // moves `at` itself, so not in the same expression
    this.#at += length;
  }

  #skipList(): void {
    const head = this.#byte();
    const size = head >> 4 === 15 ? this.#varint() : head >> 4;
    const type = head & 15;
    // In a list a boolean takes a byte; in a struct it is part of the field's head.
    for (let i = 0; i < size; i++) this.#skip(type === TRUE || type === FALSE ? BYTE : type);
  }

  #skipStruct(): void {
    for (let head = this.#byte(); head !== 0; head = this.#byte()) {
      if (head >> 4 === 0) this.#varint();
      this.#skip(head & 15);
    }
  }
}
