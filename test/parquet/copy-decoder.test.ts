import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCrossfootError } from '../../src/errors.ts';
import { BATCH_ROWS, clearBatch, makeBatch, type Batch } from '../../src/parquet/batch.ts';
import { CopyDecoder } from '../../src/parquet/copy-decoder.ts';
import { column, defineTable } from '../../src/tables/table.ts';
import {
  bool,
  copyBinary,
  copyRow,
  date,
  float8,
  int2,
  int4,
  int8,
  text,
  timestamptz,
  type CopyField,
} from '../support/copy-binary.ts';
import { copyRows, everyKind, everyKindColumns } from './every-kind.ts';

const whole = copyBinary(copyRows);

/** Decodes pieces of a stream of every kind into one batch. */
function decode(pieces: readonly Uint8Array[]): Batch {
  const decoder = new CopyDecoder(everyKind, everyKindColumns);
  const batch = makeBatch(everyKindColumns);
  for (const piece of pieces) {
    decoder.add(piece);
    expect(decoder.fill(batch)).toBe(false);
  }
  decoder.end();
  expect(decoder.rows).toBe(batch.rows);
  return batch;
}

/** All that two rows leave in a batch, as one text: quicker to compare than the buffers. */
function contents(batch: Batch): string {
  const parts = batch.columns.map(({ nulls, validity, words, text: texts }) =>
    [
      nulls,
      validity[0],
      words.subarray(0, 4).join(),
      Buffer.from(texts.subarray(0, 210)).toString('hex'),
    ].join(),
  );
  return [batch.rows, batch.bytes, ...parts].join('\n');
}

/** The code and message with which a stream is refused. */
function codeOf(bytes: Uint8Array): string {
  try {
    decode([bytes]);
  } catch (error) {
    if (isCrossfootError(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'taken';
}

/** One bit of a bitmap. */
function bit(bytes: Uint8Array, row: number): boolean {
  return (((bytes[row >> 3] ?? 0) >> (row & 7)) & 1) === 1;
}

describe('decoding', () => {
  const batch = decode([whole]);
  const columnAt = (index: number): Batch['columns'][number] => {
    const found = batch.columns[index];
    if (found === undefined) throw new Error(`no column ${index}`);
    return found;
  };

  it('counts rows and nulls', () => {
    expect(batch.rows).toBe(2);
    expect(batch.columns.map(({ nulls }) => nulls)).toEqual([...Array(10).fill(0), ...Array(10).fill(1)]);
    expect(columnAt(0).validity[0]).toBe(0b11);
    expect(columnAt(10).validity[0]).toBe(0b01);
  });

  it('keeps 64-bit numbers whole', () => {
    expect(new BigInt64Array(columnAt(0).words.buffer)[0]).toBe(9_007_199_254_740_993n);
    expect(new BigInt64Array(columnAt(10).words.buffer)[0]).toBe(-9_223_372_036_854_775_808n);
    expect(new Float64Array(columnAt(4).words.buffer)[1]).toBe(-0.1);
  });

  it('counts days and instants from 1970, also before it', () => {
    expect(columnAt(6).words[0]).toBe(11_017); // 10,957 + 60
    expect(columnAt(16).words[0]).toBe(-1); // 10,957 - 10,958
    expect(new BigInt64Array(columnAt(7).words.buffer)[0]).toBe(946_684_800_000_001n);
    expect(new BigInt64Array(columnAt(17).words.buffer)[0]).toBe(-1n);
  });

  it('lays texts end to end, an absent one as nothing', () => {
    expect([...columnAt(1).words.subarray(0, 3)]).toEqual([0, 3, 6]);
    expect(Buffer.from(columnAt(1).text.subarray(0, 6)).toString()).toBe('EUREUR');
    expect([...columnAt(12).words.subarray(0, 3)]).toEqual([0, 100, 100]);
  });
});

describe('chunks', () => {
  it('makes the same batch wherever the stream is cut in two', () => {
    const expected = contents(decode([whole]));
    for (let at = 0; at <= whole.length; at++) {
      expect(contents(decode([whole.subarray(0, at), whole.subarray(at)]))).toBe(expected);
    }
  });

  it('makes the same batch of any pieces', () => {
    const expected = contents(decode([whole]));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sizes) => {
        const pieces: Uint8Array[] = [];
        for (let at = 0; at < whole.length;) {
          const piece = whole.subarray(at, at + (sizes[pieces.length % sizes.length] ?? 1));
          pieces.push(piece);
          at += piece.length;
        }
        expect(contents(decode(pieces))).toBe(expected);
      }),
      { numRuns: 200 },
    );
  });

  it('takes a text that is longer than any buffer', () => {
    const long = 'é'.repeat(1_000_000);
    const rows = copyRows.map((row) => row.with(2, text(long)));
    const bytes = copyBinary(rows);
    const batch = decode([bytes.subarray(0, 700_000), bytes.subarray(700_000)]);
    expect([...(batch.columns[2]?.words.subarray(0, 3) ?? [])]).toEqual([0, 2_000_000, 4_000_000]);
    expect(Buffer.from(batch.columns[2]?.text.subarray(2_000_000, 4_000_000) ?? []).toString()).toBe(long);
  });
});

