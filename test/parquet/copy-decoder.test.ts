import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BATCH_ROWS, clearBatch, makeBatch, type Batch } from '../../src/parquet/batch.ts';
import { CopyDecoder } from '../../src/parquet/copy-decoder.ts';
import { column, defineTable } from '../../src/tables/table.ts';
import { bool, copyBinary, int8, text, timestamptz } from '../support/copy-binary.ts';
import { decodeEveryKind } from './decode-every-kind.ts';
import { copyRows, everyKind } from './every-kind.ts';
import { itInSweeps } from '../support/sweeps.ts';

const stream = copyBinary(copyRows);

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

/** One bit of a bitmap. */
function bit(bytes: Uint8Array, row: number): boolean {
  return (((bytes[row >> 3] ?? 0) >> (row & 7)) & 1) === 1;
}

describe('decoding', () => {
  const batch = decodeEveryKind([stream]);
  const columnAt = (index: number): Batch['columns'][number] => {
    const found = batch.columns[index];
    if (found === undefined) throw new Error(`no column ${index}`);
    return found;
  };

  it('counts rows and nulls', () => {
    expect(batch.rows).toBe(2);
    expect(batch.columns.map(({ nulls }) => nulls)).toEqual([...Array(10).fill(0), ...Array(10).fill(1)]);
    expect(columnAt(0).validity[0]).toBe(0b1111_1111);
    expect(columnAt(10).validity[0]).toBe(0b1111_1101);
  });

  it('keeps 64-bit numbers whole (F-18)', () => {
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
  itInSweeps('makes the same batch wherever the stream is cut in two', () => {
    const expected = contents(decodeEveryKind([stream]));
    for (let at = 0; at <= stream.length; at++) {
      expect(contents(decodeEveryKind([stream.subarray(0, at), stream.subarray(at)]))).toBe(expected);
    }
  });

  it('makes the same batch of any pieces', () => {
    const expected = contents(decodeEveryKind([stream]));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sizes) => {
        const pieces: Uint8Array[] = [];
        for (let at = 0; at < stream.length;) {
          const piece = stream.subarray(at, at + (sizes[pieces.length % sizes.length] ?? 1));
          pieces.push(piece);
          at += piece.length;
        }
        expect(contents(decodeEveryKind(pieces))).toBe(expected);
      }),
      { numRuns: 200 },
    );
  });

  it('takes a text that is longer than any buffer', () => {
    const long = 'é'.repeat(1_000_000);
    const rows = copyRows.map((row) => row.with(2, text(long)));
    const bytes = copyBinary(rows);
    const batch = decodeEveryKind([bytes.subarray(0, 700_000), bytes.subarray(700_000)]);
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
    from: null,
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

  it('copies texts of every length up to 300 bytes, each after the one before', () => {
    const values = Array.from({ length: 301 }, (_, length) =>
      String.fromCodePoint(...Array.from({ length }, (_each, at) => 33 + ((at * 7 + length) % 90))),
    );
    const decoder = new CopyDecoder(narrow, columns);
    const batch = makeBatch(columns);
    decoder.add(copyBinary(values.map((value) => [text(value)])));
    decoder.fill(batch);
    const [found] = batch.columns;
    // 0 + 1 + ... + 300 bytes, more than the buffer of an empty batch.
    expect(found?.words[301]).toBe(45_150);
    expect(Buffer.from(found?.text.subarray(0, 45_150) ?? []).toString()).toBe(values.join(''));
  });

  it('closes a batch at 16 Ki rows', () => {
    expect(BATCH_ROWS).toBe(16_384);
    expect(batchesOf(Array<string>(16_383).fill('x'))).toEqual([16_383]);
    expect(batchesOf(Array<string>(16_384 + 2).fill('x'))).toEqual([16_384, 2]);
  });

  it('closes a batch early when its texts reach 4 MiB', () => {
    const mebibyte = 'x'.repeat(1024 * 1024);
    expect(batchesOf(Array<string>(5).fill(mebibyte))).toEqual([4, 1]);
  });

  it('leaves nothing of its last use in a batch', () => {
    const batch = decodeEveryKind([stream]);
    clearBatch(batch);
    expect(batch.rows).toBe(0);
    expect(batch.bytes).toBe(0);
    const left = batch.columns.filter(
      ({ nulls, validity, words }) =>
        nulls !== 0 || validity.some((byte) => byte !== 0xff) || words.some(Boolean),
    );
    expect(left).toEqual([]);
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

it('the decoder reads 64-bit identifiers of any size', () => {
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
