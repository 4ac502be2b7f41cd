/**
 * Writes long tables in ranges of their keys. Each range is read on a connection of its own at the moment of the build, by this
 * process or by another worker, and comes into the spool as a part. The parts of a table are joined under one footer: one
 * connection writes the same bytes.
 */
import { canBeCut, cutTable, type KeyRange } from '../../ledger/moment/table-ranges.ts';
import { ROW_GROUP_ROWS } from '../../parquet/batch.ts';
import { type FilePart, refusePart } from '../../parquet/file-part.ts';
import { joinParts } from '../../parquet/join-parts.ts';
import type { WrittenTable } from '../../parquet/write.ts';
import type { FileSet } from '../../tables/file-set.ts';
import type { Table } from '../../tables/table.ts';
import { inSpool } from '../spool/failure.ts';
import { openSpooledSource } from '../spool/source.ts';
import type { Step } from './lanes.ts';
import { type OfferedRange, type SharedRanges, unsharedRanges } from './shared-ranges.ts';
import { fetchPart, type PartStore, removePart, type StoredPart } from './stored-parts.ts';
import {
  type Constants,
  type SpooledTable,
  type TableJob,
  tableOfJob,
  writeEmpty,
  writePart,
  writtenTable,
} from './write-tables.ts';

/** The folder of the parts, in the spool of the build. */
const FOLDER = 'ranges/';
const FOLDER_MODE = 0o750;
const FILE_MODE = 0o640;

/** A table with more than one range. */
export interface CutTable {
  readonly table: Table;
  readonly ranges: readonly KeyRange[];
}

/** A table that is written in ranges. */
export interface RangedTable extends CutTable {
  readonly job: TableJob;
  /** Its file in the spool. */
  readonly name: string;
  /** Those of every table if undefined. */
  readonly constants: Constants | undefined;
  readonly onWritten: (table: SpooledTable) => void;
}

interface RangeLanes {
  /** Runs a step on a further connection at the same moment; rejects if that connection cannot join. */
  readonly open: (step: Step) => Promise<void>;
  /** The number of ranges that are read at the same time. */
  readonly lanes: number;
  /** Aborted with the first error; ends what reads at the same moment. */
  readonly stop: AbortController;
  /** Offers the ranges to other workers; null: there are none. */
  readonly share: (ranges: readonly OfferedRange[]) => Promise<SharedRanges | null>;
  /** The parts that other workers store. */
  readonly parts: PartStore;
}

/**
 * Cuts each table that is long and has a key that can be cut. A range is no shorter than the row groups of a large file,
 * whose rows are a multiple of those of any other row group. A build of one range asks for no key.
 */
export async function cutTables(
  sets: readonly FileSet[],
  job: TableJob,
  ranges: number,
): Promise<readonly CutTable[]> {
  if (ranges === 1) return [];
  const { group_rows = ROW_GROUP_ROWS } = job;
  // The FOCUS file has the rows of the costs, in the same order.
  const found = new Map<string | null, readonly KeyRange[]>();
  const cut: CutTable[] = [];
  for (const table of sets.flatMap(({ tables }) => tables).filter(canBeCut)) {
    const cuts = found.get(table.from) ?? (await cutTable(job.client, table, job, { group_rows, ranges }));
    found.set(table.from, cuts);
    if (cuts.length > 1) cut.push({ table, ranges: cuts });
  }
  return cut;
}

/** A range of a table, and the rows of that table so far. */
interface Piece extends OfferedRange {
  readonly cut: RangedTable;
  readonly so_far: { readonly rows: number[]; left: number };
}

