/** Rows of any table with drawn values. */
import type { Row } from '../../src/parquet/row-fields.ts';
import type { Table } from '../../src/tables/table.ts';

/** Numbers that look random and are the same in each run. */
export function draws(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Rows of any table: values of each column's kind, often repeated, and empty where they may be. */
export function drawnRows(table: Table, count: number, seed: number): readonly Row[] {
  const draw = draws(seed);
  const values: Readonly<Record<string, () => Row[string]>> = {
    string: () => ['EUR', 'USD', 'Größe 数 🚀', ''][Math.floor(draw() * 4)] ?? '',
    text: () => `text ${Math.floor(draw() * 1e9)} ${'x'.repeat(Math.floor(draw() * 40))}`,
    json: () => `{"a":[${Math.floor(draw() * 9)}]}`,
    integer: () => Math.floor((draw() - 0.5) * 2 ** 32),
    number: () => draw() - 0.5,
    boolean: () => draw() < 0.5,
    date: () =>
      `20${10 + Math.floor(draw() * 89)}-0${1 + Math.floor(draw() * 9)}-1${Math.floor(draw() * 10)}`,
    timestamp: () => BigInt(Math.floor(draw() * 1e15)),
    id: () => BigInt(Math.floor(draw() * 1e12)),
    cents: () => BigInt(Math.floor((draw() - 0.5) * 1e12)),
  };
  return Array.from({ length: count }, () =>
    Object.fromEntries(
      table.columns
        .filter(({ name }) => name !== 'snapshot_id')
        .map(({ name, kind, nullable, decimals }) => {
          const value = decimals === undefined ? values[kind]?.() : values['cents']?.();
          return [name, nullable && draw() < 0.3 ? null : (value ?? null)];
        }),
    ),
  );
}
