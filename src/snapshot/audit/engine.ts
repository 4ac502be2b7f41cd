/**
 * The audit's engine: DuckDB. It is a second engine beside PostgreSQL, shares no code with the writer of the files, and can
 * read only one folder and its own temporary data.
 */
import { basename, join } from 'node:path';
import { DuckDBInstance, version } from '@duckdb/node-api';
import { quoted } from '../../sql-scripts.ts';

export type EngineRow = Readonly<Record<string, string | null>>;

export interface Engine extends AsyncDisposable {
  /** Makes the running statement fail. */
  interrupt(): void;
  /** Runs statements that return nothing. */
  run(sql: string): Promise<void>;
  /** The rows of one select, every cell as text: all rows, or the first `limit`. The SQL must not have a `limit` clause. */
  rows(sql: string, limit?: number): Promise<readonly EngineRow[]>;
}

export interface AuditEngine extends Engine {
  /** Reads a Parquet file into memory, once. Returns its table, which has the file's name. `name`: its path in the folder. */
  load(name: string): Promise<string>;
  /** Begins a new session: nothing that the session before made is left, except the files that were read. */
  renew(): Promise<void>;
}

/** The schema in which an audit makes its views and tables. */
export const AUDITED = 'audited';
/** The schema of the files that were read into memory. */
export const FILES = 'files';

export interface EngineOptions {
  /** The only folder that the engine can read, besides the folder for temporary data. */
  readonly directory: string;
  readonly tempDirectory: string;
  /** In DuckDB's form: `512MB`. */
  readonly memoryLimit: string;
  /** Number of threads for one check; 1 if omitted. */
  readonly threads?: number;
}

// With a few thousand rows, a second thread costs 50 % more processor time. With a million entries, the audit took 23 s with
// two threads and 40 s with one, for the same processor time and 12 MB more memory.
const ROWS_FOR_TWO = 200_000;

/** The number of threads for files with these rows in total. */
export function threadsFor(tables: readonly { readonly rows: number }[]): number {
  return tables.reduce((rows, table) => rows + table.rows, 0) < ROWS_FOR_TWO ? 1 : 2;
}

/** The name of the engine in a report. */
export const ENGINE = `DuckDB ${version()}`;

/** Opens an engine without a database file; its disposal frees the memory. */
export async function openEngine({
  directory,
  tempDirectory,
  memoryLimit,
  threads = 1,
}: EngineOptions): Promise<AuditEngine> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(threads),
    memory_limit: memoryLimit,
    temp_directory: tempDirectory,
    // Return freed memory to the operating system after 4 MB, not half a gigabyte. At a million entries the process then
    // peaks 50 MB lower, for the same processor time.
    allocator_flush_threshold: '4MB',
    allocator_bulk_deallocation_flush_threshold: '16MB',
    allocator_background_threads: 'true',
    autoload_known_extensions: 'false',
    autoinstall_known_extensions: 'false',
    // The operating system caches the files already, in memory that does not count for this process.
    enable_external_file_cache: 'false',
  });
  let connection = await instance.connect();
  const [own, temporary] = [directory, tempDirectory].map((folder) => quoted(`${folder}/`));
  // The order matters: the last statement locks the settings, so that no check can change them.
  await connection.run(`set global timezone = 'UTC'`);
  await connection.run(`set allowed_directories = [${own}, ${temporary}]`);
  await connection.run(`create schema ${FILES}`);
  await connection.run('set enable_external_access = false');
  await connection.run('set lock_configuration = true');
  const loaded = new Set<string>();
  return {
    interrupt: () => connection.interrupt(),
    async run(sql) {
      await connection.run(sql);
    },
    async rows(sql, limit) {
      // Do not stream: the memory of a stream is freed only by the garbage collector. At ten million entries, 90 MB of one
      // check were still held while the next ones ran.
      const reader = await connection.runAndReadAll(limit === undefined ? sql : limited(sql, limit));
      return reader.getRowObjectsJson() as EngineRow[]; // every statement of the audit returns text
    },
    async load(name) {
      const table = `${FILES}.${basename(name, '.parquet')}`;
      if (loaded.has(name)) return table;
      await connection.run(`create table ${table} as from read_parquet(${quoted(join(directory, name))})`);
      loaded.add(name);
      return table;
    },
    async renew() {
      // With the connection end its variables, its temporary tables and a transaction that failed.
      connection.closeSync();
      connection = await instance.connect();
      await connection.run(`drop schema if exists ${AUDITED} cascade`);
    },
    async [Symbol.asyncDispose]() {
      connection.closeSync();
      instance.closeSync();
      await Promise.resolve();
    },
  };
}

/** Interrupts the engine's statement when the signal is aborted; throws if it is aborted already. */
export function interruptedBy(signal: AbortSignal, engine: Engine): Disposable {
  signal.throwIfAborted();
  const interrupt = (): void => engine.interrupt();
  signal.addEventListener('abort', interrupt);
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', interrupt) };
}

/** Adds the limit to the SQL, so that the engine sorts only the returned rows. */
function limited(sql: string, limit: number): string {
  return `${sql.trimEnd().replace(/;$/, '')}\nlimit ${limit}`;
}
