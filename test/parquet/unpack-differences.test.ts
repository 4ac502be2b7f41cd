/** Whole numbers that a Parquet file stores as differences are read as they were written. */
import { expect, it } from 'vitest';
import { unpackDifferences } from '../../src/parquet/unpack-differences.ts';

/** A number as a varint. */
function varint(value: bigint): readonly number[] {
  return value < 128n ? [Number(value)] : [Number(value % 128n) + 128, ...varint(value / 128n)];
}
const zigzag = (value: bigint): readonly number[] => varint(value >= 0n ? 2n * value : -2n * value - 1n);

/** The numbers in blocks of sixteen, in parts of eight, as the page of the format says; a part has its own width. */
function packed(values: readonly bigint[]): Uint8Array {
  const [first = 0n] = values;
  const steps = values.slice(1).map((value, index) => value - (values[index] ?? 0n));
  const bytes = [...varint(16n), ...varint(2n), ...varint(BigInt(values.length)), ...zigzag(first)];
  for (let start = 0; start < steps.length; start += 16) {
    const block = steps.slice(start, start + 16);
    const least = block.reduce((a, b) => (a < b ? a : b));
    const parts = [block.slice(0, 8), block.slice(8)].map((part) => part.map((step) => step - least));
    const widths = parts.map((part) =>
      part.reduce((most, each) => Math.max(most, each.toString(2).length), 0),
    );
    bytes.push(...zigzag(least), ...widths);
    for (const [index, part] of parts.entries()) {
      const width = BigInt(widths[index] ?? 0);
      if (part.length === 0) continue;
      const bits = part.reduce((sum, each, value_index) => sum | (each << (BigInt(value_index) * width)), 0n);
      // Eight values of so many bits are as many bytes.
      for (let byte = 0n; byte < width; byte += 1n) bytes.push(Number((bits >> (8n * byte)) & 255n));
    }
  }
  return Uint8Array.from(bytes);
}

function read(values: readonly bigint[], before = 0): readonly bigint[] | null {
  const bytes = Uint8Array.from([...Array.from<number>({ length: before }).fill(255), ...packed(values)]);
  const into = new BigInt64Array(values.length);
  return unpackDifferences(bytes, before, into) ? [...into] : null;
}

const drawn = (count: number, size: bigint) =>
  Array.from({ length: count }, (_, row) => ((BigInt(row) * 7_919n) % 101n) * size - 40n * size);

it.each([
  ['none', []],
  ['one', [7n]],
  ['a row of numbers that rise by one', Array.from({ length: 30 }, (_, row) => 1_000n + BigInt(row))],
  ['small ones', drawn(50, 1n)],
  ['negative ones, and more than 32 bits', drawn(50, 5_000_000n).map((value) => value - 9_000_000_000n)],
  ['the largest', [2n ** 52n - 1n, 2n ** 53n - 2n]],
  ['the least', [-(2n ** 52n), 1n - 2n ** 53n]],
])('%s', (_, values) => {
  expect(read(values)).toEqual(values);
  expect(read(values, 3)).toEqual(values);
});

it.each([
  ['a first number above 52 bits', [2n ** 52n, 5n]],
  ['a sum that no number holds', [2n ** 52n - 1n, 2n ** 53n - 2n, 3n * 2n ** 52n - 3n]],
  ['a difference of more than 32 bits', [0n, 2n ** 40n, 1n, 2n]],
])('%s is left to the library', (_, values) => {
  expect(read(values)).toBe(null);
});

it('a page that ends too early is refused', () => {
  const bytes = packed(drawn(50, 1_000n));
  expect(() => unpackDifferences(bytes.subarray(0, 20), 0, new BigInt64Array(50))).toThrow('ends too early');
});
