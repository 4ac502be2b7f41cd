/**
 * The audit of a snapshot's files before anything is published: 1. the bytes are those that were written
 * 2. the columns, rows and values keep the declarations  3. the files hold what the ledger's own tables held
 * 4. `reported_totals` is what the rows add up to. Everything after the first is SQL in `schema/audit`, published with
 * the files, so that anyone can run it again.
 */
import { join } from 'node:path';
import { isCrossfootError } from '../../errors.ts';
import { inFolder, inOrder, kindOf, quoted, type SqlScript } from '../../sql-scripts.ts';
import { type AuditEngine, ENGINE, interruptedBy, openEngine, threadsFor } from './engine.ts';
import {
  OFFENCES_KEPT,
  type AuditedWindow,
  type AuditReport,
  type CheckResult,
  type Offence,
} from './report.ts';
import { canonicalText, encodeCanonical } from '../format/canonical-json.ts';
import { digest, sha256Hex } from '../format/digest.ts';
import { engineFailure } from '../spool/failure.ts';

/** A file as its writer described it. */
interface WrittenFile {
  readonly name: string;
  readonly size_bytes: number;
  readonly sha256: string;
}

/** A table's file, the same way. */
export interface AuditedTable extends WrittenFile {
  readonly rows: number;
}

export interface AuditJob {
  /** Where `<table>.parquet` of every table stands, and beside them `schema.json` and `control.json`. */
  readonly directory: string;
  readonly tables: readonly AuditedTable[];
  /** What `schema.json` holds, canonically written. */
  readonly description: unknown;
  /** What was written as `control.json`: the ledger's own sums at the moment of the snapshot. */
  readonly control: Omit<WrittenFile, 'name'>;
  readonly snapshot: {
    readonly snapshot_id: string;
    readonly account_id: bigint;
    /** Microseconds since 1970. */
    readonly generated_at: bigint;
    /** `left_out` of the manifest, held to the files; null where the manifest does not record it. */
    readonly left_out: unknown;
  };
  /** Made of `schema/audit`, or read from a published `audit.sql`. */
  readonly checks: readonly SqlScript[];
  readonly tempDirectory: string;
  /** Megabytes that the engine may hold; up to eight times as many where the files cannot be checked with less. */
  readonly memory_mb: number;
  /** The bytes of the file of that path, as they stand on the disk. */
  readonly read: (path: string) => AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
}

/** Audits the files; the report says whether they may be published, and an error only that nobody could tell. */
export async function auditSnapshot(job: AuditJob): Promise<AuditReport> {
  const { snapshot_id, account_id } = job.snapshot;
  const bytes = await checkBytes(job);
  // A file that is not the one written may be anything: the engine never sees it.
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
  const description = encodeCanonical(job.description);
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

// Opening a file and planning its scan costs more than reading as much as this, and that much fits into memory.
const KEPT_ROWS = 10_000;
const CACHE_BYTES = 256 * 1024;

/** Reads the small tables once, instead of by each check: a table takes the place of the view. */
async function loadSmallTables(engine: AuditEngine, { tables, directory }: AuditJob): Promise<void> {
  const views = await engine.rows('select view_name as name from duckdb_views() where not internal');
  for (const { name, rows, size_bytes } of tables) {
    if (rows > KEPT_ROWS || size_bytes > CACHE_BYTES || !views.some((view) => view['name'] === name))
      continue;
    const file = quoted(join(directory, `${name}.parquet`));
    await engine.run(`drop view ${name}; create table ${name} as from read_parquet(${file})`);
  }
}

interface Outcome {
  readonly checks: CheckResult[];
  windows: readonly AuditedWindow[];
}

/** An account that grew has to be published all the same: what does not fit is checked anew with more memory. */
const MAX_TIMES = 8;
// How the engine begins to say so.
const OUT_OF_MEMORY = 'Out of Memory Error';

async function runFiles(job: AuditJob): Promise<Outcome> {
  for (let times = 1; ; times *= 2) {
    const outcome: Outcome = { checks: [], windows: [] };
    const more = times < MAX_TIMES;
    try {
      const broken = await runFilesWithin(job, job.memory_mb * times, outcome);
      if (more && broken?.startsWith(OUT_OF_MEMORY) === true) continue;
      return outcome;
    } catch (error) {
      // No space for what does not fit into memory: with more memory it may fit.
      if (!more || !isCrossfootError(error, 'spool_failed')) throw error;
    }
  }
}

/** Gives what the engine said where a file of the audit broke. */
async function runFilesWithin(
  job: AuditJob,
  memory_mb: number,
  outcome: Outcome,
): Promise<string | undefined> {
  const memoryLimit = `${memory_mb}MB`;
  await using engine = await openEngine({ ...job, memoryLimit, threads: threadsFor(job.tables) });
  using _ = interruptedBy(job.signal, engine);
  const { snapshot_id, account_id, generated_at, left_out } = job.snapshot;
  await engine.run(`set variable snapshot_id = ${quoted(snapshot_id)}`);
  await engine.run(`set variable account_id = ${account_id}`);
  await engine.run(`set variable generated_at = ${generated_at}`);
  if (left_out !== null) await engine.run(`set variable left_out = ${quoted(canonicalText(left_out))}`);
  let loaded = false;
  for (const file of inOrder(job.checks)) {
    try {
      job.signal.throwIfAborted();
      if (!loaded && kindOf(file) !== 'view') {
        loaded = true;
        await loadSmallTables(engine, job);
      }
      await runFile(engine, file, job, outcome);
    } catch (cause) {
      job.signal.throwIfAborted();
      // A full disk says nothing of the figures: it fails the build and refuses nothing.
      const full = engineFailure(job.tempDirectory, cause);
      if (full !== undefined) throw full;
      // Files that cannot be read as declared break a view or a check: that is a finding, and the last one.
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
  const sql = inFolder(job.directory, file.sql);
  if (kind === 'view') {
    await engine.run(sql);
  } else if (file.name === ROWS) {
    outcome.checks.push(checkRows(job, (await engine.rows(sql)) as unknown as AuditedWindow[])); // its three columns
  } else if (kind === 'list') {
    outcome.windows = (await engine.rows(sql)) as unknown as AuditedWindow[]; // its three columns
  } else {
    await engine.run('reset variable reads');
    const offences = (await engine.rows(sql, OFFENCES_KEPT + 1)) as unknown as Offence[]; // the columns of a check
    outcome.checks.push(result(file.name, await rowsRead(engine, job), offences));
  }
}

/** The rows of the tables that the check read, which it says by the variable `reads`; null where it does not. */
async function rowsRead(engine: AuditEngine, { tables }: AuditJob): Promise<number | null> {
  const read = await engine.rows("select unnest(getvariable('reads')) as name");
  if (read.length === 0) return null;
  return sum(tables.filter(({ name }) => read.some((row) => row['name'] === name)));
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
    offences: offences.slice(0, OFFENCES_KEPT),
    cut: offences.length > OFFENCES_KEPT,
  };
}

function sum(tables: readonly AuditedTable[]): number {
  return tables.reduce((rows, table) => rows + table.rows, 0);
}
