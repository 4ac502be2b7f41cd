/** Parts of a table, joined under one footer, are byte for byte the file that is written at once; other parts are refused. */
import { expect, it } from 'vitest';
import { isCrossfootError } from '../../src/errors.ts';
import type { FilePart } from '../../src/parquet/file-part.ts';
import { joinParts } from '../../src/parquet/join-parts.ts';
import type { Row } from '../../src/parquet/row-fields.ts';
import { decodeStruct, encodeStruct, type Struct } from '../../src/parquet/thrift.ts';
import { writeRows } from '../../src/parquet/write.ts';
import { FILE_SETS } from '../../src/tables/file-sets.ts';
import type { Table } from '../../src/tables/table.ts';
import { itInSweeps } from '../support/sweeps.ts';
import { draws, drawnRows } from './drawn-rows.ts';
import { everyKind } from './every-kind.ts';
import { askDuckDb, collector, footerOf } from './read-back.ts';
import { sharedThread } from './shared-thread.ts';

const thread = sharedThread();

const GROUP_ROWS = 64;
const constants = { snapshot_id: '20260131T235959Z' };
const metadata = { table: 'a table', snapshot_id: constants.snapshot_id };

/** The rows of a range as a file of its own. */
async function fileOf(
  table: Table,
  rows: readonly Row[],
  of: { metadata: Readonly<Record<string, string>>; constants?: Readonly<Record<string, string>> } = {
    metadata,
  },
): Promise<Buffer> {
  const { sink, bytes } = collector();
  const own = Object.fromEntries(
    Object.entries({ ...constants, ...of.constants }).filter(([name]) =>
      table.columns.some((column) => column.name === name),
    ),
  );
  await writeRows({ table, rows, constants: own, metadata: of.metadata, sink, thread });
  return bytes();
}

/** A part that records its largest read. */
function partOf(bytes: Buffer, rows: number, read = { most: 0 }): FilePart {
  return {
    rows,
    source: {
      size_bytes: bytes.length,
      async read(from, to) {
        read.most = Math.max(read.most, to + 1 - from);
        return Uint8Array.from(bytes.subarray(from, to + 1));
      },
    },
  };
}

async function join(table: Table, parts: readonly FilePart[]) {
  const { sink, bytes } = collector();
  const joined = await joinParts({ table, parts, sink });
  return { joined, bytes: bytes() };
}

/** The rows in ranges of whole row groups, as equal as they can be; the last range has the rest. */
function inRanges(rows: readonly Row[], ranges: number): (readonly Row[])[] {
  const groups = Math.ceil(rows.length / GROUP_ROWS);
  const borders = Array.from({ length: ranges + 1 }, (_, range) => Math.floor((groups * range) / ranges));
  return borders.slice(1).map((to, range) => rows.slice((borders[range] ?? 0) * GROUP_ROWS, to * GROUP_ROWS));
}

/** Joins nine row groups of drawn rows in 1, 2, 3 and 8 ranges. For every second seed, the last row group is whole. */
async function joinedInRanges(declared: Table, seed: number): Promise<readonly boolean[]> {
  const table = { ...declared, group_rows: GROUP_ROWS };
  const rows = drawnRows(table, GROUP_ROWS * 9 - (seed % 2) * 17, seed + 1);
  const undivided = await fileOf(table, rows);
  const equal: boolean[] = [];
  for (const ranges of [1, 2, 3, 8]) {
    const parts: FilePart[] = [partOf(await fileOf(table, []), 0)];
    for (const range of inRanges(rows, ranges)) parts.push(partOf(await fileOf(table, range), range.length));
    const { joined, bytes } = await join(table, parts);
    equal.push(
      bytes.equals(undivided) && joined.rows === rows.length && joined.size_bytes === undivided.length,
    );
  }
  return equal;
}

const ALL_EQUAL = [true, true, true, true];

it('parts of a table with every kind in 1, 2, 3 and 8 ranges have the bytes of one file', async () => {
  expect(await joinedInRanges(everyKind, 0)).toEqual(ALL_EQUAL);
});

const TABLES = FILE_SETS.flatMap(({ tables }): readonly Table[] => tables);

