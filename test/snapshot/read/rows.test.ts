/** Rows of a published table: exact, only what was asked for, and never from a damaged block. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isCrossfootError } from '../../../src/errors.ts';
import { writeRows } from '../../../src/parquet/write.ts';
import { BLOCK_BYTES } from '../../../src/snapshot/format/digest.ts';
import {
  type FieldValue,
  type RowPiece,
  rowReader,
  type TableRows,
} from '../../../src/snapshot/read/rows.ts';
import { TABLES } from '../../../src/tables/all.ts';
import { COMPANIONS } from '../../../src/tables/companions.ts';
import { column, defineTable, type Table } from '../../../src/tables/table.ts';
import { askDuckDb } from '../../parquet/read-back.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { aBuild, ACCOUNT, DAY, MIDNIGHT, publishNow, readerAt } from '../builder/build-harness.ts';
import { sharedThread } from '../../parquet/shared-thread.ts';

// A name that a manifest may have, with columns of every kind.
const table = defineTable({
  name: 'costs',
  grain: 'one row',
  description: 'A row.',
  key: ['id'],
  from: null,
  group_rows: 16,
  columns: [
    column('id', 'id', 'The row.'),
    column('amount_cents', 'cents?', 'An amount.'),
    column('day', 'date?', 'A day.'),
    column('seen_at', 'timestamp?', 'When it was seen.'),
    column('rate', 'number?', 'A rate.'),
    column('years', 'integer?', 'Years.'),
    column('locked', 'boolean?', 'Whether it is locked.'),
    column('stage', 'string?', 'A stage.', { encoding: 'dictionary' }),
    column('notes', 'text?', 'A text that cannot be compressed.'),
  ],
});
const NAMES = table.columns.map(({ name }) => name);
const ROWS = 50;
/** Fifty rows in four groups: extreme 64-bit numbers, an empty cell in each column, six megabytes of text. */
const rows = Array.from({ length: ROWS }, (_, index) => ({
  id: BigInt(index),
  amount_cents: [null, 2n ** 63n - 1n, -(2n ** 63n), 9_007_199_254_740_993n][index % 4] ?? null,
  day: index % 3 === 0 ? null : '2026-02-28',
  seen_at: index % 5 === 0 ? null : 1_700_000_000_000_001n + BigInt(index),
  rate: index % 7 === 0 ? null : 0.1 * index,
  years: index % 4 === 0 ? null : index,
  locked: index % 2 === 0 ? null : index % 4 === 1,
  stage: index % 6 === 0 ? null : 'live',
  notes: index === 9 ? null : randomBytes(60_000).toString('hex'),
}));

const thread = sharedThread();

async function written(of: Table, given: Parameters<typeof writeRows>[0]['rows']): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const sink = async (bytes: Uint8Array) => void pieces.push(Uint8Array.from(bytes));
  await writeRows({ table: of, constants: { snapshot_id: 's' }, metadata: {}, thread, rows: given, sink });
  return Buffer.concat(pieces);
}
const file = await written(table, rows);

const rangeOf = (bytes: Buffer) => async (from: number, to: number) =>
  Uint8Array.from(bytes.subarray(from, to + 1));

/** The reader of a store that holds the file, and the store's objects. */
async function published() {
  const objects = new Map<string, Uint8Array>();
  const store = memoryStore(objects);
  await publishNow(store, aBuild('rows', MIDNIGHT, new Map([['costs', file]])));
  const reader = readerAt(store, () => MIDNIGHT + DAY);
  return { objects, open: () => reader.openRows(ACCOUNT, '20260301T000000Z', table) };
}

/** The rows of the pieces as objects. */
async function taken(pieces: AsyncIterable<RowPiece>, names: readonly string[]) {
  const out: Record<string, FieldValue>[] = [];
  for await (const piece of pieces) {
    expect(piece.first).toBe(out.length);
    for (let row = 0; row < piece.rows; row += 1) {
      out.push(
        Object.fromEntries(
          names.map((name, position) => [name, piece.columns[position]?.[row] ?? null] as const),
        ),
      );
    }
  }
  return out;
}

