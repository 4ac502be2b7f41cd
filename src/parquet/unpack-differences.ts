/**
 * Whole numbers of 64 bits that Parquet stores as differences, in blocks. The library computes each with eight operations on
 * bigints; here they are numbers, as long as these hold them exactly.
 */

const VARINT_BASE = 128;
const WORD = 2 ** 32;
const WORD_BITS = 32;

/** Fills `into` with the numbers that begin at this byte; false if a number cannot hold one of them exactly. */
export function unpackDifferences(bytes: Uint8Array, from: number, into: BigInt64Array): boolean {
  const words = new Int32Array(into.buffer, into.byteOffset, 2 * into.length);
  let at = from;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= VARINT_BASE) {
      const byte = bytes[at++] ?? endsEarly();
      value += (byte % VARINT_BASE) * scale;
      if (byte < VARINT_BASE) return value;
    }
  };
  /** A number with a sign; NaN if its bits are no exact number. */
  const zigzag = (): number => {
    const value = varint();
    if (!Number.isSafeInteger(value)) return NaN;
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  const in_block = varint();
  const parts = varint();
  varint(); // the number of values
  const in_part = in_block / parts;
  let value = zigzag();
  if (!Number.isSafeInteger(value)) return false;
  const put = (index: number): void => {
    words[2 * index] = value; // the lower 32 bits
    words[2 * index + 1] = Math.floor(value / WORD);
  };
  if (into.length > 0) put(0);
  for (let begin = 1; begin < into.length; begin += in_block) {
    const least = zigzag();
    const widths = at;
    at += parts;
    for (let part = 0; part < parts; part += 1) {
      const first = begin + part * in_part;
      if (first >= into.length) break;
      const width = bytes[widths + part] ?? endsEarly();
      if (width > WORD_BITS || !Number.isSafeInteger(least)) return false;
      const count = Math.min(in_part, into.length - first);
      for (let index = 0; index < count; index += 1) {
        value += least + bitsAt(bytes, at, index * width, width);
        if (!Number.isSafeInteger(value)) return false;
        put(first + index);
      }
      at += (in_part * width) / 8;
    }
  }
  return true;
}

/** The number of `width` bits that begins at this bit. */
function bitsAt(bytes: Uint8Array, from: number, bit: number, width: number): number {
  if (width === 0) return 0;
  const at = from + (bit >>> 3);
  const shift = bit & 7;
  const four =
    (bytes[at] ?? endsEarly()) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24);
  const beyond = shift + width - WORD_BITS;
  if (beyond <= 0) return ((four >>> shift) & (2 ** width - 1)) >>> 0;
  const more = (bytes[at + 4] ?? endsEarly()) & ((1 << beyond) - 1);
  return (four >>> shift) + more * 2 ** (WORD_BITS - shift);
}

function endsEarly(): never {
  throw new RangeError('a page of a column ends too early');
}