/** Writes the tables. Never rejects: an error aborts `stop`. */
export async function writeInRanges(
  cuts: readonly RangedTable[],
  job: Pick<TableJob, 'fs' | 'now' | 'signal' | 'spool'>,
  tools: RangeLanes,
): Promise<void> {
  const { lanes, stop, share, parts } = tools;
  const began = job.now();
  const pieces = cuts.flatMap((cut) => {
    const so_far = { rows: cut.ranges.map(() => 0), left: cut.ranges.length };
    return cut.ranges.map((range, index): Piece => ({
      cut,
      so_far,
      table: cut.table.name,
      number: index + 1,
      range,
    }));
  });
  const unwritten = new Set(pieces);
  const take = async (ranges: SharedRanges): Promise<void> => {
    for (;;) {
      const next = await ranges.next(job.signal);
      const piece = next === null ? undefined : pieces[next.index];
      if (next === null || piece === undefined) return;
      await writePiece(piece, next.stored, tools);
      unwritten.delete(piece);
      piece.so_far.left -= 1;
      if (piece.so_far.left > 0) continue;
      const { cut } = piece;
      cut.onWritten(writtenTable(cut.table, cut.job, await joinTable(cut), began));
    }
  };
  const stopWith = (error: unknown): void => stop.abort(error);
  try {
    const folder = job.spool.pathOf(FOLDER);
    await inSpool(folder, () => job.fs.mkdir(folder, FOLDER_MODE));
    const shared = await share(pieces);
    try {
      await using ranges = shared ?? unsharedRanges(pieces.length);
      await Promise.all(Array.from({ length: lanes }, () => take(ranges).catch(stopWith)));
    } finally {
      if (shared !== null) for (const piece of unwritten) await removePart(parts, piece);
    }
    const [lost] = unwritten;
    if (lost !== undefined) throw refusePart(lost.cut.table, `part ${lost.number}`, 'was not written');
  } catch (error) {
    stopWith(error);
  }
}

/** Brings the part of a range into the spool: reads it, or fetches what another worker stored. */
async function writePiece(
  { cut: { table, job, constants }, so_far, number, range, ...part }: Piece,
  stored: StoredPart | null,
  { open, parts }: Pick<RangeLanes, 'open' | 'parts'>,
): Promise<void> {
  const name = partOf(table, number);
  const onRows = (rows: number): void => {
    so_far.rows[number - 1] = rows;
    const sum = so_far.rows.reduce((all, each) => all + each, 0);
    job.onEvent({ kind: 'rows.written', table: table.name, rows: sum });
  };
  if (stored === null) {
    await open(async (client) => {
      await writePart(table, { ...job, client }, name, { constants, range, onRows });
    });
    so_far.rows[number - 1] = range.rows;
    return;
  }
  if (!(await fetchPart(parts, { ...part, number }, stored, job, name)))
    throw refusePart(table, `part ${number}`, 'has other bytes than its worker wrote');
  onRows(range.rows);
}

/** Joins the parts of a table, and removes them. */
async function joinTable({ table, ranges, job, name, constants }: RangedTable): Promise<WrittenTable> {
  const { fs, spool, signal } = job;
  await using opened = new AsyncDisposableStack();
  // A part that another version of this program wrote, or that is of another moment, has another footer than this file.
  const frame = await writeEmpty(table, job, constants);
  const parts: FilePart[] = [
    { rows: 0, source: { size_bytes: frame.length, read: async (from, to) => frame.slice(from, to + 1) } },
  ];
  for (const [index, { rows }] of ranges.entries())
    parts.push({
      rows,
      source: opened.use(await openSpooledSource(fs, spool.pathOf(partOf(table, index + 1)))),
    });
  const path = spool.pathOf(name);
  const handle = await inSpool(path, () => fs.open(path, 'wx', FILE_MODE));
  try {
    const sink = (bytes: Uint8Array): Promise<void> => inSpool(path, () => handle.writeFile(bytes));
    return await joinParts({ table: tableOfJob(table, job), parts, sink, signal });
  } finally {
    await inSpool(path, () => handle.close());
    for (const index of ranges.keys()) await fs.rm(spool.pathOf(partOf(table, index + 1)), { force: true });
  }
}

/** The file of a part in the spool. */
function partOf({ name }: Table, number: number): string {
  return `${FOLDER}${name}.${number}.parquet`;
}
