/** Reads the ledger at one moment into the Parquet files of the spool. */
import type { Client } from 'pg';
import { FIELD_KINDS } from '../../fields.ts';
import { copyOut } from '../../ledger/moment/copy.ts';
import type { TypedSelect } from '../../database/columns.ts';
import { tableSelect } from '../../ledger/moment/table-select.ts';
import { conditionOf, type KeyRange } from '../../ledger/moment/table-ranges.ts';
import type { WarmThread } from '../../parquet/warm-thread.ts';
import { writeCopy, writeRows, type WrittenTable } from '../../parquet/write.ts';
import { SCHEMA_VERSION } from '../../tables/describe.ts';
import type { Table } from '../../tables/table.ts';
import type { BuildEvent } from './events.ts';
import { FIGURE_ROWS } from './figure-rows.ts';
import { type Instant, toMs } from '../../instant.ts';
import { formatInstant } from '../../time.ts';
import type { Spool, SpoolFileSystem } from '../spool/spool.ts';
import { inSpool } from '../spool/failure.ts';

export interface TableJob {
  readonly client: Client;
  readonly account_id: bigint;
  readonly generated_at: Instant;
  readonly snapshot_id: string;
  readonly spool: Spool;
  readonly fs: SpoolFileSystem;
  /** The thread that encodes the files, one after the other. */
  readonly thread: WarmThread;
  /** For tests: the rows in a row group of every file, instead of those that the table declares. */
  readonly group_rows?: number | undefined;
  readonly signal: AbortSignal;
  /** Used only to report progress. */
  readonly now: () => Instant;
  readonly onEvent: (event: BuildEvent) => void;
}

export interface SpooledTable extends WrittenTable {
  readonly name: string;
}

/** True for a table whose rows are computed from sums, not selected. */
export function isComputed({ name }: Table): boolean {
  return FIGURE_ROWS[name] !== undefined;
}

/**
 * Writes one table into the spool; `name` is its file there. `constants` have the same value in every row, so the database
 * need not send them. If it fails, the half-written file stays until the build removes its spool.
 */
export async function writeTable(
  table: Table,
  job: TableJob,
  name: string,
  constants?: Constants,
): Promise<SpooledTable> {
  const began = job.now();
  const onRows = (rows: number): void => job.onEvent({ kind: 'rows.written', table: table.name, rows });
  const file = await writeFile(table, job, name, { constants, onRows });
  return writtenTable(table, job, file, began);
}

/** Reports a table that is written since `began`. */
export function writtenTable(
  { name }: Table,
  { now, onEvent }: Pick<TableJob, 'now' | 'onEvent'>,
  file: WrittenTable,
  began: Instant,
): SpooledTable {
  const { rows, size_bytes: bytes } = file;
  onEvent({ kind: 'table.written', table: name, rows, bytes, ms: toMs(now() - began) });
  return { name, ...file };
}

/** The tables that are selected, each with the types of its declared columns. */
export function typedSelects(
  tables: readonly Table[],
  job: Pick<TableJob, 'account_id' | 'generated_at'>,
): readonly TypedSelect[] {
  const selected = tables.filter((table) => !isComputed(table));
  return selected.map((table) => {
    const read = table.columns.filter(({ from }) => from !== null);
    const types = Object.fromEntries(read.map((each) => [each.name, FIELD_KINDS[each.kind].postgres]));
    return { name: table.name, text: tableSelect(table.name, job), types };
  });
}

/** The values of columns that have the same value in every row, by the names of these columns. */
export type Constants = Readonly<Record<string, string>>;

interface FileOptions {
  readonly constants?: Constants | undefined;
  /** The rows to write; all if omitted. */
  readonly range?: KeyRange;
  /** Called with the number of rows so far. */
  readonly onRows: (rows: number) => void;
}

/** Writes a range of a selected table as a file of its own. */
export async function writePart(
  table: Table,
  job: TableJob,
  name: string,
  options: FileOptions & { readonly range: KeyRange },
): Promise<WrittenTable> {
  return await writeFile(table, job, name, options);
}

/** A file of the table without rows. */
export async function writeEmpty(
  table: Table,
  job: TableJob,
  constants = constantsOf(table, job),
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  const sink = async (bytes: Uint8Array): Promise<void> => {
    pieces.push(Uint8Array.from(bytes));
  };
  await writeRows({ ...sharedBy(table, job), constants, rows: [], sink });
  return new Uint8Array(Buffer.concat(pieces));
}

/** The table as this build writes it. */
export function tableOfJob(table: Table, { group_rows }: Pick<TableJob, 'group_rows'>): Table {
  return group_rows === undefined ? table : { ...table, group_rows };
}

function sharedBy(table: Table, job: TableJob) {
  const { snapshot_id, generated_at, thread, signal } = job;
  return {
    table: tableOfJob(table, job),
    metadata: {
      table: table.name,
      snapshot_id,
      schema_version: SCHEMA_VERSION,
      generated_at: formatInstant(generated_at),
    },
    thread,
    signal,
  };
}

async function writeFile(
  table: Table,
  job: TableJob,
  name: string,
  { constants = constantsOf(table, job), range, onRows }: FileOptions,
): Promise<WrittenTable> {
  const { client, account_id, generated_at, signal } = job;
  const shared = { ...sharedBy(table, job), constants, onRows };
  const path = job.spool.pathOf(name);
  const handle = await inSpool(path, () => job.fs.open(path, 'wx', 0o640));
  try {
    const sink = (bytes: Uint8Array): Promise<void> => inSpool(path, () => handle.writeFile(bytes));
    const figures = FIGURE_ROWS[table.name];
    if (figures !== undefined) {
      return await writeRows({ ...shared, rows: figures(client, { account_id, generated_at }), sink });
    }
    const condition = range === undefined ? undefined : conditionOf(table, range);
    const select = tableSelect(table.name, { account_id, generated_at }, condition);
    return await writeCopy({ ...shared, ...copyOut(client, select, signal), sink });
  } finally {
    await inSpool(path, () => handle.close());
  }
}

function constantsOf(table: Table, { snapshot_id }: TableJob): Constants {
  const values = { snapshot_id, schema_version: SCHEMA_VERSION };
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => table.columns.some((column) => column.name === name)),
  );
}
