/** Parses a Range header, by RFC 9110 section 14. */
import type { ByteRange } from '../../snapshot/read/snapshot-reader.ts';

// One range of bytes: `0-499`, `500-` or `-500`, with the blanks and empty list elements of the grammar.
const ONE_RANGE = /^bytes=[ \t,]*(?:(\d+)-(\d*)|-(\d+))[ \t,]*$/i;

/**
 * The range of a file of this size that a Range header requests; `unsatisfiable` when it lies outside the file. Null means
 * the whole file: no header, another unit, several ranges or a malformed header, all of which a server may ignore.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = ONE_RANGE.exec(header ?? '');
  if (match === null) return null;
  const [, first, last, suffix] = match;
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