itInSweeps.each(TABLES.map((table, index) => [table.name, table, index] as const))(
  'parts of %s in 1, 2, 3 and 8 ranges have the bytes of one file',
  async (_, table, seed) => {
    expect(await joinedInRanges(table, seed)).toEqual(ALL_EQUAL);
  },
);

it('the digests of a joined file are those of one file, also of its blocks', async () => {
  const table = { ...everyKind, group_rows: 2_048 };
  const draw = draws(7);
  // Texts that do not compress: the file has several blocks.
  const rows = drawnRows(table, 5_000, 7).map((row) => ({
    ...row,
    a_text: Array.from({ length: 40 }, () => draw().toString(36)).join(''),
  }));
  const { sink, bytes } = collector();
  const undivided = await writeRows({ table, rows, constants, metadata, sink, thread });
  const read = { most: 0 };
  const parts = [partOf(await fileOf(table, rows.slice(0, 4_096)), 4_096, read)];
  parts.push(partOf(await fileOf(table, rows.slice(4_096)), 904, read));
  const { joined, bytes: file } = await join(table, parts);
  expect(joined).toEqual(undivided);
  expect(file.equals(bytes())).toBe(true);
  // The parts are read in pieces of at most 1 MiB.
  expect(undivided.blocks.length).toBeGreaterThan(32);
  expect(read.most).toBe(1_048_576);
  const [found] = await askDuckDb(file, 'select count(*)::int as rows, sum(an_id)::varchar as ids from file');
  const ids = rows.reduce((sum, row: Row) => sum + BigInt(String(row['an_id'])), 0n);
  expect(found).toEqual({ rows: 5_000, ids: String(ids) });
});

const small = { ...everyKind, group_rows: GROUP_ROWS };
const rows = drawnRows(small, 2 * GROUP_ROWS, 3);
const halves = [rows.slice(0, GROUP_ROWS), rows.slice(GROUP_ROWS)] as const;

/** The footer of a file, changed. */
function withFooter(file: Buffer, change: (footer: Struct) => Struct): Buffer {
  const from = file.length - 8 - file.readUInt32LE(file.length - 8);
  const footer = encodeStruct(change(decodeStruct(file.subarray(from, -8))));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([file.subarray(0, from), footer, length, Buffer.from('PAR1')]);
}

/** A footer with another number in a field of each column chunk's metadata. */
const inMeta =
  (id: number, number: (before: number) => number) =>
  (footer: Struct): Struct =>
    edited(footer, [4, 1, 3, id], (value) => number(value as number));

/** A structure with another value where a path of fields leads; a list is followed into each of its structures. */
function edited(
  struct: Struct,
  [id = 0, ...path]: readonly number[],
  change: (value: unknown) => unknown,
): Struct {
  const field = struct.get(id);
  if (field === undefined) throw new RangeError(`no field ${id}`);
  const follow = (value: unknown): unknown => {
    if (path.length === 0) return change(value);
    if (value instanceof Map) return edited(value as Struct, path, change);
    const { type, values } = value as { type: number; values: readonly Struct[] };
    return { type, values: values.map((each) => edited(each, path, change)) };
  };
  return new Map(struct).set(id, { ...field, value: follow(field.value) as never });
}

