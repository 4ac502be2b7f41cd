/** The staged files of one real build, of which one table at a time is written anew with something wrong, and audited. */
import { createReadStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { AuditReport } from '../../src/snapshot/audit/report.ts';
import type { SqlScript } from '../../src/sql-scripts.ts';
import { auditSnapshot } from '../../src/snapshot/audit/audit.ts';
import { sha256Hex } from '../../src/snapshot/format/digest.ts';
import { type Manifest, readManifest } from '../../src/snapshot/format/manifest.ts';
import { chosen, readChecks } from '../snapshot/audit/audited-files.ts';
import { type ScratchFolder, scratchFolder } from './disks/scratch-folder.ts';
import type { StagedFiles } from './builds/staged-build.ts';

const MEMORY_MB = 256;

/** A table whose rows, as a select of the table gives them, stand in the place of those that were staged. */
export interface WrongTable {
  readonly table: string;
  readonly select: string;
}

export class AuditHarness implements AsyncDisposable {
  readonly #scratch: ScratchFolder;
  readonly #files: StagedFiles;
  readonly #manifest: Manifest;
  readonly #checks: readonly SqlScript[];
  readonly #engine: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(
    scratch: ScratchFolder,
    files: StagedFiles,
    checks: readonly SqlScript[],
    engine: DuckDBInstance,
    connection: DuckDBConnection,
  ) {
    this.#scratch = scratch;
    this.#files = files;
    this.#manifest = readManifest(this.#staged('manifest.json'));
    this.#checks = checks;
    this.#engine = engine;
    this.#connection = connection;
  }

  /** Puts the files where an audit reads them, and the tables into an engine that can change them. */
  static async open(files: StagedFiles): Promise<AuditHarness> {
    const scratch = await scratchFolder();
    const engine = await DuckDBInstance.create(':memory:', { threads: '1' });
    const harness = new AuditHarness(scratch, files, await readChecks(), engine, await engine.connect());
    await mkdir(harness.#directory);
    for (const name of ['schema.json', 'control.json']) await harness.#putBack(name);
    for (const { name } of harness.#manifest.tables) {
      await harness.#putBack(`${name}.parquet`);
      await harness.#connection.run(
        `create table ${name} as from read_parquet('${harness.#path(`${name}.parquet`)}')`,
      );
    }
    return harness;
  }

  /** How many rows the table has as it was built. */
  rowsOf(table: string): number {
    return this.#manifest.tables.find(({ name }) => name === table)?.row_count ?? 0;
  }

  /** The first value that the statement gives of the tables as they were built. */
  async value(sql: string): Promise<unknown> {
    return (await this.#connection.runAndReadAll(sql)).getRows()[0]?.[0];
  }

  /** Audits the build, with one table wrong, by these checks alone; without them, by all. */
  async audit(wrong?: WrongTable, only?: readonly string[]): Promise<AuditReport> {
    const file = `${wrong?.table}.parquet`;
    if (wrong !== undefined) {
      await this.#connection.run(`copy (${wrong.select}) to '${this.#path(file)}' (format parquet)`);
    }
    const { snapshot_id, account_id, generated_at, left_out } = this.#manifest;
    const report = await auditSnapshot({
      directory: this.#directory,
      tables: await Promise.all(
        this.#manifest.tables.map(async (table) =>
          table.name === wrong?.table
            ? await this.#written(wrong, file)
            : { ...table, rows: table.row_count },
        ),
      ),
      description: JSON.parse(this.#staged('schema.json').toString()) as unknown,
      control: described(this.#staged('control.json')),
      snapshot: {
        snapshot_id,
        account_id: BigInt(account_id),
        generated_at,
        left_out,
      },
      checks: only === undefined ? this.#checks : chosen(this.#checks, only),
      tempDirectory: join(this.#scratch.path, 'temp'),
      memory_mb: MEMORY_MB,
      read: (path) => createReadStream(path),
      signal: new AbortController().signal,
    });
    if (wrong !== undefined) await this.#putBack(file);
    return report;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#connection.closeSync();
    this.#engine.closeSync();
    await this.#scratch[Symbol.asyncDispose]();
  }

  get #directory(): string {
    return join(this.#scratch.path, 'files');
  }

  #path(name: string): string {
    return join(this.#directory, name);
  }

  #staged(name: string): Buffer {
    const bytes = this.#files.get(name);
    if (bytes === undefined) throw new Error(`the staged build has no ${name}`);
    return bytes;
  }

  async #putBack(name: string): Promise<void> {
    await writeFile(this.#path(name), this.#staged(name));
  }

  /** What its writer would have said of the wrong file: its bytes are those written. */
  async #written({ table, select }: WrongTable, file: string) {
    const bytes = await readFile(this.#path(file));
    const rows = Number(await this.value(`select count(*) from (${select})`));
    return { name: table, rows, ...described(bytes) };
  }
}

function described(bytes: Buffer): { readonly size_bytes: number; readonly sha256: string } {
  return { size_bytes: bytes.length, sha256: sha256Hex(bytes) };
}
