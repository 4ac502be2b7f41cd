/**
 * Joins the parts of a table under one footer, without decoding a page. Each part has whole row groups, so the joined file
 * has the bytes of the file that one worker writes at once. Memory holds the footers of the parts, and one piece of a part.
 */
import type { Table } from '../tables/table.ts';
import { ROW_GROUP_ROWS } from './batch.ts';
import { FileDigest } from './digest.ts';
import {
  bytesOf,
  CHUNK,
  damaged,
  FILE,
  type FilePart,
  GROUP,
  META,
  type OpenPart,
  openPart,
  refusePart,
} from './file-part.ts';
import { rowsOfFooter } from './footer.ts';
import { decodeStruct, encodeStruct, type Struct } from './thrift.ts';
import { numberIn, optionalNumber, structIn, structsIn, withStructs, withValues } from './thrift-fields.ts';
import type { WrittenTable } from './write.ts';

const PIECE_BYTES = 1024 * 1024;
/** A footer numbers its row groups with 16 bits. */
const MAX_ROW_GROUPS = 32_768;
const MAGIC = Buffer.from('PAR1');
/** An offset index is a list of pages, each with its offset in the file. */
const PAGES = 1;
const PAGE_OFFSET = 1;

interface JoinJob {
  readonly table: Table;
  /** In the order of their rows. A first part without rows says what the footers of all parts must have in common. */
  readonly parts: readonly FilePart[];
  /** Takes the bytes in order, one call at a time. */
  readonly sink: (bytes: Uint8Array) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

/** Joins the parts; throws `parts_refused` for parts that do not make one file. The written bytes are then worthless. */
export async function joinParts({ table, parts, sink, signal }: JoinJob): Promise<WrittenTable> {
  const open: OpenPart[] = [];
  for (const [index, part] of parts.entries())
    open.push(await openPart(part, table, `part ${index + 1} of ${parts.length}`));
  const frame = requireOneFile(open, table);

  const digest = new FileDigest();
  let written = 0;
  const write = async (bytes: Uint8Array): Promise<void> => {
    signal?.throwIfAborted();
    digest.update(bytes);
    written += bytes.length;
    await sink(bytes);
  };
  /** Copies one range of each part; returns how far each was moved. */
  const copyAll = async (range: 'pages' | 'column_indexes'): Promise<readonly number[]> => {
    const moved: number[] = [];
    for (const part of open) {
      const { from, to } = part[range];
      moved.push(written - from);
      for (let at = from; at < to; at += PIECE_BYTES)
        await write(await bytesOf(part.source, at, Math.min(at + PIECE_BYTES, to)));
    }
    return moved;
  };

  await write(MAGIC);
  const pagesMoved = await copyAll('pages');
  const indexesMoved = await copyAll('column_indexes');
  const groups: Struct[] = [];
  for (const [index, part] of open.entries()) {
    const move = { pages: pagesMoved[index] ?? 0, indexes: indexesMoved[index] ?? 0 };
    for (const group of part.groups) {
      const moved = await moveGroup(part, group, move, { table, index: groups.length, at: written });
      for (const offsets of moved.offsets) await write(offsets);
      groups.push(moved.group);
    }
  }
  const rows = open.reduce((sum, part) => sum + part.rows, 0);
  const footer = encodeStruct(withStructs(withValues(frame, { [FILE.rows]: rows }), FILE.groups, groups));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  const end = Buffer.concat([footer, length, MAGIC]);
  await write(end);
  const found = rowsOfFooter(end);
  if (found !== rows) throw refusePart(table, 'the joined file', `has ${found} rows, expected ${rows}`);
  return { rows, ...digest.finish() };
}

/** The footer whose schema and metadata all parts share; throws if two parts differ, or cannot follow one another. */
function requireOneFile(parts: readonly OpenPart[], table: Table): Struct {
  const { group_rows = ROW_GROUP_ROWS } = table;
  const [first] = parts;
  if (first === undefined) throw refusePart(table, 'the list of parts', 'is empty');
  const schema = schemaOf(first);
  const metadata = metadataOf(first);
  for (const part of parts) {
    if (!schemaOf(part).equals(schema))
      throw refusePart(table, part.name, `has another schema than ${first.name}`);
    if (!metadataOf(part).equals(metadata))
      throw refusePart(table, part.name, `has other metadata than ${first.name}`);
    if (part !== parts.at(-1) && part.rows % group_rows !== 0)
      throw refusePart(table, part.name, `has ${part.rows} rows, expected whole row groups of ${group_rows}`);
  }
  const groups = parts.reduce((sum, part) => sum + part.groups.length, 0);
  if (groups > MAX_ROW_GROUPS)
    throw refusePart(
      table,
      'the joined file',
      `would have ${groups} row groups, at most ${MAX_ROW_GROUPS} are possible`,
    );
  return first.footer;
}

function schemaOf({ footer }: OpenPart): Buffer {
  return encodeStruct(new Map([...footer].filter(([id]) => id === FILE.schema)));
}

/** The fields of a footer beside its schema, which do not depend on its rows. */
function metadataOf({ footer }: OpenPart): Buffer {
  const own: readonly number[] = [FILE.schema, FILE.rows, FILE.groups];
  return encodeStruct(new Map([...footer].filter(([id]) => !own.includes(id))));
}

/** How far the bytes of a part were moved. */
interface Move {
  readonly pages: number;
  readonly indexes: number;
}

interface Place {
  readonly table: Table;
  /** The number of the row group in the joined file. */
  readonly index: number;
  /** Where its offset indexes begin in the joined file. */
  readonly at: number;
}

/** A row group of a part as the joined file has it, and its offset indexes. */
async function moveGroup(
  part: OpenPart,
  group: Struct,
  move: Move,
  { table, index, at }: Place,
): Promise<{ readonly group: Struct; readonly offsets: readonly Buffer[] }> {
  try {
    const chunks: Struct[] = [];
    const offsets: Buffer[] = [];
    let end = at;
    for (const chunk of structsIn(group, GROUP.columns)) {
      const moved = await moveOffsets(part, chunk, move.pages);
      chunks.push(moveChunk(chunk, move, end, moved.length));
      offsets.push(moved);
      end += moved.length;
    }
    const offset = numberIn(group, GROUP.offset) + move.pages;
    const numbered = withValues(group, { [GROUP.offset]: offset, [GROUP.index]: index });
    return { group: withStructs(numbered, GROUP.columns, chunks), offsets };
  } catch (error) {
    throw damaged(error, 'a damaged index', (what) => refusePart(table, part.name, what));
  }
}

/** The offset index of a column chunk, whose pages have moved. */
async function moveOffsets(
  { source, pages: { from, to } }: OpenPart,
  chunk: Struct,
  move: number,
): Promise<Buffer> {
  const at = numberIn(chunk, CHUNK.offset_index);
  const index = decodeStruct(await bytesOf(source, at, at + numberIn(chunk, CHUNK.offset_index_bytes)));
  const pages = structsIn(index, PAGES).map((page) => {
    const offset = numberIn(page, PAGE_OFFSET);
    if (offset < from || offset >= to) throw new RangeError('names a page outside the pages');
    return withValues(page, { [PAGE_OFFSET]: offset + move });
  });
  return encodeStruct(withStructs(index, PAGES, pages));
}

/** A column chunk whose pages and indexes have moved. */
function moveChunk(chunk: Struct, move: Move, offset_index: number, offset_index_bytes: number): Struct {
  const meta = structIn(chunk, CHUNK.meta);
  return withValues(chunk, {
    ...movedOffset(chunk, CHUNK.offset, move.pages),
    [CHUNK.meta]: withValues(meta, {
      ...movedOffset(meta, META.data_page, move.pages),
      ...movedOffset(meta, META.dictionary, move.pages),
    }),
    ...movedOffset(chunk, CHUNK.column_index, move.indexes),
    [CHUNK.offset_index]: offset_index,
    [CHUNK.offset_index_bytes]: offset_index_bytes,
  });
}

function movedOffset(struct: Struct, id: number, by: number): Readonly<Record<number, number>> {
  const offset = optionalNumber(struct, id);
  // 0 says that the offset is not used.
  return offset === undefined || offset === 0 ? {} : { [id]: offset + by };
}
