/** A file that is written in ranges of its key has the bytes of the file that is written at once. */
import { expect, it } from 'vitest';
import { isFull, makeBatch } from '../../src/parquet/batch.ts';
import { writeCopy, writeRows } from '../../src/parquet/write.ts';
import { column, defineTable } from '../../src/tables/table.ts';
import { copyBinary, inPieces, int8, text } from '../support/copy-binary.ts';
import { collector, footerOf } from './read-back.ts';
import { sharedThread } from './shared-thread.ts';

const thread = sharedThread();

const GROUP_ROWS = 18_000;
const GROUPS = 8;
const constants = { snapshot_id: '20260131T235959Z' };

/** A batch takes 16,384 rows, so it would end within a row group of 18,000. The last row group is not whole. */
const long = defineTable({
  name: 'long',
  grain: 'one row per number',
  description: 'Numbers with names.',
  key: ['an_id'],
  from: null,
  group_rows: GROUP_ROWS,
  columns: [
    column('an_id', 'id', 'A number.'),
    column('a_name', 'string', 'One of a few names.', { encoding: 'dictionary' }),
    column('a_text', 'text', 'A text of its own.'),
  ],
});

const ROWS = GROUP_ROWS * GROUPS - 9;

/** The texts differ from row to row, and the names from group to group. */
const VALUES = Array.from({ length: ROWS }, (_, row) => ({
  an_id: BigInt(row),
  a_name: `name ${(row * 7) % 11} of ${Math.floor(row / GROUP_ROWS)}`,
  a_text: `text ${row}`,
}));
const FIELDS = VALUES.map(({ an_id, a_name, a_text }) => [int8(an_id), text(a_name), text(a_text)]);

/** Writes the rows of a range as a file; returns the bytes of each of its row groups. */
type WriteRange = (from: number, to: number) => Promise<readonly Buffer[]>;

const copied: WriteRange = async (from, to) => {
  const { sink, bytes } = collector();
  const source = inPieces(copyBinary(FIELDS.slice(from, to)));
  await writeCopy({ table: long, source, rowsSent: () => to - from, constants, metadata: {}, sink, thread });
  return groupsOf(bytes());
};

const computed: WriteRange = async (from, to) => {
  const { sink, bytes } = collector();
  await writeRows({ table: long, rows: VALUES.slice(from, to), constants, metadata: {}, sink, thread });
  return groupsOf(bytes());
};

function groupsOf(file: Buffer): readonly Buffer[] {
  return footerOf(file).row_groups.map(({ columns }) => {
    const chunks = columns.map(({ meta_data }) => ({
      start: Number(meta_data?.dictionary_page_offset ?? meta_data?.data_page_offset),
      length: Number(meta_data?.total_compressed_size),
    }));
    return Buffer.concat(chunks.map(({ start, length }) => file.subarray(start, start + length)));
  });
}

it.each([
  ['COPY in 2, 3 and 8 ranges', copied, [2, 3, 8]],
  ['computed rows in 3 ranges', computed, [3]],
])('%s of whole row groups: the row groups have the bytes of one file', async (_, write, inRanges) => {
  const undivided = await write(0, ROWS);
  expect(undivided).toHaveLength(GROUPS);
  for (const ranges of inRanges) {
    const each = Math.ceil(GROUPS / ranges) * GROUP_ROWS;
    const parts: Buffer[] = [];
    for (let from = 0; from < ROWS; from += each)
      parts.push(...(await write(from, Math.min(from + each, ROWS))));
    expect(parts.map((group, index) => group.equals(undivided[index] ?? Buffer.alloc(0)))).toEqual(
      Array.from({ length: GROUPS }, () => true),
    );
  }
});

it.each([
  ['131,072 rows, where a table does not say it', 131_072, undefined, true],
  ['no row less', 131_071, undefined, false],
  ['no row more', 131_073, undefined, false],
  ['each multiple', 262_144, undefined, true],
  ['the rows that the table says', 36_000, GROUP_ROWS, true],
])('a batch ends at the border of a row group: %s', (_, rows, group_rows, ends) => {
  const batch = Object.assign(makeBatch(long.columns), { rows: 1 });
  expect(isFull(batch, rows, group_rows)).toBe(ends);
  // The next batch begins at the border.
  expect(isFull({ ...batch, rows: 0 }, rows, group_rows)).toBe(false);
});
