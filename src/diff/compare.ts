/**
 * Finds the rows that changed between two snapshots of an account, and the reasons.
 * 1. Copy both into a folder and check every byte.
 * 2. Compare them there with the SQL of `schema/diff`, in a DuckDB confined to the folder.
 * 3. Throw if the reasons do not explain a total to the cent.
 * 4. Return one file of changes and delete the folder.
 */
import type * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { CrossfootError } from '../errors.ts';
import { type Engine, type EngineRow, interruptedBy } from '../snapshot/audit/engine.ts';
import { fillTemplate, inFolder, isTemplate, kindOf, quoted, type SqlScript } from '../sql-scripts.ts';
import type { SnapshotReader } from '../snapshot/read/snapshot-reader.ts';
import type { ReadableSnapshot } from '../snapshot/format/served-manifest.ts';
import { TABLES } from '../tables/all.ts';
import type { Table } from '../tables/table.ts';
import { type ChangesFile, indexChanges, type TableChanges } from './changes-file.ts';
import { placeholdersOf } from './comparison-sql.ts';
import { REASON_NAMES } from './reasons.ts';

export interface CompareTools {
  readonly snapshots: Pick<SnapshotReader, 'openTable'>;
  readonly fs: Pick<typeof promises, 'mkdir' | 'mkdtemp' | 'open' | 'rm'>;
  /** The folder in which each comparison creates its own folder. */
  readonly root: string;
  /** The files of `schema/diff`, in the order they run. */
  readonly sql: readonly SqlScript[];
  readonly openEngine: (options: {
    readonly directory: string;
    readonly tempDirectory: string;
    readonly memoryLimit: string;
  }) => Promise<Engine>;
  /** In DuckDB's form: `512MB`; 256 MB if omitted. */
  readonly memoryLimit?: string | undefined;
  readonly signal: AbortSignal;
}

/** Two snapshots of one account, the later one second. */
export interface Pair {
  readonly account_id: bigint;
  readonly earlier: ReadableSnapshot;
  readonly later: ReadableSnapshot;
}

/** Memory limit of the engine, if the caller sets none. Above it, the engine writes temporary files into the folder. */
const MEMORY = '256MB';

/** The file of changed rows of a comparison, and how many rows of each table it has. */
export interface WrittenChanges {
  readonly path: string;
  readonly tables: readonly TableChanges[];
}

/** Compares the two snapshots. The caller must close the result: its file is already deleted, and only stays open. */
export async function compareSnapshots(pair: Pair, tools: CompareTools): Promise<ChangesFile> {
  return await withComparison(pair, tools, (written) => openChanges(written, tools));
}

/** Compares the two snapshots and calls `use` with the file of changed rows, which is deleted afterwards. */
export async function withComparison<Result>(
  pair: Pair,
  tools: CompareTools,
  use: (written: WrittenChanges) => Promise<Result>,
): Promise<Result> {
  return await inOwnFolder(tools, async (directory) => {
    const tables = tablesOfBoth(pair);
    await fetchTables(pair, tables, directory, tools);
    const counts = await runFiles(tables, directory, tools);
    return await use({ path: join(directory, 'changes.ndjson'), tables: counts });
  });
}

/** Calls `use` with a new folder, which is deleted afterwards. */
export async function inOwnFolder<Result>(
  { fs, root }: Pick<CompareTools, 'fs' | 'root'>,
  use: (directory: string) => Promise<Result>,
): Promise<Result> {
  await fs.mkdir(root, { recursive: true });
  const directory = await fs.mkdtemp(join(root, 'diff-'));
  try {
    return await use(directory);
  } finally {
    await fs.rm(directory, { recursive: true, force: true });
  }
}

/** Opens the file of changed rows. It can be read after its folder is deleted, so a killed process leaves no file. */
export async function openChanges(
  { path, tables }: WrittenChanges,
  { fs }: Pick<CompareTools, 'fs'>,
): Promise<ChangesFile> {
  const handle = await fs.open(path);
  try {
    return await indexChanges(handle, tables);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The tables that both snapshots have: an older snapshot may lack a table that was added later. */
function tablesOfBoth({ earlier, later }: Pair): readonly Table[] {
  return TABLES.filter(({ name }) =>
    [earlier, later].every(({ tables }) => tables.some((table) => table.name === name)),
  );
}

/** Copies these tables of both snapshots into the folder, each byte checked. */
export async function fetchTables(
  { account_id, earlier, later }: Pair,
  tables: readonly Table[],
  directory: string,
  { fs, snapshots, signal }: CompareTools,
): Promise<void> {
  for (const [side, { snapshot_id }] of [
    ['earlier', earlier],
    ['later', later],
  ] as const) {
    await fs.mkdir(join(directory, side));
    for (const { name } of tables) {
      signal.throwIfAborted();
      const bytes = await snapshots.openTable(account_id, snapshot_id, name);
      const handle = await fs.open(join(directory, side, `${name}.parquet`), 'wx');
      try {
        await handle.writeFile(bytes);
      } finally {
        await handle.close();
      }
    }
  }
}

async function runFiles(
  tables: readonly Table[],
  directory: string,
  { sql, openEngine, memoryLimit = MEMORY, signal }: CompareTools,
): Promise<readonly TableChanges[]> {
  const tempDirectory = join(directory, 'spill');
  await using engine = await openEngine({ directory, tempDirectory, memoryLimit });
  using _ = interruptedBy(signal, engine);
  await engine.run(`set variable reasons = [${REASON_NAMES.map(quoted).join(', ')}]`);
  let columns: readonly EngineRow[] = [];
  let counts: readonly EngineRow[] = [];
  for (const script of sql) {
    signal.throwIfAborted();
    const kind = kindOf(script);
    const ready = inFolder(directory, script.sql);
    if (isTemplate(script)) {
      for (const table of tables) {
        for (const text of fillTemplate(script, placeholdersOf(table, columnsIn(table, columns)))) {
          await engine.run(inFolder(directory, text));
        }
      }
    } else if (kind === 'check') {
      refuseUnexplained(await engine.rows(ready));
    } else if (kind === 'list') {
      const rows = await engine.rows(ready);
      if (script.name === COLUMNS) columns = rows;
      else counts = rows;
    } else {
      await engine.run(ready);
    }
  }
  return tables.map(({ name }) => ({
    name,
    added: countOf(counts, name, 'added'),
    removed: countOf(counts, name, 'removed'),
    changed: countOf(counts, name, 'changed'),
  }));
}

const COLUMNS = '05-list-columns';

/** The columns of the table among the rows of the script that lists columns. */
export function columnsIn({ name }: Table, columns: readonly EngineRow[]): ReadonlySet<string> {
  return new Set(columns.flatMap((row) => (row['table_name'] === name ? [row['column_name'] ?? ''] : [])));
}

function countOf(counts: readonly EngineRow[], table: string, change: string): number {
  const counted = counts.find((row) => row['table_name'] === table && row['change'] === change);
  return Number(counted?.['rows'] ?? 0);
}

/** Throws if reasons do not add up. Both snapshots were audited, so this is a bug, and nothing is returned. */
function refuseUnexplained(rows: readonly EngineRow[]): void {
  const [first] = rows;
  if (first === undefined) return;
  const { place = '', expected = '', found = '' } = first;
  throw new CrossfootError(
    'diff_unexplained',
    `reported_totals ${place}: it changed by ${expected} cents, but the reasons add up to ${found} cents; no comparison is returned.`,
    { data: { place, expected, found, refused: rows.length } },
  );
}
