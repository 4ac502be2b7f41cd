import { tableFromIPC } from 'apache-arrow';
import { expect, it } from 'vitest';
import { ArrowStream } from '../../src/parquet/arrow-stream.ts';
import { makeBatch } from '../../src/parquet/batch.ts';
import { putRow } from '../../src/parquet/row-fields.ts';
import { column, type Table } from '../../src/tables/table.ts';

it('a negative amount with decimals has its sign in all 128 bits of Arrow', () => {
  const amount = column('amount', 'cents', 'An amount.', { decimals: 2 });
  const table: Table = { name: 't', grain: '', description: '', key: [], columns: [amount], from: null };
  const batch = makeBatch(table.columns);
  putRow(batch, table, table.columns, { amount: -2n }, 1);
  putRow(batch, table, table.columns, { amount: 5_000_000_000n }, 2);
  const read = tableFromIPC(new ArrowStream(table.columns, {}, {}).encode(batch));
  expect(String(read.schema.fields[0]?.type)).toBe('Decimal[18e+2]');
  const words = [0, 1].map((row) =>
    Array.from((read.getChild('amount')?.get(row) ?? []) as ArrayLike<number>),
  );
  expect(words).toEqual([
    [0xffff_fffe, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff],
    [705_032_704, 1, 0, 0],
  ]);
});
