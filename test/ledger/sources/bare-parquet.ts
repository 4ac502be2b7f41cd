/** A Parquet file of one value, byte by byte: as old and lean writers write it, which the libraries of the tests do not. */

/** A value of Thrift's compact protocol: a number has 32 bits, and a bigint 64. */
type Thrift = number | bigint | string | readonly Thrift[] | Struct;
/** Values by the numbers of their fields. */
export interface Struct {
  readonly [field: number]: Thrift;
}

/** Numbers of the format: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift */
export const FIELD = { type: 1, logical: 10 } as const;
export const TYPE = { int64: 2, int96: 3 } as const;
/** The field of a logical type that is a decimal: of its scale and its digits. */
export const DECIMAL = 5;
const MAGIC = Buffer.from('PAR1');
const NAME = 'a';

function kindOf(value: Thrift | undefined): number {
  if (typeof value === 'number') return 5;
  if (typeof value === 'bigint') return 6;
  if (typeof value === 'string') return 8;
  return Array.isArray(value) ? 9 : 12;
}

function varint(value: number): readonly number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

function isList(value: readonly Thrift[] | Struct): value is readonly Thrift[] {
  return Array.isArray(value);
}

function bytesOf(value: Thrift): readonly number[] {
  if (typeof value === 'number' || typeof value === 'bigint') return varint(Number(value) * 2);
  if (typeof value === 'string') return [...varint(value.length), ...Buffer.from(value)];
  if (isList(value)) return [value.length * 16 + kindOf(value[0]), ...value.flatMap(bytesOf)];
  let before = 0;
  const fields = Object.entries(value).flatMap(([name, each]: [string, Thrift]) => {
    const step = Number(name) - before;
    before = Number(name);
    return [step * 16 + kindOf(each), ...bytesOf(each)];
  });
  return [...fields, 0];
}

/** The file of the column `a` with one value; `element` has the fields of its schema besides its name. */
export function bareParquet(element: Struct, value: Buffer): Buffer {
  const type = element[FIELD.type] ?? TYPE.int64;
  const page = Buffer.from(
    bytesOf({ 1: 0, 2: value.length, 3: value.length, 5: { 1: 1, 2: 0, 3: 3, 4: 3 } }),
  );
  const size = BigInt(page.length + value.length);
  const start = BigInt(MAGIC.length);
  const column = { 1: type, 2: [0], 3: [NAME], 4: 0, 5: 1n, 6: size, 7: size, 9: start };
  const footer = Buffer.from(
    bytesOf({
      1: 1,
      2: [
        { 4: 'schema', 5: 1 },
        { ...element, 3: 0, 4: NAME },
      ],
      3: 1n,
      4: [{ 1: [{ 2: start, 3: column }], 2: size, 3: 1n }],
    }),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([MAGIC, page, value, footer, length, MAGIC]);
}
