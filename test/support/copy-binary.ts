/**
 * COPY binary streams made by hand, from the format's description: signature, flags, extension length, then per row
 * a 16-bit field count and per field a 32-bit length (-1 for null) with its bytes, and -1 at the end.
 */

const header = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const trailer = Buffer.from([0xff, 0xff]);

/** One field's bytes as PostgreSQL's send functions write them, or null. */
export type CopyField = Buffer | null;

export const int2 = (value: number): Buffer => word(2, (bytes) => bytes.writeInt16BE(value));
export const int4 = (value: number): Buffer => word(4, (bytes) => bytes.writeInt32BE(value));
export const int8 = (value: bigint): Buffer => word(8, (bytes) => bytes.writeBigInt64BE(value));
export const float8 = (value: number): Buffer => word(8, (bytes) => bytes.writeDoubleBE(value));
export const bool = (value: boolean): Buffer => Buffer.from([value ? 1 : 0]);
export const text = (value: string): Buffer => Buffer.from(value);
/** A day, as days since 2000-01-01. */
export const date = (days: number): Buffer => int4(days);
/** An instant, as microseconds since 2000-01-01 UTC. */
export const timestamptz = (micros: bigint): Buffer => int8(micros);

export function copyRow(fields: readonly CopyField[]): Buffer {
  const parts = fields.flatMap((field) => (field === null ? [int4(-1)] : [int4(field.length), field]));
  return Buffer.concat([int2(fields.length), ...parts]);
}

/** A whole stream of these rows. */
export function copyBinary(rows: readonly (readonly CopyField[])[]): Buffer {
  return Buffer.concat([header, ...rows.map(copyRow), trailer]);
}

/** The bytes as a stream in pieces of at most this size. */
export async function* inPieces(bytes: Buffer, size = 64 * 1024): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function word(size: number, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(size);
  write(bytes);
  return bytes;
}
