/**
 * Writes long tables in ranges of their keys. Each range is read on a connection of its own at the moment of the build, and
 * written into the spool as a part. The parts of a table are joined under one footer: one connection writes the same bytes.
 */
import { canBeCut, cutTable, type KeyRange } from '../../ledger/moment/table-ranges.ts';
import { ROW_GROUP_ROWS } from '../../parquet/batch.ts';
import type { FilePart } from '../../parquet/file-part.ts';
import { joinParts } from '../../parquet/join-parts.ts';
import type { WrittenTable } from '../../parquet/write.ts';
import type { Table } from '../../tables/table.ts';
import { inSpool } from '../spool/failure.ts';
import { openSpooledSource } from '../spool/source.ts';
import type { Step } from './lanes.ts';
import {
  isComputed,
  type SpooledTable,
  type TableJob,
  tableOfJob,
  writeEmpty,
  writePart,
} from './write-tables.ts';
import { toMs } from '../../instant.ts';

/** The folder of the parts, in the spool of the build. */
const FOLDER = 'ranges/';
const FOLDER_MODE = 0o750;
const FILE_MODE = 0o640;

/** A table with more than one range. */
export interface CutTable {
  readonly table: Table;
  readonly ranges: readonly KeyRange[];
}

interface RangeLanes {
  /** Runs a step on a further connection at the same moment; rejects if that connection cannot join. */
  readonly open: (step: Step) => Promise<void>;
  /** The number of ranges that are read at the same time. */
  readonly lanes: number;
  /** Aborted with the first error; ends what reads at the same moment. */
  readonly stop: AbortController;
  readonly onWritten: (table: SpooledTable) => void;
}

/** Cuts each table that is longer than a row group and has a key that can be cut. A build of one range asks for no key. */
export async function cutTables(
  tables: readonly Table[],
  job: TableJob,
  ranges: number,
): Promise<readonly CutTable[]> {
  if (ranges === 1) return [];
  const cut: CutTable[] = [];
  for (const table of tables) {
    if (isComputed(table) || !canBeCut(table)) continue;
    const { group_rows = ROW_GROUP_ROWS } = tableOfJob(table, job);
    const found = await cutTable(job.client, table, job, { group_rows, ranges });
    if (found.length > 1) cut.push({ table, ranges: found });
  }
  return cut;
}

/** Writes the tables. Never rejects: an error aborts `stop`. */
export async function writeInRanges(
  cuts: readonly CutTable[],
  job: TableJob,
  { open, lanes, stop, onWritten }: RangeLanes,
): Promise<void> {
  const began = job.now();
  const queue = cuts.flatMap(({ table, ranges }) => {
    const rows = ranges.map(() => 0);
    let left = ranges.length;
    return ranges.map((range, index) => async (): Promise<void> => {
      const name = partOf(table, index);
      await open(async (client) => {
        const onRows = (so_far: number): void => {
          rows[index] = so_far;
          const sum = rows.reduce((all, each) => all + each, 0);
          job.onEvent({ kind: 'rows.written', table: table.name, rows: sum });
        };
        await writePart(table, { ...job, client }, name, { range, onRows });
        rows[index] = range.rows;
      });
      left -= 1;
      if (left > 0) return;
      const file = await joinTable({ table, ranges }, job);
      const ms = toMs(job.now() - began);
      job.onEvent({ kind: 'table.written', table: table.name, rows: file.rows, bytes: file.size_bytes, ms });
      onWritten({ name: table.name, ...file });
    });
  });
  const lane = async (): Promise<void> => {
    try {
      while (!job.signal.aborted) {
        const next = queue.shift();
        if (next === undefined) return;
        await next();
      }
    } catch (error) {
      stop.abort(error);
    }
  };
  const folder = job.spool.pathOf(FOLDER);
  await inSpool(folder, () => job.fs.mkdir(folder, FOLDER_MODE)).catch((error: unknown) => stop.abort(error));
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Joins the parts of a table, and removes them. */
async function joinTable({ table, ranges }: CutTable, job: TableJob): Promise<WrittenTable> {
  const { fs, spool, signal } = job;
  await using opened = new AsyncDisposableStack();
  // A part that another version of this program wrote, or that is of another moment, has another footer than this file.
  const frame = await writeEmpty(table, job);
  const parts: FilePart[] = [
    { rows: 0, source: { size_bytes: frame.length, read: async (from, to) => frame.slice(from, to + 1) } },
  ];
  for (const [index, { rows }] of ranges.entries())
    parts.push({ rows, source: opened.use(await openSpooledSource(fs, spool.pathOf(partOf(table, index)))) });
  const path = spool.pathOf(`${table.name}.parquet`);
  const handle = await inSpool(path, () => fs.open(path, 'wx', FILE_MODE));
  try {
    const sink = (bytes: Uint8Array): Promise<void> => inSpool(path, () => handle.writeFile(bytes));
    return await joinParts({ table: tableOfJob(table, job), parts, sink, signal });
  } finally {
    await inSpool(path, () => handle.close());
    for (const index of ranges.keys()) await fs.rm(spool.pathOf(partOf(table, index)), { force: true });
  }
}

function partOf({ name }: Table, index: number): string {
  return `${FOLDER}${name}.${index + 1}.parquet`;
}
