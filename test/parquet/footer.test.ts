import { expect, it } from 'vitest';
import { rowsOfFooter } from '../../src/parquet/footer.ts';

/** A file's end: the footer, its length in four bytes, and the magic. */
function fileEnd(footer: readonly number[], magic = 'PAR1', length = footer.length): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(length);
  return Buffer.concat([Buffer.from('PAR1'), Buffer.from(footer), size, Buffer.from(magic)]);
}

// Thrift's compact protocol: a field's head is (delta << 4 | type), whole numbers are zigzag varints.
const VERSION = [0x15, 0x04]; // field 1, i32: 2
const SCHEMA = [
  [0x19, 0x2c], // field 2, a list of 2 structs
  [0x48, 0x01, 0x61, 0x15, 0x02, 0x00], // field 4, binary "a"; field 5, i32: 1; end
  [0x48, 0x01, 0x62, 0x00], // field 4, binary "b"; end
].flat();
const ROWS = [0x16, 0x80, 0xda, 0xc4, 0x09]; // field 3, i64: zigzag of 10,000,000 = 20,000,000
const GROUPS = [0x19, 0x0c]; // field 4, a list of no structs

it('the reader of a footer finds the number of rows behind a schema of any fields', () => {
  // 20,000,000 = 0x80 0xda 0xc4 0x09: 0 + 90×128 + 68×16,384 + 9×2,097,152 = 11,520 + 1,114,112 + 18,874,368
  expect(rowsOfFooter(fileEnd([...VERSION, ...SCHEMA, ...ROWS, ...GROUPS, 0]))).toBe(10_000_000);
});

it.each([
  ['nothing', Buffer.alloc(0)],
  ['another magic', fileEnd([...VERSION, ...ROWS, ...GROUPS, 0], 'PAR2')],
  ['a footer longer than the file', fileEnd(VERSION, 'PAR1', 1000)],
  ['a footer without rows', fileEnd([...VERSION, ...SCHEMA, 0x29, 0x0c, 0])],
  ['a footer cut in its schema', fileEnd([...VERSION, ...SCHEMA.slice(0, 5)])],
  ['a map before the rows', fileEnd([...VERSION, 0x1b, 0x00, ...ROWS, ...GROUPS, 0])],
])('the reader of a footer refuses %s', (_, bytes) => {
  expect(() => rowsOfFooter(bytes)).toThrow(expect.objectContaining({ code: 'parquet_failed' }));
});