describe('the rows of a table', () => {
  it('are those that were written and those that DuckDB reads, to the last digit of 64-bit numbers', async () => {
    const { open } = await published();
    const opened = await open();
    expect(opened.count).toBe(ROWS);
    const read = await taken(opened.read(NAMES), NAMES);
    expect(read).toEqual(rows.map((row) => ({ snapshot_id: 's', ...row })));
    const second = await askDuckDb(
      file,
      `select * replace (day::varchar as day, epoch_us(seen_at) as seen_at) from file`,
    );
    expect(read).toEqual(second);
  });

  it('are read from any row to any other, and the bounds of a group tell where an instant lies', async () => {
    const { open } = await published();
    const opened = await open();
    const piece = await opened.read(['id'], { from: 15, to: 33 }).next();
    expect(piece.value).toEqual({ first: 15, rows: 1, columns: [[15n]] });
    const ids = [];
    for await (const { columns } of opened.read(['id'], { from: 15, to: 33 }))
      ids.push(...(columns[0] ?? []));
    expect(ids).toEqual(rows.slice(15, 33).map(({ id }) => id));
    // Sixteen rows a group: the last of the first group is row 14, because row 15 has no instant.
    expect(opened.groups.map(({ first, rows: count }) => [first, count])).toEqual([
      [0, 16],
      [16, 16],
      [32, 16],
      [48, 2],
    ]);
    expect(opened.groups[0]?.greatest('seen_at')).toBe(rows[14]?.seen_at);
    expect(opened.groups[0]?.greatest('notes')).toBeNull();
  });

  it('never come from a damaged block, while rows of other blocks are still answered', async () => {
    const { objects, open } = await published();
    const key = [...objects.keys()].find((name) => name.endsWith('/costs.parquet')) ?? '';
    const damaged = Uint8Array.from(file);
    damaged[BLOCK_BYTES + 5] = (damaged[BLOCK_BYTES + 5] ?? 0) ^ 1;
    objects.set(key, damaged);
    const opened = await open();
    // The last group lies in other blocks than the damaged one.
    expect(await opened.read(['id'], { from: 48 }).next()).toMatchObject({
      value: { columns: [[48n, 49n]] },
    });
    await expect(taken(opened.read(['notes']), ['notes'])).rejects.toMatchObject({ code: 'file_corrupt' });
    // Known as damaged now: the file is refused as a whole.
    await expect(open()).rejects.toMatchObject({ code: 'file_corrupt' });
  });

  it('hold the requested column of one group in memory, not its other columns and not the file', async () => {
    const reads: number[] = [];
    const source = {
      size_bytes: file.length,
      read: async (from: number, to: number) => {
        reads.push(to + 1 - from);
        return Uint8Array.from(file.subarray(from, to + 1));
      },
    };
    const opened = await rowReader(async () => undefined)('digest', source, table);
    reads.length = 0;
    await taken(opened.read(['amount_cents', 'stage']), ['amount_cents', 'stage']);
    // Sixteen numbers and short texts a group: a few hundred bytes, where a group has a megabyte.
    expect(Math.max(...reads)).toBeLessThan(1_000);
    reads.length = 0;
    await opened.read(['notes'], { from: 48 }).next();
    // Two texts of 120,000 hexadecimal digits, which compress to half.
    expect(reads.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(140_000);
  });

  it('refuse a column that the file lacks, and a number that is not of the declared type', async () => {
    const source = { size_bytes: file.length, read: rangeOf(file) };
    const other = {
      ...table,
      columns: [
        ...table.columns.filter(({ name }) => name !== 'rate'),
        column('later', 'cents?', 'A column of a later version.'),
        // The file has doubles here: a decimal, too, would arrive as a floating-point number.
        column('rate', 'cents?', 'An amount.'),
      ],
    };
    const opened = await rowReader(async () => undefined)('digest', source, other);
    const refusal = async (name: 'later' | 'rate') =>
      await taken(opened.read([name]), [name]).catch((error: unknown) => error);
    expect(await refusal('later')).toMatchObject({ code: 'parameter_refused', status: 400 });
    expect(await refusal('rate')).toMatchObject({ code: 'file_corrupt', status: 503 });
  });

  it.each([...TABLES, ...Object.values(COMPANIONS)])(
    'refuse an empty cell of $name as damage in each column that is never empty, and in no other',
    async (declared: Table) => {
      const columns = declared.columns.map((each) => ({
        ...each,
        nullable: true,
        encoding: 'plain' as const,
      }));
      const empty = Object.fromEntries(columns.map(({ name }) => [name, null]));
      const bytes = await written({ ...declared, columns }, [empty]);
      const source = { size_bytes: bytes.length, read: rangeOf(bytes) };
      const opened: TableRows = await rowReader(async () => undefined)('digest', source, declared);
      const named = columns.map(({ name }) => name).filter((name) => name !== 'snapshot_id');
      const refused: string[] = [];
      for (const name of named)
        await taken(opened.read([name]), [name]).catch((error: unknown) => {
          if (isCrossfootError(error, 'file_corrupt')) refused.push(name);
        });
      const required = declared.columns.filter(({ nullable, never_empty }) => !nullable || never_empty);
      expect(refused).toEqual(required.map(({ name }) => name).filter((name) => named.includes(name)));
    },
  );
});
