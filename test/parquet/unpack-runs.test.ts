/** Packed numbers are those that the library reads, for every width and both kinds of runs. */
import { readRleBitPackedHybrid } from 'hyparquet/src/encoding.js';
import { expect, it } from 'vitest';
import { unpackRuns } from '../../src/parquet/unpack-runs.ts';

/** A run of repeated numbers, then three eights of packed ones, then repeated ones again: 5 + 24 + 3 numbers. */
function packed(width: number): { readonly bytes: Uint8Array; readonly numbers: readonly number[] } {
  const limit = 2 ** width;
  const drawn = Array.from({ length: 24 }, (_, index) => (index * 7_919 + 13) % limit);
  const repeated = (value: number, count: number): number[] => {
    const own = Array.from({ length: Math.ceil(width / 8) }, (_, index) => (value >>> (8 * index)) & 255);
    return [count << 1, ...own];
  };
  const bits = drawn.flatMap((value) => Array.from({ length: width }, (_, bit) => (value >>> bit) & 1));
  const bytes = Array.from({ length: 3 * width }, (_, index) =>
    bits.slice(8 * index, 8 * index + 8).reduce((byte, bit, at) => byte | (bit << at), 0),
  );
  const last = limit - 1;
  return {
    bytes: Uint8Array.from([9, 9, ...repeated(last, 5), (3 << 1) | 1, ...bytes, ...repeated(0, 3)]),
    numbers: [...Array.from({ length: 5 }, () => last), ...drawn, 0, 0, 0],
  };
}

it.each(Array.from({ length: 24 }, (_, index) => index + 1))('numbers of %i bits are unpacked', (width) => {
  const { bytes, numbers } = packed(width);
  for (const count of [32, 30, 29, 17, 5, 3]) {
    const into = new Int32Array(count);
    unpackRuns(bytes, 2, width, into);
    expect([...into]).toEqual(numbers.slice(0, count));
    const library = new Int32Array(count);
    readRleBitPackedHybrid({ view: new DataView(bytes.buffer), offset: 2 }, width, library, bytes.length - 2);
    expect([...into]).toEqual([...library]);
  }
});

it.each([1, 7, 12, 24])('numbers of %i bits are unpacked at some indexes alone', (width) => {
  const { bytes, numbers } = packed(width);
  // Indexes 0 to 4 and 29 to 31 are of repeated runs, 5 to 28 of the packed run.
  for (const only of [[6], [0, 5, 28], [4, 12, 13, 31], [29], []]) {
    const into = new Int32Array(32).fill(-1);
    unpackRuns(bytes, 2, width, into, Uint32Array.from(only));
    expect(only.map((index) => into[index])).toEqual(only.map((index) => numbers[index]));
    const others = into.slice(5, 29).filter((_, ahead) => !only.includes(ahead + 5));
    expect(new Set(others)).toEqual(new Set([-1]));
  }
});

it('numbers that end too early are refused', () => {
  const { bytes } = packed(7);
  for (const end of [0, 2, 3, 10, bytes.length - 1]) {
    expect(() => unpackRuns(bytes.subarray(0, end), 2, 7, new Int32Array(33))).toThrow('ends too early');
  }
  // The last byte of the packed run is missing, of which the last number needs seven bits.
  expect(() => unpackRuns(bytes.subarray(0, 25), 2, 7, new Int32Array(29))).toThrow('ends too early');
  expect(() => unpackRuns(Uint8Array.of(0, 0, 0, 0), 0, 7, new Int32Array(1))).toThrow('ends too early');
});