it.each<[string, (second: Buffer) => Buffer | Promise<Buffer>, string]>([
  [
    'with another schema',
    () =>
      fileOf(
        {
          ...small,
          columns: small.columns.map((each) => (each.name === 'a_text' ? { ...each, nullable: true } : each)),
        },
        halves[1],
      ),
    'part 2 of 2 has another schema than part 1 of 2',
  ],
  [
    'of another snapshot',
    () => fileOf(small, halves[1], { metadata: { ...metadata, snapshot_id: '20260201T000000Z' } }),
    'part 2 of 2 has other metadata than part 1 of 2',
  ],
  ['with a row less', () => fileOf(small, halves[1].slice(1)), 'part 2 of 2 has 63 rows, expected 64'],
  [
    'with a row more',
    () => fileOf(small, [...halves[1], ...rows.slice(0, 1)]),
    'part 2 of 2 has 65 rows, expected 64',
  ],
  [
    'with another codec',
    (file) =>
      withFooter(
        file,
        inMeta(4, () => 1),
      ),
    'part 2 of 2 has another codec than ZSTD',
  ],
  [
    'with row groups of another size',
    () => fileOf({ ...small, group_rows: 32 }, halves[1]),
    'part 2 of 2 has a row group of 32 rows, expected 64',
  ],
  [
    'with a column chunk of fewer values',
    (file) =>
      withFooter(
        file,
        inMeta(5, (before) => before - 1),
      ),
    'part 2 of 2 has a row group of 63 rows, expected 64',
  ],
  [
    'whose footer counts other rows than its row groups',
    (file) => withFooter(file, (footer) => edited(footer, [4, 3], () => 63)),
    'part 2 of 2 has a row group of 63 rows, expected 64',
  ],
  [
    'whose pages begin elsewhere',
    (file) =>
      withFooter(
        file,
        inMeta(9, (before) => before + 1),
      ),
    'part 2 of 2 has a damaged footer: it names another place for a piece of the file',
  ],
  [
    'whose column index begins elsewhere',
    (file) => withFooter(file, (footer) => edited(footer, [4, 1, 6], (before) => Number(before) - 1)),
    'part 2 of 2 has a damaged footer: it names another place for a piece of the file',
  ],
  [
    'whose offset index begins elsewhere',
    (file) => withFooter(file, (footer) => edited(footer, [4, 1, 4], (before) => Number(before) + 1)),
    'part 2 of 2 has a damaged footer: it names another place for a piece of the file',
  ],
  [
    'whose columns have other names',
    (file) =>
      withFooter(file, (footer) =>
        edited(footer, [4, 1, 3, 3], (list) => ({ ...(list as object), values: [Buffer.from('another')] })),
      ),
    'part 2 of 2 has a damaged footer: it lacks the column snapshot_id',
  ],
  [
    'without its row groups',
    (file) => withFooter(file, (footer) => new Map([...footer].filter(([id]) => id !== 4))),
    'part 2 of 2 has a damaged footer: it lacks field 4, or has it of another type',
  ],
  ['that was cut off', (file) => file.subarray(0, -9), 'part 2 of 2 is no whole Parquet file'],
  [
    'with bytes after its end',
    (file) => Buffer.concat([file, Buffer.from('x')]),
    'part 2 of 2 is no whole Parquet file',
  ],
  ['that is empty', () => Buffer.alloc(0), 'part 2 of 2 is no Parquet file: it has 0 bytes'],
])('the join refuses a part %s', async (_, change, message) => {
  const second = await change(await fileOf(small, halves[1]));
  const parts = [partOf(await fileOf(small, halves[0]), 64), partOf(second, 64)];
  await expect(join(small, parts)).rejects.toMatchObject({
    code: 'parts_refused',
    message: `every_kind: ${message}; nothing was kept.`,
    data: { table: 'every_kind' },
  });
});

it('the join refuses a part before the last whose last row group is not whole', async () => {
  const first = partOf(await fileOf(small, rows.slice(0, 63)), 63);
  await expect(join(small, [first, partOf(await fileOf(small, halves[1]), 64)])).rejects.toMatchObject({
    code: 'parts_refused',
    message: 'every_kind: part 1 of 2 has 63 rows, expected whole row groups of 64; nothing was kept.',
  });
});

itInSweeps(
  'the join refuses a part with any changed byte in its footer, or keeps its pages unchanged',
  async () => {
    const undivided = await fileOf(small, rows);
    const [indexes] = footerOf(undivided).row_groups.flatMap(({ columns }) => columns);
    const pages_end = Number(indexes?.column_index_offset);
    const first = partOf(await fileOf(small, halves[0]), 64);
    const file = await fileOf(small, halves[1]);
    const from = file.length - 8 - file.readUInt32LE(file.length - 8);
    const outcomes = new Set<string>();
    for (let at = from; at < file.length; at += 1) {
      const changed = Buffer.from(file);
      changed[at] = (changed[at] ?? 0) ^ 0x15;
      outcomes.add(
        await join(small, [first, partOf(changed, 64)]).then(
          ({ bytes }) =>
            bytes.subarray(0, pages_end).equals(undivided.subarray(0, pages_end)) ? 'joined' : 'other pages',
          (error: unknown) => (isCrossfootError(error) ? error.code : String(error)),
        ),
      );
    }
    // A changed size or statistic stays as it is. A statistic of another type fails where the joined footer is read again.
    expect([...outcomes].toSorted()).toEqual(['joined', 'parquet_failed', 'parts_refused']);
  },
);
