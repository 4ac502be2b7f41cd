/**
 * Audits a snapshot's files before anything is published: 1. the bytes on the disk are those that were written  2. columns,
 * rows and values agree with the declarations  3. the files agree with the ledger's base tables  4. `reported_totals` agrees
 * with the sums of the rows. Steps 2 to 4 are SQL in `schema/audit`. It is published with the files, so that anyone can run
 * it again.
 */
import { join } from 'node:path';
import { isCrossfootError } from '../../errors.ts';
import { inFolder, inOrder, kindOf, quoted, type SqlScript } from '../../sql-scripts.ts';
import { AUDITED, type AuditEngine, ENGINE, FILES, interruptedBy, threadsFor } from './engine.ts';
import {
  MAX_OFFENCES,
  type AuditedWindow,
  type AuditReport,
  type CheckResult,
  type Offence,
} from './report.ts';
import { canonicalText } from '../format/canonical-json.ts';
import { encodeDescription } from './description-file.ts';
import { digest, sha256Hex } from '../format/digest.ts';
import { type EngineSource, OWN_ENGINES } from './shared-engine.ts';
import { engineFailure } from '../spool/failure.ts';
import type { Instant } from '../../instant.ts';

/** A file as its writer described it. */
interface WrittenFile {
  readonly name: string;
  readonly size_bytes: number;
  readonly sha256: string;
}

/** A table's file, with its number of rows. */
export interface AuditedTable extends WrittenFile {
  readonly rows: number;
}

export interface AuditJob {
  /** The folder with `<table>.parquet` of every table, `schema.json` and `control.json`. */
  readonly directory: string;
  readonly tables: readonly AuditedTable[];
  /** Further tables in the folder that the scripts read, too. They are not audited here. */
  readonly others?: readonly AuditedTable[];
  /** The value that `schema.json` holds as canonical JSON. */
  readonly description: unknown;
  /** The written `control.json`: the ledger's own sums at the moment of the snapshot. */
  readonly control: Omit<WrittenFile, 'name'>;
  readonly snapshot: {
    readonly snapshot_id: string;
    readonly account_id: bigint;
    readonly generated_at: Instant;
    /** `left_out` of the manifest, which the audit compares with the files; null if the manifest lacks it. */
    readonly left_out: { readonly cost: unknown; readonly bills?: unknown } | null;
  };
  /** The scripts of `schema/audit`, or of a published `audit.sql`. */
  readonly checks: readonly SqlScript[];
  readonly tempDirectory: string;
  /** Memory limit of the engine in megabytes. It is raised up to eight times if the files need more. */
  readonly memory_mb: number;
  /** Engines of its own if omitted. */
  readonly engines?: EngineSource;
  /** Reads the bytes of a file on the disk. */
  readonly read: (path: string) => AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
}

/** Audits the files. Faults of the files are in the report; it throws only if the audit could not run. */
export async function auditSnapshot(job: AuditJob): Promise<AuditReport> {
  const { snapshot_id, account_id } = job.snapshot;
  const bytes = await checkBytes(job);
  // If the bytes differ from those that were written, the file may hold anything: the engine must not read it.
  const outcome = bytes.passed ? await runFiles(job) : { checks: [], windows: [] };
  const checks = [bytes, ...outcome.checks];
  return {
    snapshot_id,
    account_id: String(account_id),
    engine: ENGINE,
    passed: passed(checks),
    checks,
    windows: outcome.windows,
  };
}

function passed(checks: readonly CheckResult[]): boolean {
  return checks.every((check) => check.passed);
}

