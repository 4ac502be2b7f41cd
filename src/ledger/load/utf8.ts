/** Finds the lines of a byte stream that are not UTF-8. */
import { isUtf8 } from 'node:buffer';
import { Transform } from 'node:stream';

const NEWLINE = 10;
// A file in another encoding is wrong on most lines; the first ones are enough.
const MAX_LINES = 100;

/** Passes bytes on unchanged and notes the line of each malformed sequence, before the bytes go on. */
export function watchUtf8(malformed: Set<number>): Transform {
  let line = 1;
  let carried: Buffer = Buffer.alloc(0);
  const look = (bytes: Buffer): void => {
    const whole = isUtf8(bytes);
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      if (!whole && malformed.size < MAX_LINES && !isUtf8(bytes.subarray(from, end))) malformed.add(line);
      line += 1;
      from = end + 1;
    }
    if (!whole && !isUtf8(bytes.subarray(from))) malformed.add(line);
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const bytes = carried.length === 0 ? chunk : Buffer.concat([carried, chunk]);
      const cut = bytes.length - openSequence(bytes);
      look(bytes.subarray(0, cut));
      carried = bytes.subarray(cut);
      done(null, chunk);
    },
    flush(done) {
      if (carried.length > 0) malformed.add(line);
      done();
    },
  });
}

/** The number of bytes at the end that belong to an incomplete character. */
function openSequence(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    const isContinuation = (byte & 0xc0) === 0x80;
    if (isContinuation) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}