describe('batches', () => {
  const narrow = defineTable({
    name: 'narrow',
    grain: 'one row',
    description: 'One column.',
    key: ['a_text'],
    source: 'select',
    columns: [column('a_text', 'text', 'A text.')],
  });
  const columns = narrow.columns.slice(1);

  function batchesOf(values: readonly string[]): number[] {
    const decoder = new CopyDecoder(narrow, columns);
    const batch = makeBatch(columns);
    const sizes: number[] = [];
    decoder.add(copyBinary(values.map((value) => [text(value)])));
    while (decoder.fill(batch)) {
      sizes.push(batch.rows);
      clearBatch(batch);
    }
    decoder.end();
    return [...sizes, batch.rows];
  }

  it('closes a batch at 16 Ki rows', () => {
    expect(BATCH_ROWS).toBe(16_384);
    expect(batchesOf(Array<string>(16_383).fill('x'))).toEqual([16_383]);
    expect(batchesOf(Array<string>(16_384 + 2).fill('x'))).toEqual([16_384, 2]);
  });

  it('closes a batch early when its texts reach 32 MiB', () => {
    const mebibyte = 'x'.repeat(1024 * 1024);
    expect(batchesOf(Array<string>(33).fill(mebibyte))).toEqual([32, 1]);
  });

  it('leaves nothing of its last use in a batch', () => {
    const batch = decode([whole]);
    clearBatch(batch);
    expect(batch.rows).toBe(0);
    expect(batch.bytes).toBe(0);
    const left = batch.columns.filter(
      ({ nulls, validity, words }) => nulls !== 0 || validity.some(Boolean) || words.some(Boolean),
    );
    expect(left).toEqual([]);
  });
});

