/** Writes a company's rows as the files of a snapshot, and audits them. */
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { FIELD_KINDS } from '../../../src/fields.ts';
import { readSqlFiles } from '../../../src/ledger/migrate/files.ts';
import { writeRows } from '../../../src/parquet/write.ts';
import type { AuditReport } from '../../../src/snapshot/audit/report.ts';
import { auditScripts } from '../../../src/snapshot/audit/script.ts';
import { type AuditedTable, type AuditJob, auditSnapshot } from '../../../src/snapshot/audit/audit.ts';
import { encodeCanonical } from '../../../src/snapshot/format/canonical-json.ts';
import { sha256Hex } from '../../../src/snapshot/format/digest.ts';
import { kindOf, type SqlScript, sqlScripts } from '../../../src/sql-scripts.ts';
import { TABLES } from '../../../src/tables/all.ts';
import { describeTables } from '../../../src/tables/describe.ts';
import type { Table } from '../../../src/tables/table.ts';
import { sharedThread } from '../../parquet/shared-thread.ts';
import { type Company, SNAPSHOT } from './audited-company.ts';
import { controlFile, controlOf, type ControlTotals } from './audited-control.ts';

const STRUCTURE = '10-check-structure';
const AUDIT_FOLDER = fileURLToPath(new URL('../../../schema/audit/', import.meta.url));

/** The audit's scripts, made of the files of the schema for the declared tables. */
export async function readChecks(): Promise<readonly SqlScript[]> {
  return auditScripts(sqlScripts(await readSqlFiles(AUDIT_FOLDER)), describeTables());
}

interface Published {
  readonly rows: Company;
  readonly control: ControlTotals;
  readonly tables: readonly Table[];
  /** Another id in the rows of one table. */
  readonly foreign?: string;
  /** These checks alone, with the views before the last of them. */
  readonly only?: readonly string[];
}

interface Written extends AuditedTable {
  readonly bytes: Buffer;
}

/** One run of a test file: keeps what it wrote, so that a change rewrites one table only. */
export class AuditBench implements AsyncDisposable {
  readonly #written = new Map<string, Promise<Written>>();
  readonly #root: string;
  readonly #checks: readonly SqlScript[];
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  #runs = 0;

  private constructor(
    root: string,
    checks: readonly SqlScript[],
    instance: DuckDBInstance,
    connection: DuckDBConnection,
  ) {
    this.#instance = instance;
    this.#connection = connection;
    this.#root = root;
    this.#checks = checks;
  }

  static async open(): Promise<AuditBench> {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    const root = await mkdtemp(join(tmpdir(), 'crossfoot-audit-'));
    return new AuditBench(root, await readChecks(), instance, await instance.connect());
  }

  /** Writes the files and audits them; `spoil` may change what stands on the disk before that. */
  async audit(
    company: Company,
    given: Partial<Published> & {
      readonly spoil?: (directory: string) => Promise<void>;
      readonly job?: Partial<AuditJob>;
      /** What the writing of a table says of its file, in place of what is true. */
      readonly said?: (written: AuditedTable) => AuditedTable;
    } = {},
  ): Promise<AuditReport> {
    const directory = join(this.#root, `run ${this.#runs++}'s files`);
    const tempDirectory = join(this.#root, 'temp');
    await mkdir(directory);
    const control = await controlFile(given.control ?? controlOf(company));
    const description = describeTables();
    const tables: AuditedTable[] = [];
    for (const table of given.tables ?? TABLES) {
      const snapshot_id = given.foreign === table.name ? '20260814T020000Z' : SNAPSHOT.snapshot_id;
      const { bytes, ...written } = await this.#write(table, company, snapshot_id, given.only);
      await writeFile(join(directory, `${table.name}.parquet`), bytes);
      tables.push(given.said?.(written) ?? written);
    }
    await writeFile(join(directory, 'schema.json'), encodeCanonical(description));
    await writeFile(join(directory, 'control.json'), control);
    await given.spoil?.(directory);
    const report = await auditSnapshot({
      directory,
      tables,
      description,
      control: { size_bytes: control.length, sha256: sha256Hex(control) },
      snapshot: SNAPSHOT,
      checks: given.only === undefined ? this.#checks : chosen(this.#checks, given.only),
      tempDirectory,
      memory_mb: 256,
      read: (path) => createReadStream(path),
      signal: new AbortController().signal,
      ...given.job,
    });
    await rm(directory, { recursive: true });
    return report;
  }

  async #write(
    table: Table,
    company: Company,
    snapshot_id: string,
    only: readonly string[] = [STRUCTURE],
  ): Promise<Written> {
    const rows = company[table.name] ?? [];
    const asBuilt = only.includes(STRUCTURE);
    const key = JSON.stringify([table, rows, snapshot_id, asBuilt], inText);
    let written = this.#written.get(key);
    if (written === undefined) {
      written = asBuilt
        ? writeAsBuilt(table, rows, snapshot_id)
        : writeLoosely(table, rows, snapshot_id, this.#root, this.#connection);
      this.#written.set(key, written);
    }
    return written;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#connection.closeSync();
    this.#instance.closeSync();
    await rm(this.#root, { recursive: true });
  }
}

/** Those checks, and the views before the last of them. */
export function chosen(files: readonly SqlScript[], only: readonly string[]): readonly SqlScript[] {
  const last = only.toSorted().at(-1) ?? '';
  return files.filter((file) => {
    return only.includes(file.name) || (kindOf(file) === 'view' && file.name < last);
  });
}

/** The file as a build writes it. */
async function writeAsBuilt(table: Table, rows: Company[string], snapshot_id: string): Promise<Written> {
  const chunks: Uint8Array[] = [];
  const {
    rows: count,
    size_bytes,
    sha256,
  } = await writeRows({
    table,
    rows,
    constants: { snapshot_id },
    metadata: { table: table.name },
    thread: sharedThread(),
    sink: async (bytes) => {
      chunks.push(Uint8Array.from(bytes));
    },
  });
  return { name: table.name, rows: count, size_bytes, sha256, bytes: Buffer.concat(chunks) };
}

/** The same rows and types, five times as fast and with every column nullable: for all checks but that of structure. */
async function writeLoosely(
  table: Table,
  rows: Company[string],
  snapshot_id: string,
  root: string,
  connection: DuckDBConnection,
): Promise<Written> {
  const source = join(root, `${table.name}.json`);
  const target = join(root, `${table.name}.parquet`);
  await writeFile(source, rows.map((row) => JSON.stringify({ ...row, snapshot_id }, inText)).join('\n'));
  const types = table.columns.map(
    ({ name, kind }) => `${name}: '${kind === 'timestamp' ? 'BIGINT' : FIELD_KINDS[kind].duckdb}'`,
  );
  const cells = table.columns.map(({ name, kind }) =>
    kind === 'timestamp' ? `make_timestamptz(${name}) as ${name}` : name,
  );
  await connection.run(`copy (select ${cells.join(', ')} from read_json('${source}', format = 'newline_delimited',
    columns = {${types.join(', ')}})) to '${target}' (format parquet)`);
  const bytes = await readFile(target);
  return { name: table.name, rows: rows.length, size_bytes: bytes.length, sha256: sha256Hex(bytes), bytes };
}

function inText(_: string, cell: unknown): unknown {
  return typeof cell === 'bigint' ? String(cell) : cell;
}

/** The names of the checks that refused. */
export function refusals(report: AuditReport): readonly string[] {
  return report.checks.filter((check) => !check.passed).map((check) => check.name);
}
