/** Hostile bytes give no structure, and no endless work. */
import { expect, it } from 'vitest';
import { decodeStruct } from '../../src/parquet/thrift.ts';

it.each<[string, number[]]>([
  ['no bytes', []],
  ['a structure without its end', [0x15, 0x02]],
  ['structures in structures without end', Array.from({ length: 100_000 }, () => 0x1c)],
  ['a list that is longer than the bytes', [0x19, 0xf8, 0xff, 0xff, 0xff, 0xff, 0x0f]],
  ['a number that no double can hold', [0x16, ...Array.from({ length: 9 }, () => 0xff), 0x01, 0x00]],
  ['a number without end', [0x16, ...Array.from({ length: 9_000 }, () => 0x80)]],
  ['a number in a longer form', [0x16, 0x82, 0x00, 0x00]],
  ['a map, which footers do not have', [0x1b, 0x00, 0x00]],
  ['bytes after its end', [0x15, 0x02, 0x00, 0x00]],
  ['a field twice', [0x15, 0x02, 0x05, 0x02, 0x02, 0x00]],
])('no structure is decoded from %s', (_, bytes) => {
  expect(() => decodeStruct(Uint8Array.from(bytes))).toThrow(RangeError);
});
