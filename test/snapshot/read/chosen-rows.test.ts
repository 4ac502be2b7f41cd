/** Rows that are chosen by their numbers or their values are those that a reading of all rows gives. */
import { describe, expect, it } from 'vitest';
import type { ParquetSource } from '../../../src/parquet/open-file.ts';
import { writeRows } from '../../../src/parquet/write.ts';
import { type FieldValue, numberOf, type RowRange, rowReader } from '../../../src/snapshot/read/rows.ts';
import { column, defineTable } from '../../../src/tables/table.ts';
import { sharedThread } from '../../parquet/shared-thread.ts';

/** Each kind of column, in each encoding that our files have; four pages a row group. */
const table = defineTable({
  name: 'costs',
  grain: 'one row',
  description: 'A row.',
  key: ['id'],
  from: null,
  group_rows: 4_096,
  columns: [
    column('id', 'id', 'The row, as a difference from the row before.'),
    column('initiative_id', 'id', 'Few values, in a dictionary.', { encoding: 'dictionary' }),
    column('vendor', 'string?', 'Few values, some of them empty.', { encoding: 'dictionary' }),
    column('only', 'string?', 'One value or none.', { encoding: 'dictionary' }),
    column('rare', 'cents?', 'Empty in whole pages.'),
    column('amount_cents', 'cents', 'An amount in every row.'),
    column('usd_amount_cents', 'cents?', 'An amount in some rows.'),
    column('day', 'date?', 'A day.', { encoding: 'dictionary' }),
    column('seen_at', 'timestamp?', 'A moment.'),
    column('rate', 'number?', 'A rate.'),
    column('years', 'integer?', 'Years.'),
    column('locked', 'boolean?', 'Whether it is locked.'),
    column('note', 'text?', 'A text.'),
    column('link', 'text', 'A text that resembles the one before.', { encoding: 'delta' }),
  ],
});
const NAMES = table.columns.map(({ name }) => name).filter((name) => name !== 'snapshot_id');
const ROWS = 10_000;
const rows = Array.from({ length: ROWS }, (_, row) => ({
  id: BigInt(7 + 3 * row),
  initiative_id: BigInt((row * row) % 29),
  vendor: row % 11 === 0 ? null : `Vendor ${(row * 7) % 23}`,
  only: row % 2 === 0 ? null : 'one',
  rare: row > 9_000 && row % 100 === 0 ? BigInt(row) : null,
  amount_cents: BigInt((row * 7_919) % 100_003) - 50_000n,
  usd_amount_cents: row % 13 === 0 ? null : BigInt((row * 31) % 4_001),
  day: row % 17 === 0 ? null : `2026-0${1 + (row % 9)}-11`,
  seen_at: row % 19 === 0 ? null : 1_700_000_000_000_001n + BigInt(row % 50),
  rate: row % 7 === 0 ? null : (row % 40) / 8,
  years: row % 5 === 0 ? null : row % 60,
  locked: row % 3 === 0 ? null : row % 2 === 0,
  note: row % 23 === 0 ? null : `Note ${row % 400}`,
  link: `https://example.com/${1_000_000 + Math.floor(row / 4)}`,
}));
type Row = Readonly<Record<string, FieldValue>>;
const given: readonly Row[] = rows;

const thread = sharedThread();
const pieces: Uint8Array[] = [];
await writeRows({
  table,
  constants: { snapshot_id: 's' },
  metadata: {},
  thread,
  rows,
  sink: async (bytes) => void pieces.push(Uint8Array.from(bytes)),
});
const file = Buffer.concat(pieces);
const source: ParquetSource = {
  size_bytes: file.length,
  read: async (from, to) => Uint8Array.from(file.subarray(from, to + 1)),
};
const opened = await rowReader(async () => undefined)('digest', source, table);

