import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRange } from '../../../src/serve/http/byte-range.ts';

const WHOLE_FILE = null;
const NONE = 'unsatisfiable';

describe('a Range header, of a file of ten bytes', () => {
  it.each([
    ['bytes=0-3', { from: 0, to: 3 }],
    ['bytes=9-9', { from: 9, to: 9 }],
    ['bytes=0-9', { from: 0, to: 9 }],
    ['bytes=4-', { from: 4, to: 9 }],
    ['bytes=4-99', { from: 4, to: 9 }],
    ['bytes=-3', { from: 7, to: 9 }],
    ['bytes=-10', { from: 0, to: 9 }],
    ['bytes=-11', { from: 0, to: 9 }],
    [`bytes=0-${'9'.repeat(400)}`, { from: 0, to: 9 }],
    [`bytes=-${'9'.repeat(400)}`, { from: 0, to: 9 }],
    ['BYTES=0-3', { from: 0, to: 3 }],
    ['bytes= 0-3 ', { from: 0, to: 3 }],
    ['bytes=,0-3, ,', { from: 0, to: 3 }],
    ['bytes=007-08', { from: 7, to: 8 }],
    ['bytes=10-', NONE],
    ['bytes=10-12', NONE],
    [`bytes=${'9'.repeat(400)}-`, NONE],
    ['bytes=-0', NONE],
    [undefined, WHOLE_FILE],
    ['', WHOLE_FILE],
    ['bytes=', WHOLE_FILE],
    ['bytes=-', WHOLE_FILE],
    ['bytes=5-4', WHOLE_FILE],
    ['bytes=20-12', WHOLE_FILE],
    ['bytes=0-1,4-5', WHOLE_FILE],
    ['bytes=0-1, bytes=4-5', WHOLE_FILE], // two headers, as Node joins them
    ['bytes=0-3-5', WHOLE_FILE],
    ['bytes=--3', WHOLE_FILE],
    ['bytes=+1-3', WHOLE_FILE],
    ['bytes=1.0-3', WHOLE_FILE],
    ['bytes=0x1-3', WHOLE_FILE],
    ['bytes=٣-٤', WHOLE_FILE],
    ['bytes=1 - 3', WHOLE_FILE],
    ['bytes 0-3/10', WHOLE_FILE],
    ['rows=0-3', WHOLE_FILE],
    ['xbytes=0-3', WHOLE_FILE],
  ])('%s', (header, expected) => {
    expect(readRange(header, 10)).toEqual(expected);
  });
});

/** The bytes that a range names, asked of one position after the other. */
function named(size: number, belongs: (at: number) => boolean): number[] {
  return Array.from({ length: size }, (_, at) => at).filter(belongs);
}

function positions(range: ReturnType<typeof readRange>): number[] {
  if (range === NONE || range === WHOLE_FILE) return [];
  return Array.from({ length: range.to - range.from + 1 }, (_, index) => range.from + index);
}

describe('a range of bytes', () => {
  const size = fc.integer({ min: 1, max: 60 });
  const place = fc.integer({ min: 0, max: 80 });

  it('from a first to a last byte gives those that the file has', () => {
    fc.assert(
      fc.property(size, place, place, (length, first, last) => {
        const range = readRange(`bytes=${first}-${last}`, length);
        expect(positions(range)).toEqual(named(length, (at) => first <= at && at <= last));
        // Backwards is malformed, so that the header does not count; beyond the end is refused.
        expect(range === WHOLE_FILE).toBe(last < first);
        expect(range === NONE).toBe(last >= first && first >= length);
      }),
    );
  });

  it('from a first byte on gives all that follow', () => {
    fc.assert(
      fc.property(size, place, (length, first) => {
        const range = readRange(`bytes=${first}-`, length);
        expect(positions(range)).toEqual(named(length, (at) => at >= first));
        expect(range).not.toBe(WHOLE_FILE);
      }),
    );
  });

  it('of a suffix gives the last bytes, all of them when it is longer than the file', () => {
    fc.assert(
      fc.property(size, place, (length, suffix) => {
        const range = readRange(`bytes=-${suffix}`, length);
        expect(positions(range)).toEqual(named(length, (at) => at >= length - suffix));
        expect(range).not.toBe(WHOLE_FILE);
      }),
    );
  });

  it('A-24: lies inside the file, for any header', () => {
    const text = fc.string({
      unit: fc.constantFrom('b', 'y', 't', 'e', 's', '=', '-', ',', ' ', '0', '1', '7', '9'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(size, text, fc.boolean(), (length, rest, prefixed) => {
        const range = readRange(prefixed ? `bytes=${rest}` : rest, length);
        if (range === WHOLE_FILE || range === NONE) return;
        expect(range.from).toBeGreaterThanOrEqual(0);
        expect(range.to).toBeGreaterThanOrEqual(range.from);
        expect(range.to).toBeLessThan(length);
      }),
    );
  });
});
