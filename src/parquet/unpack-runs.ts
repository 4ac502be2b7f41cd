/**
 * Small whole numbers as Parquet packs them: runs of one repeated number, and runs of numbers of some bits each. The library's own
 * function takes many times as long, because it asks a view for each byte; this one asks for four bytes at once.
 */

/** A byte of a varint has so many bits of the number. */
const VARINT_BITS = 7;
const BYTE_BITS = 8;
const WORD_BYTES = 4;

/**
 * Fills `into` with the numbers of `width` bits, of at most 24, that begin at this byte; throws a RangeError if they end too early.
 * With `only`, which are ascending indexes of `into`, no number of a packed run at another index is read.
 */
export function unpackRuns(
  bytes: Uint8Array,
  from: number,
  width: number,
  into: Int32Array | Uint8Array,
  only: Uint32Array | null = null,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mask = (1 << width) - 1;
  const last = only === null ? into.length : (only.at(-1) ?? -1) + 1;
  let at = from;
  let filled = 0;
  let next = 0;
  while (filled < last) {
    let header = 0;
    for (let shift = 0; ; shift += VARINT_BITS) {
      const byte = bytes[at++] ?? endsEarly();
      header |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    const first = filled;
    if ((header & 1) === 0) {
      let value = 0;
      for (let bits = 0; bits < width; bits += BYTE_BITS) value |= (bytes[at++] ?? endsEarly()) << bits;
      filled = Math.min(first + (header >>> 1), into.length);
      into.fill(value, first, filled);
    } else {
      // Numbers of a packed run come in eights; those after the last row are padding.
      filled = Math.min(first + (header >>> 1) * BYTE_BITS, into.length);
      if (at + Math.ceil(((filled - first) * width) / BYTE_BITS) > bytes.length) endsEarly();
      let index = first;
      if (only !== null) {
        while ((only[next] ?? filled) < first) next += 1;
        index = only[next] ?? filled;
      }
      while (index < filled) {
        const bit = (index - first) * width;
        into[index] = (wordAt(bytes, view, at + (bit >>> 3)) >>> (bit & 7)) & mask;
        index = only === null ? index + 1 : (only[(next += 1)] ?? filled);
      }
      at += (header >>> 1) * width;
    }
    if (filled === first) endsEarly();
  }
}

/** The four bytes from this one; 0 for those after the end. */
function wordAt(bytes: Uint8Array, view: DataView, from: number): number {
  if (from + WORD_BYTES <= bytes.length) return view.getUint32(from, true);
  let word = 0;
  for (let ahead = 0; ahead < WORD_BYTES; ahead += 1)
    word |= (bytes[from + ahead] ?? 0) << (BYTE_BITS * ahead);
  return word;
}

function endsEarly(): never {
  throw new RangeError('a page of a column ends too early');
}
