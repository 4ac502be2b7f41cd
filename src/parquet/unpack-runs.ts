/**
 * Small whole numbers as Parquet packs them: runs of one repeated number, and runs of numbers of some bits each. The library's own
 * function takes three times as long, because it asks a view for each byte.
 */

/** A byte of a varint has so many bits of the number. */
const VARINT_BITS = 7;
const BYTE_BITS = 8;

/** Fills `into` with the numbers of `width` bits, of at most 24, that begin at this byte; throws a RangeError if they end too early. */
export function unpackRuns(
  bytes: Uint8Array,
  from: number,
  width: number,
  into: Int32Array | Uint8Array,
): void {
  const mask = (1 << width) - 1;
  let at = from;
  let filled = 0;
  while (filled < into.length) {
    let header = 0;
    for (let shift = 0; ; shift += VARINT_BITS) {
      const byte = bytes[at++] ?? endsEarly();
      header |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    if ((header & 1) === 0) {
      let value = 0;
      for (let bits = 0; bits < width; bits += BYTE_BITS) value |= (bytes[at++] ?? endsEarly()) << bits;
      const end = filled + (header >>> 1);
      into.fill(value, filled, end);
      if (end === filled) endsEarly();
      filled = end;
      continue;
    }
    // Numbers of a packed run come in eights; those after the last row are padding.
    const next = at + (header >>> 1) * width;
    const end = Math.min(filled + (header >>> 1) * BYTE_BITS, into.length);
    if (end === filled) endsEarly();
    let bits = 0;
    let held = 0;
    while (filled < end) {
      while (held < width) {
        bits |= (bytes[at++] ?? endsEarly()) << held;
        held += BYTE_BITS;
      }
      into[filled++] = bits & mask;
      bits >>>= width;
      held -= width;
    }
    at = next;
  }
}

function endsEarly(): never {
  throw new RangeError('a page of a column ends too early');
}
