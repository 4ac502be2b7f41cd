import { expect, it } from 'vitest';
import { isCrossfootError } from '../../src/errors.ts';
import { BATCH_ROWS, clearBatch, makeBatch } from '../../src/parquet/batch.ts';
import { CopyDecoder } from '../../src/parquet/copy-decoder.ts';
import {
  copyBinary,
  copyRow,
  date,
  float8,
  int2,
  int4,
  timestamptz,
  type CopyField,
} from '../support/copy-binary.ts';
import { decodeEveryKind } from './decode-every-kind.ts';
import { copyRows, everyKind, everyKindColumns } from './every-kind.ts';
import { itInSweeps } from '../support/sweeps.ts';

const stream = copyBinary(copyRows);
const [row = []] = copyRows;
const withField = (index: number, field: CopyField): Uint8Array => copyBinary([row, row.with(index, field)]);

/** The code and message with which a stream is refused. */
function codeOf(bytes: Uint8Array): string {
  try {
    decodeEveryKind([bytes]);
  } catch (error) {
    if (isCrossfootError(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'taken';
}

itInSweeps('a stream cut at any byte is refused (F-5)', () => {
  for (let at = 0; at < stream.length; at++) {
    expect(codeOf(stream.subarray(0, at))).toMatch(/^copy_cut_short: .*every_kind/);
  }
});

it('a byte after the end mark is refused', () => {
  expect(codeOf(Buffer.concat([stream, Buffer.from([0])]))).toMatch(/^copy_extra_bytes: .*every_kind/);
});

it('an extra byte in a separate chunk is refused', () => {
  expect(() => decodeEveryKind([stream, Buffer.from([0])])).toThrow('goes on after its end mark');
});

it('another signature, flag or extension is refused', () => {
  for (let at = 0; at < 19; at++) {
    const changed = Buffer.from(stream);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(codeOf(changed)).toMatch(/^copy_signature_wrong: .*every_kind/);
  }
});

it('another signature is refused before the header is whole', () => {
  const decoder = new CopyDecoder(everyKind, everyKindColumns);
  decoder.add(Buffer.from('PGX'));
  expect(() => decoder.fill(makeBatch(everyKindColumns))).toThrow('signature');
});

it('a row with a field too few, too many, or a count below the end mark is refused', () => {
  expect(codeOf(copyBinary([row, row.slice(1)]))).toMatch(
    /^copy_field_count: .*every_kind has 19 fields in row 2, expected 20/,
  );
  expect(codeOf(copyBinary([[...row, null]]))).toMatch(/^copy_field_count: .* 21 fields in row 1/);
  const negative = Buffer.concat([stream.subarray(0, 19), int2(-2)]);
  expect(codeOf(negative)).toMatch(/^copy_field_count: .* -2 fields/);
});

it('a length below null is refused', () => {
  const broken = Buffer.concat([stream.subarray(0, 19), int2(20), int4(-2)]);
  expect(codeOf(broken)).toMatch(/^copy_field_width: every_kind\.an_id, row 1:/);
});

it.each(everyKindColumns.map(({ name, nullable }, index) => ({ name, nullable, index })))(
  'null in $name is taken only if the column is nullable ($nullable)',
  ({ name, nullable, index }) => {
    const expected = nullable ? 'taken' : `value_missing: every_kind.${name}, row 2:`;
    expect(codeOf(withField(index, null)).slice(0, expected.length)).toBe(expected);
  },
);

// 0 an_id, 3 an_integer, 4 a_number, 5 a_boolean, 6 a_date, 7 a_timestamp, 8 some_cents
it.each([0, 3, 4, 5, 6, 7, 8])('column %i with a byte too few or too many is refused', (index) => {
  const width = row[index]?.length ?? 0;
  const name = everyKindColumns[index]?.name;
  for (const length of [0, width - 1, width + 1]) {
    expect(codeOf(withField(index, Buffer.alloc(length)))).toContain(
      `copy_field_width: every_kind.${name}, row 2:`,
    );
  }
});

it('infinite days and instants, and instants beyond 64 bits since 1970, are refused', () => {
  const infinite = /^value_infinite: every_kind\.a_(date|timestamp), row 2:/;
  expect(codeOf(withField(6, date(2_147_483_647)))).toMatch(infinite);
  expect(codeOf(withField(6, date(-2_147_483_648)))).toMatch(infinite);
  expect(codeOf(withField(7, timestamptz(9_223_372_036_854_775_807n)))).toMatch(infinite);
  expect(codeOf(withField(7, timestamptz(-9_223_372_036_854_775_808n)))).toMatch(infinite);
  // 2^63 - 1 since 1970 is 9,223,372,036,854,775,807 - 946,684,800,000,000 since 2000: the last that fits.
  expect(codeOf(withField(7, timestamptz(9_222_425_352_054_775_807n)))).toBe('taken');
  expect(codeOf(withField(7, timestamptz(9_222_425_352_054_775_808n)))).toMatch(infinite);
});

it('NaN and infinite numbers are refused (F-18)', () => {
  for (const value of [Number.NaN, Infinity, -Infinity]) {
    expect(codeOf(withField(4, float8(value)))).toMatch(/^value_not_finite: every_kind\.a_number, row 2:/);
  }
});

it('the number of the refused row counts through all batches', () => {
  const rows = [...Array<readonly CopyField[]>(BATCH_ROWS + 1).fill(row), row.with(0, null)];
  const decoder = new CopyDecoder(everyKind, everyKindColumns);
  const batch = makeBatch(everyKindColumns);
  decoder.add(Buffer.concat([copyBinary([]).subarray(0, 19), ...rows.map(copyRow)]));
  expect(decoder.fill(batch)).toBe(true);
  clearBatch(batch);
  expect(() => decoder.fill(batch)).toThrow('every_kind.an_id, row 16386:');
});