async function checkBytes(job: AuditJob): Promise<CheckResult> {
  const description = encodeDescription(job.description);
  const expected: readonly WrittenFile[] = [
    ...job.tables.map((table) => ({ ...table, name: `${table.name}.parquet` })),
    { name: 'schema.json', size_bytes: description.length, sha256: sha256Hex(description) },
    { ...job.control, name: 'control.json' },
  ];
  const offences: Offence[] = [];
  for (const { name, size_bytes, sha256 } of expected) {
    const found = await digest(job.read(join(job.directory, name)));
    if (found.size_bytes === size_bytes && found.sha256 === sha256) continue;
    offences.push({
      subject: name,
      place: 'on the disk',
      figure: 'content',
      expected: `${size_bytes} bytes with SHA-256 ${sha256}`,
      found: `${found.size_bytes} bytes with SHA-256 ${found.sha256}`,
      rule: 'the disk has what was written',
    });
  }
  return result('00-bytes', sum(job.tables), offences);
}

// Up to this many rows, opening a file and planning its scan takes longer than reading its rows, which fit into memory.
const MAX_LOADED_ROWS = 10_000;
const CACHE_BYTES = 256 * 1024;

/** True for a file that an engine reads into memory. */
export function isSmall({ rows, size_bytes }: Pick<AuditedTable, 'rows' | 'size_bytes'>): boolean {
  return rows <= MAX_LOADED_ROWS && size_bytes <= CACHE_BYTES;
}

// A view that is a whole file, as the scripts write it: with the name of the file.
const WHOLE_FILE = /^create view (\w+) as from read_parquet\('((?:[a-z_]+\/)?\1)\.parquet'\);$/gm;

/**
 * The script without its views of small files: these files are read into memory once, not by each check. Their tables have the
 * names of the views. A view would be planned again at each use.
 */
async function loadingSmall(
  sql: string,
  engine: AuditEngine,
  { tables, others = [] }: AuditJob,
): Promise<string> {
  const small = new Set<string>();
  for (const [, , name = ''] of sql.matchAll(WHOLE_FILE)) {
    const table = [...tables, ...others].find((each) => each.name === name);
    if (table === undefined || !isSmall(table)) continue;
    await engine.load(`${name}.parquet`);
    small.add(name);
  }
  return sql.replaceAll(WHOLE_FILE, (view, _, name: string) => (small.has(name) ? '' : view));
}

interface Outcome {
  readonly checks: CheckResult[];
  windows: readonly AuditedWindow[];
}

/** If the engine runs out of memory, the audit runs again with twice the limit, up to this factor of `memory_mb`. */
const MAX_MEMORY_FACTOR = 8;
// The beginning of DuckDB's message.
const OUT_OF_MEMORY = 'Out of Memory Error';

async function runFiles(job: AuditJob): Promise<Outcome> {
  for (let times = 1; ; times *= 2) {
    const outcome: Outcome = { checks: [], windows: [] };
    const more = times < MAX_MEMORY_FACTOR;
    try {
      const broken = await runFilesWithin(job, job.memory_mb * times, outcome);
      if (more && broken?.startsWith(OUT_OF_MEMORY) === true) continue;
      return outcome;
    } catch (error) {
      // The disk has no space for temporary data: with more memory the audit may not need it.
      if (!more || !isCrossfootError(error, 'spool_failed')) throw error;
    }
  }
}

