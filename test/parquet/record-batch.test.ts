import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { expect, it } from 'vitest';
import { ArrowStream } from '../../src/parquet/arrow-stream.ts';
import { makeBatch } from '../../src/parquet/batch.ts';
import { toRecordBatch } from '../../src/parquet/record-batch.ts';
import { putRow } from '../../src/parquet/row-fields.ts';
import { column, defineTable } from '../../src/tables/table.ts';

const numbers = defineTable({
  name: 'numbers',
  grain: 'one row per number',
  description: 'Numbers.',
  key: ['an_id'],
  from: null,
  columns: [column('an_id', 'id', 'A number.')],
});

it('the rows of an Arrow stream move into the memory of the library, and the bytes of the stream are freed', () => {
  const columns = numbers.columns.filter(({ name }) => name === 'an_id');
  const batch = makeBatch(columns);
  for (const [at, an_id] of [4n, 9n].entries()) putRow(batch, numbers, columns, { an_id }, at + 1);
  const stream = new ArrowStream(columns, {}, {}).encode(batch);
  const records = toRecordBatch(stream);
  expect(records.numRows).toBe(2);
  expect(stream).toHaveLength(0);
  records.free();
});

it('a stream of two record batches is refused', () => {
  const one = tableFromArrays({ an_id: BigInt64Array.of(4n) });
  const two = tableToIPC(one.concat(tableFromArrays({ an_id: BigInt64Array.of(9n) })), 'stream');
  expect(() => toRecordBatch(two)).toThrow('one batch did not come out as one');
});
