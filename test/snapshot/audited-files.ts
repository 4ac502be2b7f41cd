/** Writes a company's rows as the files of a snapshot, and audits them. */
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeRows } from '../../src/parquet/write.ts';
import type { AuditReport } from '../../src/snapshot/audit-report.ts';
import type { AuditFile } from '../../src/snapshot/audit-script.ts';
import { type AuditedTable, type AuditJob, auditSnapshot } from '../../src/snapshot/audit.ts';
import { encodeCanonical } from '../../src/snapshot/canonical-json.ts';
import { TABLES } from '../../src/tables/all.ts';
import { describeTables } from '../../src/tables/describe.ts';
import type { Table } from '../../src/tables/table.ts';
import { type Company, SNAPSHOT } from './audited-company.ts';
import { controlOf } from './audited-control.ts';

const AUDIT_FOLDER = new URL('../../schema/audit/', import.meta.url).pathname;

/** The audit's files as they stand in the schema. */
export async function readChecks(): Promise<readonly AuditFile[]> {
  const names = (await readdir(AUDIT_FOLDER)).filter((name) => name.endsWith('.sql'));
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(join(AUDIT_FOLDER, name), 'utf8') })),
  );
}

export interface Published {
  readonly rows: Company;
  readonly control: unknown;
  readonly tables: readonly Table[];
  /** Another id in the rows of one table. */
  readonly foreign?: string;
}

interface Written extends AuditedTable {
  readonly bytes: Buffer;
}

/** One run of a test file: keeps what it wrote, so that a change rewrites one table only. */
export class AuditBench implements AsyncDisposable {
  readonly #written = new Map<string, Promise<Written>>();
  readonly #root: string;
  readonly #checks: readonly AuditFile[];
  #runs = 0;

  constructor(root: string, checks: readonly AuditFile[]) {
    this.#root = root;
    this.#checks = checks;
  }

  static async open(): Promise<AuditBench> {
    return new AuditBench(await mkdtemp(join(tmpdir(), 'crossfoot-audit-')), await readChecks());
  }

  /** Writes the files and audits them; `spoil` may change what stands on the disk before that. */
  async audit(
    company: Company,
    given: Partial<Published> & {
      readonly spoil?: (directory: string) => Promise<void>;
      readonly job?: Partial<AuditJob>;
    } = {},
  ): Promise<AuditReport> {
    const directory = join(this.#root, `run ${this.#runs++}'s files`);
    const tempDirectory = join(this.#root, 'temp');
    await mkdir(directory);
    const control = given.control ?? controlOf(company);
    const description = describeTables();
    const tables: AuditedTable[] = [];
    for (const table of given.tables ?? TABLES) {
      const { bytes, ...written } = await this.#write(table, company, given.foreign === table.name);
      await writeFile(join(directory, `${table.name}.parquet`), bytes);
      tables.push(written);
    }
    await writeFile(join(directory, 'schema.json'), encodeCanonical(description));
    await writeFile(join(directory, 'control.json'), encodeCanonical(control));
    await given.spoil?.(directory);
    const report = await auditSnapshot({
      directory,
      tables,
      description,
      control,
      snapshot: SNAPSHOT,
      checks: this.#checks,
      tempDirectory,
      memoryLimit: '256MB',
      read: (path) => createReadStream(path),
      signal: new AbortController().signal,
      ...given.job,
    });
    await rm(directory, { recursive: true });
    return report;
  }

  async #write(table: Table, company: Company, foreign: boolean): Promise<Written> {
    const rows = company[table.name] ?? [];
    const key = JSON.stringify([table, rows, foreign], (_, cell: unknown) =>
      typeof cell === 'bigint' ? `${cell}n` : cell,
    );
    let written = this.#written.get(key);
    if (written === undefined) {
      written = write(table, rows, foreign ? '20260814T020000Z' : SNAPSHOT.snapshot_id);
      this.#written.set(key, written);
    }
    return written;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#root, { recursive: true });
  }
}

async function write(table: Table, rows: Company[string], snapshot_id: string): Promise<Written> {
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
    sink: async (bytes) => {
      chunks.push(bytes);
    },
  });
  return { name: table.name, rows: count, size_bytes, sha256, bytes: Buffer.concat(chunks) };
}

/** The names of the checks that refused. */
export function refusals(report: AuditReport): readonly string[] {
  return report.checks.filter((check) => !check.passed).map((check) => check.name);
}
