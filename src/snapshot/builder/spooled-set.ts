/** One set of files of a build: the reads that write it into the spool, its report, and its files as they are published. */
import { requireSelects } from '../../database/columns.ts';
import { isSwitchedOn, readAccountName } from '../../ledger/accounts.ts';
import { readControlTotals } from '../../ledger/moment/control.ts';
import type { Content } from '../../store/store.ts';
import { REPORTING } from '../../tables/all.ts';
import type { FileSet } from '../../tables/file-set.ts';
import { SETS_BESIDE } from '../../tables/file-sets.ts';
import type { Table } from '../../tables/table.ts';
import type { AuditReport } from '../audit/report.ts';
import { encodeCanonical } from '../format/canonical-json.ts';
import { inSpool } from '../spool/failure.ts';
import type { Spool } from '../spool/spool.ts';
import { contentOfBytes } from '../spool/upload.ts';
import type { BuildTools } from './build-tools.ts';
import { encodeControl } from './control-file.ts';
import type { Step } from './lanes.ts';
import type { PublishedTable } from './publish.ts';
import type { CutTable, RangedTable } from './write-ranges.ts';
import {
  type Constants,
  isComputed,
  type SpooledTable,
  type TableJob,
  typedSelects,
  writeTable,
} from './write-tables.ts';

const FOLDER_MODE = 0o750;

export interface SpooledSet {
  readonly set: FileSet;
  /** In the order of the set. */
  readonly tables: readonly SpooledTable[];
}

/** The reads of a set. */
export interface SetReads {
  /** For the first connection. */
  readonly first: readonly Step[];
  /** For either connection. */
  readonly queue: readonly Step[];
  /** For connections of ranges. */
  readonly ranged: readonly RangedTable[];
  /** What they wrote, and the control totals. */
  readonly written: () => SpooledSet;
  readonly control: () => Content;
}

/** The sets beside the reporting tables that the build can audit, and that the account did not switch off. */
export async function keptSets(
  { client, account_id }: Pick<TableJob, 'client' | 'account_id'>,
  { checksBeside }: BuildTools,
): Promise<readonly FileSet[]> {
  const kept: FileSet[] = [];
  for (const set of SETS_BESIDE as readonly FileSet[]) {
    if (checksBeside?.has(set) !== true) continue;
    if (set.switch === undefined || (await isSwitchedOn(client, account_id, set.switch))) kept.push(set);
  }
  return kept;
}

/** The values of the columns that have the same value in every row of a set; undefined: those of every table. */
export async function readConstants(
  set: FileSet,
  { client, account_id, snapshot_id }: Pick<TableJob, 'account_id' | 'client' | 'snapshot_id'>,
): Promise<Constants | undefined> {
  const account_name = await readAccountName(client, account_id);
  return set.constants?.({ account_id, account_name, snapshot_id });
}

/** Prepares the reads of a set. */
export async function readsOf(set: FileSet, job: TableJob, cuts: readonly CutTable[]): Promise<SetReads> {
  const { account_id, spool } = job;
  await requireSelects(job.client, typedSelects(set.tables, job));
  const folder = spool.pathOf(set.folder);
  if (set !== REPORTING) await inSpool(folder, () => job.fs.mkdir(folder, FOLDER_MODE));
  const constants = await readConstants(set, job);
  const files = new Map<string, SpooledTable>();
  let control: Content | undefined;
  const write = (table: Table): Step => {
    const name = fileOf(set, table);
    return async (client) => {
      files.set(table.name, await writeTable(table, { ...job, client }, name, constants));
    };
  };
  const controls = [set.control ?? []].flat().map((queries): Step => async (client) => {
    const totals = readControlTotals(client, { account_id, folder: queries });
    control = await spool.writePieces(`${set.folder}control.json`, encodeControl(totals));
  });
  const own = cuts.filter(({ table }) => set.tables.includes(table));
  const uncut = set.tables.filter((table) => own.every((cut) => cut.table !== table));
  const queued = (table: Table): boolean => set.queued || isComputed(table);
  return {
    first: uncut.filter((table) => !queued(table)).map(write),
    queue: [...uncut.filter(queued).map(write), ...controls],
    ranged: own.map((cut) => ({
      ...cut,
      job,
      name: fileOf(set, cut.table),
      constants,
      onWritten: (table) => files.set(table.name, table),
    })),
    written: () => ({ set, tables: set.tables.map(({ name }) => did(files.get(name))) }),
    control: () => did(control),
  };
}

function did<Result>(result: Result | undefined): Result {
  if (result === undefined) throw new Error('a step of the build did not run');
  return result;
}

/** The file of a table in the spool. */
function fileOf({ folder }: FileSet, { name }: { readonly name: string }): string {
  return `${folder}${name}.parquet`;
}

/** The published report of a set that passed its audit. */
export function reportContent({ set, tables }: SpooledSet, { snapshot_id, checks }: AuditReport): Content {
  const states = set.states?.() ?? {
    tables: tables.map(({ name, rows }) => ({ name, row_count: rows })),
  };
  return contentOfBytes(encodeCanonical({ snapshot_id, ...states, checks }));
}

/** The tables of a set as content to publish. */
export function tableContents({ set, tables }: SpooledSet, spool: Spool): readonly PublishedTable[] {
  return tables.map((table) => {
    const { name, rows: row_count, size_bytes, sha256, blocks } = table;
    const content = spool.content(fileOf(set, table), { size: size_bytes, sha256 });
    return { name, row_count, content: { ...content, blocks } };
  });
}
