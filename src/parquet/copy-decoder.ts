import { CrossfootError, type ErrorCode } from '../errors.ts';
import type { Column, Table } from '../tables/table.ts';
import { isFull, markNull, type Batch } from './batch.ts';
import { TAKE_FIELD } from './copy-fields.ts';
import { refuseValue } from './refusal.ts';
import { UnreadBytes } from './unread-bytes.ts';

// The format's header: this signature, 32 bits of flags and the length of an extension, both always 0 today.
const SIGNATURE = [0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0x00] as const;
const HEADER_BYTES = SIGNATURE.length + 8;
const TRAILER = -1;
const ROW_START = -1;

/**
 * Decodes one COPY binary stream, in whatever chunks it comes, and refuses every stream that is not exactly the
 * header, rows of the expected columns, and the trailer.
 */
export class CopyDecoder {
  readonly #table: Table;
  readonly #columns: readonly Column[];
  readonly #unread = new UnreadBytes();
  #state: 'header' | 'rows' | 'ended' = 'header';
  /** The field to be read next, so that a row may stop at any byte and go on with the next chunk. */
  #field = ROW_START;
  #rows = 0;

  /** `columns` are those on the wire: the table's, less the constants. */
  constructor(table: Table, columns: readonly Column[]) {
    this.#table = table;
    this.#columns = columns;
  }

  /** Rows decoded so far. */
  get rows(): number {
    return this.#rows;
  }

  /** Takes in the next bytes of the stream. */
  add(chunk: Uint8Array): void {
    this.#unread.add(chunk);
  }

  /** Decodes into the batch: true when it is full and another is needed, false when more bytes are. */
  fill(batch: Batch): boolean {
    if (this.#state === 'header' && !this.#readHeader()) return false;
    while (this.#state === 'rows') {
      if (this.#field === ROW_START) {
        if (isFull(batch)) return true;
        if (!this.#startRow()) return false;
      } else if (!this.#readField(batch)) {
        return false;
      }
    }
    if (this.#unread.length > 0) throw this.#refuse('copy_extra_bytes', 'goes on after its end mark');
    return false;
  }

  /** To be called when the stream has ended: refuses one that was cut. */
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

  #startRow(): boolean {
    const unread = this.#unread;
    if (unread.length < 2) return false;
    const fields = unread.view.getInt16(unread.at);
    unread.at += 2;
    if (fields === TRAILER) {
      this.#state = 'ended';
    } else if (fields === this.#columns.length) {
      this.#field = 0;
    } else {
      throw this.#refuse(
        'copy_field_count',
        `has ${fields} fields in row ${this.#rows + 1}, expected ${this.#columns.length}`,
      );
    }
    return true;
  }

  #readField(batch: Batch): boolean {
    const unread = this.#unread;
    if (unread.length < 4) return false;
    const length = unread.view.getInt32(unread.at);
    if (length > 0 && unread.length < 4 + length) return false;

    const column = this.#columns[this.#field];
    const into = batch.columns[this.#field];
    if (column === undefined || into === undefined) throw new RangeError('a batch of another table');
    if (length < -1) throw refuseValue('copy_field_width', this.#table, column, this.#rows + 1);
    unread.at += 4;
    if (length === -1) {
      if (!column.nullable) throw refuseValue('value_missing', this.#table, column, this.#rows + 1);
      markNull(into, batch.rows, column.kind);
    } else {
      const fault = TAKE_FIELD[column.kind](into, batch.rows, unread, unread.at, length);
      if (fault !== undefined) throw refuseValue(fault, this.#table, column, this.#rows + 1);
      unread.at += length;
      batch.bytes += length;
    }

    this.#field += 1;
    if (this.#field === this.#columns.length) {
      this.#field = ROW_START;
      this.#rows += 1;
      batch.rows += 1;
    }
    return true;
  }

  #refuse(code: ErrorCode, what: string): CrossfootError {
    return new CrossfootError(code, `The COPY stream of ${this.#table.name} ${what}.`, {
      data: { table: this.#table.name, rows: this.#rows },
    });
  }
}
