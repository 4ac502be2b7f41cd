import { randomFillSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { writeCopy } from '../../src/parquet/write.ts';
import { column, defineTable } from '../../src/tables/table.ts';
import { copyBinary, copyRow, int8 } from '../support/copy-binary.ts';
import { collector, footerOf } from './read-back.ts';

const amounts = defineTable({
  name: 'amounts',
  grain: 'one row per amount',
  description: 'Amounts without any order: a row group is as many bytes in the file as in memory.',
  key: ['an_id'],
  from: null,
  columns: [column('an_id', 'id', 'A number.'), column('an_amount', 'cents', 'An amount.')],
});

it('a writer requests no more of its source while the sink is busy', async () => {
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  let asked = 0;
  const { sink, bytes } = collector();
  const row = copyRow([int8(0n), int8(0n)]);
  async function* source(): AsyncGenerator<Buffer> {
    yield copyBinary([]).subarray(0, 19);
    for (; asked < 1000; asked++) {
      const thousand = Buffer.alloc(1000 * row.length, row);
      for (let end = row.length; end <= thousand.length; end += row.length) {
        randomFillSync(thousand, end - 8, 8);
      }
      yield thousand;
    }
    yield copyBinary([]).subarray(19);
  }
  const writing = writeCopy({
    table: amounts,
    source: source(),
    rowsSent: () => 1_000_000,
    constants: { snapshot_id: '20260131T235959Z' },
    metadata: { table: 'amounts' },
    sink: async (chunk) => {
      reached.resolve();
      await gate.promise;
      await sink(chunk);
    },
  });
  await reached.promise;
  // Time for the source to run on if nothing held it: as many turns of the loop as it has pieces.
  for (let turn = 0; turn < 2000; turn++) await new Promise(setImmediate);
  const askedWhenBusy = asked;
  gate.resolve();
  await writing;
  // Besides the row groups that WebAssembly holds (2 of 131,072) there are 3 batches of 16,384 rows and the stream's slack.
  expect(askedWhenBusy).toBeLessThan(500);
  expect(footerOf(bytes()).num_rows).toBe(1_000_000n);
});
