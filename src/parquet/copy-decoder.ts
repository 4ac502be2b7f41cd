/** Decodes PostgreSQL's COPY binary format into batches, and refuses a stream that is not complete. */
import { CrossfootError, type ErrorCode } from '../errors.ts';
import { FIELD_KINDS } from '../fields.ts';
import type { Column, Table } from '../tables/table.ts';
import { isFull, markNull, type Batch, type ColumnBuffers } from './batch.ts';
import { takeText, takeValue, type Wire, type WireType } from './copy-fields.ts';
import { refuseValue, type ValueFault } from './refusal.ts';

// The header of the format: this signature, 32 bits of flags and the length of an extension, both 0 today.
const SIGNATURE = [0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0x00] as const;
const HEADER_BYTES = SIGNATURE.length + 8;
const TRAILER = -1;
const ROW_START = -1;
const NULL = -1;

/** Received bytes that are not decoded yet, joined into one array. */
class UnreadBytes implements Wire {
  bytes = new Uint8Array(256 * 1024);
  view = new DataView(this.bytes.buffer);
  /** The index of the next unread byte. */
  at = 0;
  #end = 0;

  get length(): number {
    return this.#end - this.at;
  }

  /** Adds a chunk and drops the bytes already read, so memory grows with the longest row, not with the stream. */
  add(chunk: Uint8Array): void {
    const rest = this.length;
    if (rest + chunk.length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(rest + chunk.length, this.bytes.length * 2));
      larger.set(this.bytes.subarray(this.at, this.#end));
      this.bytes = larger;
      this.view = new DataView(larger.buffer);
    } else {
      this.bytes.copyWithin(0, this.at, this.#end);
    }
    this.bytes.set(chunk, rest);
    this.at = 0;
    this.#end = rest + chunk.length;
  }
}

/**
 * Decodes one COPY binary stream in chunks of any size. It throws unless the stream has exactly the header, rows of the
 * expected columns, and the trailer.
 */
export class CopyDecoder {
  readonly #table: Table;
  readonly #columns: readonly Column[];
  /** The type of each column, looked up only once: a table has tens of millions of fields. */
  readonly #types: readonly WireType[];
  readonly #unread = new UnreadBytes();
  #state: 'header' | 'rows' | 'ended' = 'header';
  /** The next field to read, because a chunk may end within a row. */
  #field = ROW_START;
  #rows = 0;

  /** `columns` are the columns of the stream: those of the table without the constants. */
  constructor(table: Table, columns: readonly Column[]) {
    this.#table = table;
    this.#columns = columns;
    this.#types = columns.map(({ kind }) => FIELD_KINDS[kind].postgres);
  }

  /** Rows decoded so far. */
  get rows(): number {
    return this.#rows;
  }

  /** Takes in the next bytes of the stream. */
  add(chunk: Uint8Array): void {
    this.#unread.add(chunk);
  }

  /** Decodes into the batch. True: the batch is full. False: more bytes are needed. */
  fill(batch: Batch): boolean {
    if (this.#state === 'header' && !this.#readHeader()) return false;
    if (this.#state === 'rows' && this.#readRows(batch)) return true;
    if (this.#state === 'ended' && this.#unread.length > 0) {
      throw this.#refuse('copy_extra_bytes', 'goes on after its end mark');
    }
    return false;
  }

  /** Call it after the end of the stream; throws if the stream was truncated. */
  end(): void {
    if (this.#state !== 'ended') {
      throw this.#refuse('copy_cut_short', `ended in or after row ${this.#rows}, without its end mark`);
    }
  }

  #readHeader(): boolean {
    const unread = this.#unread;
    const present = Math.min(unread.length, SIGNATURE.length);
    for (let i = 0; i < present; i++) {
      if (unread.bytes[unread.at + i] !== SIGNATURE[i]) {
        throw this.#refuse('copy_signature_wrong', 'does not begin with the signature of COPY binary');
      }
    }
    if (unread.length < HEADER_BYTES) return false;
    const flags = unread.view.getUint32(unread.at + SIGNATURE.length);
    const extension = unread.view.getUint32(unread.at + SIGNATURE.length + 4);
    if (flags !== 0 || extension !== 0) {
      throw this.#refuse('copy_signature_wrong', 'announces a form of COPY binary that is not known here');
    }
    unread.at += HEADER_BYTES;
    this.#state = 'rows';
    return true;
  }

  /**
   * Reads rows up to the end of the bytes, of the batch or of the stream; true if the batch is full. A table has tens of
   * millions of fields, so the position is held in local variables and written back once.
   */
  #readRows(batch: Batch): boolean {
    const unread = this.#unread;
    const { view } = unread;
    const end = unread.at + unread.length;
    const types = this.#types;
    const { group_rows } = this.#table;
    const { columns } = batch;
    let { at } = unread;
    let field = this.#field;
    let full = false;
    for (;;) {
      if (field === ROW_START) {
        full = isFull(batch, this.#rows, group_rows);
        if (full || end - at < 2) break;
        const fields = view.getInt16(at);
        at += 2;
        if (fields === TRAILER) {
          this.#state = 'ended';
          break;
        }
        if (fields !== types.length) throw this.#refuseFields(fields);
        field = 0;
      }
      const row = batch.rows;
      let taken = 0;
      for (; field < types.length; field += 1) {
        if (end - at < 4) break;
        const length = view.getInt32(at);
        if (length > end - at - 4) break;
        at += 4;

        const type = types[field];
        const into = columns[field];
        if (type === undefined || into === undefined) throw new RangeError('a batch of another table');
        if (length < 0) {
          this.#takeNull(into, row, field, length);
          continue;
        }
        if (type === 'text') {
          takeText(into, row, unread, at, length);
        } else {
          const fault = takeValue(type, into, row, view, at, length);
          if (fault !== undefined) throw this.#refuseField(fault, field);
        }
        at += length;
        taken += length;
      }
      batch.bytes += taken;
      if (field < types.length) break;
      field = ROW_START;
      batch.rows += 1;
      this.#rows += 1;
    }
    unread.at = at;
    this.#field = field;
    return full;
  }

  #takeNull(into: ColumnBuffers, row: number, field: number, length: number): void {
    const column = this.#columns[field];
    if (column === undefined) throw new RangeError('a field of no column');
    if (length !== NULL) throw refuseValue('copy_field_width', this.#table, column, this.#rows + 1);
    if (!column.nullable) throw refuseValue('value_missing', this.#table, column, this.#rows + 1);
    markNull(into, row, column.kind);
  }

  #refuseField(fault: ValueFault, field: number): CrossfootError {
    const column = this.#columns[field];
    if (column === undefined) throw new RangeError('a field of no column');
    return refuseValue(fault, this.#table, column, this.#rows + 1);
  }

  #refuseFields(fields: number): CrossfootError {
    return this.#refuse(
      'copy_field_count',
      `has ${fields} fields in row ${this.#rows + 1}, expected ${this.#columns.length}`,
    );
  }

  #refuse(code: ErrorCode, what: string): CrossfootError {
    return new CrossfootError(code, `The COPY stream of ${this.#table.name} ${what}.`, {
      data: { table: this.#table.name, rows: this.#rows },
    });
  }
}