describe('refusals', () => {
  const [row = []] = copyRows;
  const withField = (index: number, field: CopyField): Uint8Array =>
    copyBinary([row, row.with(index, field)]);

  it('refuses a stream cut at any byte', () => {
    for (let at = 0; at < whole.length; at++) {
      expect(codeOf(whole.subarray(0, at))).toMatch(/^copy_cut_short: .*every_kind/);
    }
  });

  it('refuses a byte after the end mark', () => {
    expect(codeOf(Buffer.concat([whole, Buffer.from([0])]))).toMatch(/^copy_extra_bytes: .*every_kind/);
  });

  it('refuses an extra byte that comes in a chunk of its own', () => {
    expect(() => decode([whole, Buffer.from([0])])).toThrow('goes on after its end mark');
  });

  it('refuses another signature, flag or extension', () => {
    for (let at = 0; at < 19; at++) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(codeOf(changed)).toMatch(/^copy_signature_wrong: .*every_kind/);
    }
  });

  it('refuses another signature before the header is whole', () => {
    const decoder = new CopyDecoder(everyKind, everyKindColumns);
    decoder.add(Buffer.from('PGX'));
    expect(() => decoder.fill(makeBatch(everyKindColumns))).toThrow('signature');
  });

  it('refuses a row with a field too few, too many, or a count below the end mark', () => {
    expect(codeOf(copyBinary([row, row.slice(1)]))).toMatch(
      /^copy_field_count: .*every_kind has 19 fields in row 2, expected 20/,
    );
    expect(codeOf(copyBinary([[...row, null]]))).toMatch(/^copy_field_count: .* 21 fields in row 1/);
    const negative = Buffer.concat([whole.subarray(0, 19), int2(-2)]);
    expect(codeOf(negative)).toMatch(/^copy_field_count: .* -2 fields/);
  });

  it('refuses a length below null', () => {
    const broken = Buffer.concat([whole.subarray(0, 19), int2(20), int4(-2)]);
    expect(codeOf(broken)).toMatch(/^copy_field_width: every_kind\.an_id, row 1:/);
  });

  it.each(everyKindColumns.map(({ name, nullable }, index) => ({ name, nullable, index })))(
    'takes null in $name only if it is nullable ($nullable)',
    ({ name, nullable, index }) => {
      const expected = nullable ? 'taken' : `value_missing: every_kind.${name}, row 2:`;
      expect(codeOf(withField(index, null)).slice(0, expected.length)).toBe(expected);
    },
  );

  // 0 an_id, 3 an_integer, 4 a_number, 5 a_boolean, 6 a_date, 7 a_timestamp, 8 some_cents
  it.each([0, 3, 4, 5, 6, 7, 8])('refuses column %i with a byte too few or too many', (index) => {
    const width = row[index]?.length ?? 0;
    const name = everyKindColumns[index]?.name;
    for (const length of [0, width - 1, width + 1]) {
      expect(codeOf(withField(index, Buffer.alloc(length)))).toContain(
        `copy_field_width: every_kind.${name}, row 2:`,
      );
    }
  });

  it('refuses infinite days and instants, and instants beyond 64 bits since 1970', () => {
    const infinite = /^value_infinite: every_kind\.a_(date|timestamp), row 2:/;
    expect(codeOf(withField(6, date(2_147_483_647)))).toMatch(infinite);
    expect(codeOf(withField(6, date(-2_147_483_648)))).toMatch(infinite);
    expect(codeOf(withField(7, timestamptz(9_223_372_036_854_775_807n)))).toMatch(infinite);
    expect(codeOf(withField(7, timestamptz(-9_223_372_036_854_775_808n)))).toMatch(infinite);
    // 2^63 - 1 since 1970 is 9,223,372,036,854,775,807 - 946,684,800,000,000 since 2000: the last that fits.
    expect(codeOf(withField(7, timestamptz(9_222_425_352_054_775_807n)))).toBe('taken');
    expect(codeOf(withField(7, timestamptz(9_222_425_352_054_775_808n)))).toMatch(infinite);
  });

  it('refuses numbers that are none', () => {
    for (const value of [Number.NaN, Infinity, -Infinity]) {
      expect(codeOf(withField(4, float8(value)))).toMatch(/^value_not_finite: every_kind\.a_number, row 2:/);
    }
  });

  it('counts the row it refuses through all batches', () => {
    const rows = [...Array<readonly CopyField[]>(BATCH_ROWS + 1).fill(row), row.with(0, null)];
    const decoder = new CopyDecoder(everyKind, everyKindColumns);
    const batch = makeBatch(everyKindColumns);
    decoder.add(Buffer.concat([copyBinary([]).subarray(0, 19), ...rows.map(copyRow)]));
    expect(decoder.fill(batch)).toBe(true);
    clearBatch(batch);
    expect(() => decoder.fill(batch)).toThrow('every_kind.an_id, row 16386:');
  });
});

describe('instants', () => {
  it('agree with 64-bit arithmetic wherever they lie', () => {
    const table = defineTable({ ...everyKind, columns: [column('at', 'timestamp', 'An instant.')] });
    const columns = table.columns.slice(1);
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 61n), max: 2n ** 61n }), (micros) => {
        const decoder = new CopyDecoder(table, columns);
        const batch = makeBatch(columns);
        decoder.add(copyBinary([[timestamptz(micros)]]));
        decoder.fill(batch);
        const buffer = batch.columns[0]?.words.buffer ?? new ArrayBuffer(8);
        expect(new BigInt64Array(buffer)[0]).toBe(micros + 946_684_800_000_000n);
      }),
    );
  });

  it('take any bit of a boolean as its own', () => {
    const table = defineTable({ ...everyKind, columns: [column('yes', 'boolean?', 'A boolean; or empty.')] });
    const columns = table.columns.slice(1);
    fc.assert(
      fc.property(fc.array(fc.option(fc.boolean()), { maxLength: 100 }), (values) => {
        const decoder = new CopyDecoder(table, columns);
        const batch = makeBatch(columns);
        decoder.add(copyBinary(values.map((value) => [value === null ? null : bool(value)])));
        decoder.fill(batch);
        const [found] = batch.columns;
        const bits = new Uint8Array(found?.words.buffer ?? new ArrayBuffer(0));
        const read = values.map((_, row) => (bit(found?.validity ?? bits, row) ? bit(bits, row) : null));
        expect(read).toEqual(values);
        expect(found?.nulls).toBe(values.filter((value) => value === null).length);
      }),
    );
  });
});

it('reads 64-bit identifiers of any size', () => {
  const table = defineTable({ ...everyKind, columns: [column('an_id', 'id', 'An id.')] });
  const columns = table.columns.slice(1);
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (id) => {
      const decoder = new CopyDecoder(table, columns);
      const batch = makeBatch(columns);
      decoder.add(copyBinary([[int8(id)]]));
      decoder.fill(batch);
      expect(new BigInt64Array(batch.columns[0]?.words.buffer ?? new ArrayBuffer(8))[0]).toBe(id);
    }),
  );
});
