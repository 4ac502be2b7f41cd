/**
 * The changed rows of one table between two successive snapshots, as a Parquet file for clients of the change feed. The SQL of
 * a comparison finds the rows. The same two snapshots always give the same bytes.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fillTemplate, inFolder, isTemplate, kindOf, type SqlScript } from '../sql-scripts.ts';
import { interruptedBy } from '../snapshot/audit/engine.ts';
import { tableNamed } from '../tables/all.ts';
import { type CompareTools, columnsIn, fetchTables, type Pair } from './compare.ts';
import { placeholdersOf } from './comparison-sql.ts';

export interface FeedFile {
  readonly rows: number;
  readonly size_bytes: number;
  readonly sha256: string;
  /** The bytes from `from` to `to`; both ends are inclusive and inside the file. */
  read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

/** One table of two snapshots. */
export interface TablePair extends Pair {
  readonly table: string;
}

/** The scripts of `schema/diff` that a feed runs: the changed rows, without reasons and totals. */
const SCRIPTS_OF_DIFF = ['05-list-columns', '10-each-view-changed-rows'];

/** DuckDB's memory limit: one table of two files needs less than a whole comparison. */
const MEMORY = '128MB';
const READ_BYTES = 1024 * 1024;

/** Compares the table. The caller must close the result; no files are left. */
export async function writeFeed(pair: TablePair, tools: CompareTools): Promise<FeedFile> {
  const { fs, root } = tools;
  await fs.mkdir(root, { recursive: true });
  const directory = await fs.mkdtemp(join(root, 'feed-'));
  try {
    const table = tableNamed(pair.table);
    if (table === undefined) throw new RangeError(`no table ${pair.table}`);
    await fetchTables(pair, [table], directory, tools);
    const rows = await runFeed(pair, directory, tools);
    // The open file stays readable although its folder is deleted now.
    return await openFeed(await fs.open(join(directory, 'feed.parquet')), rows);
  } finally {
    await fs.rm(directory, { recursive: true, force: true });
  }
}

async function runFeed(
  { table: name, earlier, later }: TablePair,
  directory: string,
  { sql, openEngine, signal }: CompareTools,
): Promise<number> {
  const table = tableNamed(name);
  const tempDirectory = join(directory, 'spill');
  await using engine = await openEngine({ directory, tempDirectory, memoryLimit: MEMORY });
  using _ = interruptedBy(signal, engine);
  let listed: Awaited<ReturnType<typeof engine.rows>> = [];
  for (const script of sql) {
    signal.throwIfAborted();
    if (table !== undefined && isTemplate(script)) {
      const ids = { earlier_id: earlier.snapshot_id, later_id: later.snapshot_id };
      const placeholders = { ...placeholdersOf(table, columnsIn(table, listed)), ...ids };
      for (const text of fillTemplate(script, placeholders)) await engine.run(inFolder(directory, text));
    } else if (kindOf(script) === 'list') {
      listed = await engine.rows(inFolder(directory, script.sql));
    }
  }
  return Number(listed[0]?.['rows'] ?? 0);
}

type FileHandle = Awaited<ReturnType<CompareTools['fs']['open']>>;

async function openFeed(handle: FileHandle, rows: number): Promise<FeedFile> {
  const read = async (from: number, to: number): Promise<Uint8Array<ArrayBuffer>> => {
    const bytes = new Uint8Array(to - from + 1);
    for (let filled = 0; filled < bytes.length;) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, from + filled);
      if (bytesRead === 0) throw new RangeError('the file of a feed is shorter than it was');
      filled += bytesRead;
    }
    return bytes;
  };
  try {
    const { size: size_bytes } = await handle.stat();
    const hash = createHash('sha256');
    for (let at = 0; at < size_bytes; at += READ_BYTES) {
      hash.update(await read(at, Math.min(at + READ_BYTES, size_bytes) - 1));
    }
    return { rows, size_bytes, sha256: hash.digest('hex'), read, close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The scripts of a feed, in the order they run: those of a comparison, then those of `schema/feed`. */
export function feedScripts(diff: readonly SqlScript[], feed: readonly SqlScript[]): readonly SqlScript[] {
  return [...diff.filter(({ name }) => SCRIPTS_OF_DIFF.includes(name)), ...feed];
}
