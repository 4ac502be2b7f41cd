/** The second engine: DuckDB, which shares no code with what wrote the files, shut in to one folder. */
import { DuckDBInstance, version } from '@duckdb/node-api';
import { quoted } from '../../sql-scripts.ts';

export type EngineRow = Readonly<Record<string, string | null>>;

export interface AuditEngine extends AsyncDisposable {
  /** Makes the statement that is running fail. */
  interrupt(): void;
  /** Runs statements that return nothing. */
  run(sql: string): Promise<void>;
  /** The rows of one select that has no limit of its own, every cell as text: all of them, or the first so many. */
  rows(sql: string, limit?: number): Promise<readonly EngineRow[]>;
}

interface EngineOptions {
  /** The only folder it can read, beside the one for what does not fit into memory. */
  readonly directory: string;
  readonly tempDirectory: string;
  /** As DuckDB says it: `512MB`. */
  readonly memoryLimit: string;
  /** How many threads work on one check; one when not given. */
  readonly threads?: number;
}

// For checks of a few thousand rows a second thread takes half as much CPU again. Of a million entries the audit took 23 s
// with two and 40 with one, for no more CPU and 12 MB more.
const ROWS_FOR_TWO = 200_000;

/** How many threads are worth their while for files of so many rows together. */
export function threadsFor(tables: readonly { readonly rows: number }[]): number {
  return tables.reduce((rows, table) => rows + table.rows, 0) < ROWS_FOR_TWO ? 1 : 2;
}

/** What an audit names as its engine. */
export const ENGINE = `DuckDB ${version()}`;

/** Opens an engine without a database of its own; disposing of it gives its memory back. */
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
    // Freed memory goes back to the operating system after each check that used much, not after half a gigabyte of it:
    // audited at a million entries, the process then peaks 50 MB lower, for no more CPU.
    allocator_flush_threshold: '4MB',
    allocator_bulk_deallocation_flush_threshold: '16MB',
    allocator_background_threads: 'true',
    autoload_known_extensions: 'false',
    autoinstall_known_extensions: 'false',
    // The operating system keeps the files in memory already, and does not count it as ours.
    enable_external_file_cache: 'false',
  });
  const connection = await instance.connect();
  const [own, temporary] = [directory, tempDirectory].map((folder) => quoted(`${folder}/`));
  // In this order: the last one makes all of them final, so that no check can open what these closed.
  await connection.run(`set timezone = 'UTC'`);
  await connection.run(`set allowed_directories = [${own}, ${temporary}]`);
  await connection.run('set enable_external_access = false');
  await connection.run('set lock_configuration = true');
  return {
    interrupt: () => connection.interrupt(),
    async run(sql) {
      await connection.run(sql);
    },
    async rows(sql, limit) {
      // Never streamed: what a stream was made from is given back only once the program's own collector finds it, which
      // at ten million entries held ninety megabytes of one check while the next ones ran.
      const reader = await connection.runAndReadAll(limit === undefined ? sql : limited(sql, limit));
      return reader.getRowObjectsJson() as EngineRow[]; // every statement of the audit returns text
    },
    async [Symbol.asyncDispose]() {
      connection.closeSync();
      instance.closeSync();
      await Promise.resolve();
    },
  };
}

/** Interrupts what the engine runs once the signal is aborted; throws at once where it was before. */
export function interruptedBy(signal: AbortSignal, engine: AuditEngine): Disposable {
  signal.throwIfAborted();
  const interrupt = (): void => engine.interrupt();
  signal.addEventListener('abort', interrupt);
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', interrupt) };
}

/** The engine then sorts no more than it gives. */
function limited(sql: string, limit: number): string {
  return `${sql.trimEnd().replace(/;$/, '')}\nlimit ${limit}`;
}