/** Runs the scripts; returns the engine's message if a script failed. */
async function runFilesWithin(
  job: AuditJob,
  memory_mb: number,
  outcome: Outcome,
): Promise<string | undefined> {
  const memoryLimit = `${memory_mb}MB`;
  const { directory, tempDirectory, engines = OWN_ENGINES } = job;
  const threads = threadsFor(job.tables);
  await using engine = await engines.open({ directory, tempDirectory, memoryLimit, threads });
  using _ = interruptedBy(job.signal, engine);
  await engine.run(`create schema ${AUDITED}; set search_path = '${AUDITED},${FILES}'`);
  const { snapshot_id, account_id, generated_at, left_out } = job.snapshot;
  await engine.run(`set variable snapshot_id = ${quoted(snapshot_id)}`);
  await engine.run(`set variable account_id = ${account_id}`);
  await engine.run(`set variable generated_at = ${generated_at}`);
  if (left_out !== null) {
    await engine.run(`set variable left_out = ${quoted(canonicalText(left_out))}`);
    // An older program, which knows no bills, sets `left_out` alone: its bills are not compared.
    await engine.run(`set variable left_out_bills = ${quoted(canonicalText(left_out.bills ?? []))}`);
  }
  for (const file of inOrder(job.checks)) {
    try {
      job.signal.throwIfAborted();
      await runFile(engine, file, job, outcome);
    } catch (cause) {
      job.signal.throwIfAborted();
      // A full disk says nothing about the figures: the build fails, but the figures are not refused.
      const full = engineFailure(job.tempDirectory, cause);
      if (full !== undefined) throw full;
      // Files that cannot be read as declared make a script fail: this is a finding, and the last one.
      const found = cause instanceof Error ? (cause.message.split('\n', 1)[0] ?? '') : 'it broke';
      outcome.checks.push(
        result(file.name, 0, [
          { subject: 'audit', place: file.name, figure: 'outcome', expected: 'a script that runs', found },
        ]),
      );
      return found;
    }
  }
  return undefined;
}

async function runFile(engine: AuditEngine, file: SqlScript, job: AuditJob, outcome: Outcome): Promise<void> {
  const kind = kindOf(file);
  // A list of tables is read here, so the engine need not run its statement.
  const listed = READS.exec(file.sql)?.[1];
  const given = kind === 'view' ? await loadingSmall(file.sql, engine, job) : file.sql.replace(READS, '');
  const sql = inFolder(job.directory, given);
  if (kind === 'view') {
    await engine.run(sql);
  } else if (file.name === ROWS) {
    outcome.checks.push(checkRows(job, (await engine.rows(sql)) as unknown as AuditedWindow[])); // its three columns
  } else if (kind === 'list') {
    outcome.windows = (await engine.rows(sql)) as unknown as AuditedWindow[]; // its three columns
  } else {
    if (listed === undefined) await engine.run('reset variable reads');
    const offences = (await engine.rows(sql, MAX_OFFENCES + 1)) as unknown as Offence[]; // the columns of a check
    const names = listed?.match(/[^\s',]+/g) ?? (await namesRead(engine));
    const read = names && sum(job.tables.filter(({ name }) => names.includes(name)));
    outcome.checks.push(result(file.name, read, offences));
  }
}

/** A list of names, by which most checks say which tables they read: asking the engine for each takes a tenth of the audit. */
const READS = /^set variable reads = \[([^\]]*)\];$/m;

/** The names that a check has put into its variable `reads`; null if it did not set it. */
async function namesRead(engine: AuditEngine): Promise<readonly unknown[] | null> {
  const read = await engine.rows("select unnest(getvariable('reads')) as name");
  return read.length === 0 ? null : read.map((row) => row['name']);
}

const ROWS = '05-list-rows';

function checkRows(job: AuditJob, files: readonly AuditedWindow[]): CheckResult {
  const wrong = [
    ...new Set([...job.tables, ...files.map(({ place }) => ({ name: place }))].map(({ name }) => name)),
  ].flatMap((name): Offence[] => {
    const written = job.tables.find((table) => table.name === name)?.rows ?? 'none';
    const found = files.find((file) => file.place === name)?.found ?? 'none';
    if (String(written) === found) return [];
    return [
      {
        subject: name,
        place: 'the file',
        figure: 'rows',
        expected: String(written),
        found,
        rule: 'the file has the rows that were written',
      },
    ];
  });
  return result(ROWS, sum(job.tables), wrong);
}

function result(name: string, rows_examined: number | null, offences: readonly Offence[]): CheckResult {
  return {
    name,
    rows_examined,
    passed: offences.length === 0,
    offences: offences.slice(0, MAX_OFFENCES),
    cut: offences.length > MAX_OFFENCES,
  };
}

function sum(tables: readonly AuditedTable[]): number {
  return tables.reduce((rows, table) => rows + table.rows, 0);
}