/** The rows of a read, as they were given, by their numbers. */
async function read(range: RowRange, names: readonly string[]): Promise<ReadonlyMap<number, Row>> {
  const found = new Map<number, Row>();
  for await (const piece of opened.read(names as never, range)) {
    const columns: readonly (readonly FieldValue[])[] = piece.columns;
    for (let row = 0; row < piece.rows; row += 1) {
      const cells = names.map((name, index) => [name, columns[index]?.[row] ?? null] as const);
      found.set(numberOf(piece, row), Object.fromEntries(cells));
    }
  }
  return found;
}

/** Holds a read to the rows for which this is true: the same numbers, and every cell as it was given. */
async function expectRead(
  range: RowRange,
  holds: (row: Row, number: number) => boolean,
  names: readonly string[] = NAMES,
): Promise<number> {
  const found = await read(range, names);
  const numbers = [...given.entries()].flatMap(([number, row]) => (holds(row, number) ? [number] : []));
  expect([...found.keys()]).toEqual(numbers);
  const other = numbers.flatMap((number) =>
    names
      .filter((name) => found.get(number)?.[name] !== given[number]?.[name])
      .map((name) => `${number} ${name}`),
  );
  expect(other).toEqual([]);
  return numbers.length;
}

describe('rows with a value', () => {
  it.each(NAMES)('of the column %s are found, and those where it is empty', async (name) => {
    for (const value of [given[9_100]?.[name] ?? null, given[3]?.[name] ?? null, null]) {
      const where = { [name]: (each: FieldValue) => each === value };
      const names = ['usd_amount_cents', name, 'vendor'];
      const found = await expectRead({ where }, (row) => row[name] === value, names);
      expect(found).toBeLessThan(ROWS);
    }
  });

  it('pass every test, within a range', async () => {
    const where = {
      vendor: (value: FieldValue) => value === 'Vendor 7' || value === null,
      usd_amount_cents: (value: FieldValue) => typeof value === 'bigint' && value > 2_000n,
    };
    const [from, to] = [1_500, 8_300];
    const holds = (row: Row, number: number): boolean =>
      number >= from &&
      number < to &&
      where.vendor(row['vendor'] ?? null) &&
      where.usd_amount_cents(row['usd_amount_cents'] ?? null);
    expect(await expectRead({ from, to, where }, holds)).toBeGreaterThan(100);
  });

  it('are looked for in a dictionary: each of its entries is tested once a row group', async () => {
    let asked = 0;
    const where = {
      initiative_id: (value: FieldValue) => {
        asked += 1;
        return value === 4n;
      },
    };
    await expectRead({ where }, (row) => row['initiative_id'] === 4n);
    // Three row groups. Of the squares modulo 29, fifteen differ.
    expect(asked).toBe(3 * 15);
  });

  it('are none', async () => {
    expect(await expectRead({ where: { initiative_id: () => false } }, () => false)).toBe(0);
  });
});

describe('rows of given numbers', () => {
  it.each([
    ['none', []],
    ['the first and the last', [0, ROWS - 1]],
    ['both sides of the edge of a page and of a row group', [1_023, 1_024, 4_095, 4_096, 8_191, 8_192]],
    ['each hundredth', Array.from({ length: 100 }, (_, index) => 100 * index)],
    ['all', Array.from({ length: ROWS }, (_, index) => index)],
  ])('%s are read', async (_, numbers) => {
    const wanted = new Set(numbers);
    const found = await expectRead({ at: Uint32Array.from(numbers) }, (_row, number) => wanted.has(number));
    expect(found).toBe(numbers.length);
  });

  it('are read within a range, and only if their values pass', async () => {
    const numbers = Array.from({ length: 900 }, (_, index) => 11 * index);
    const where = { locked: (value: FieldValue) => value === true };
    const wanted = new Set(numbers);
    const holds = (row: Row, number: number): boolean =>
      number >= 2_000 && number < 6_000 && wanted.has(number) && row['locked'] === true;
    const range = { from: 2_000, to: 6_000, at: Uint32Array.from(numbers), where };
    expect(await expectRead(range, holds)).toBeGreaterThan(100);
  });
});
