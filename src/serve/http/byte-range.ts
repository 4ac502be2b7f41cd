/** Reading a Range header, by RFC 9110 section 14. */
import type { ByteRange } from '../../snapshot/read/reader.ts';

// One range of bytes: `0-499`, `500-` or `-500`, with the blanks and empty list elements that the grammar allows.
const ONE_RANGE = /^bytes=[ \t,]*(?:(\d+)-(\d*)|-(\d+))[ \t,]*$/i;

/**
 * The part of a file of that size that a Range header asks for; `unsatisfiable` when it has no byte of it. Null means
 * the whole file: no header, another unit, several ranges or something malformed, all of which a server may ignore.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const found = ONE_RANGE.exec(header ?? '');
  if (found === null) return null;
  const [, first, last, suffix] = found;
  const end = size - 1;
  if (first === undefined) {
    const length = Number(suffix);
    return length === 0 ? 'unsatisfiable' : { from: Math.max(0, size - length), to: end };
  }
  const from = Number(first);
  const to = last === undefined || last === '' ? end : Number(last);
  if (last !== '' && to < from) return null;
  return from > end ? 'unsatisfiable' : { from, to: Math.min(to, end) };
}
