/**
 * A published snapshot proved again, offline, from a folder that holds its files: 1. the manifest is well-formed and
 * the one expected  2. every file has the bytes it names, whole and block by block  3. the audit that was published
 * with them, its own SQL, description and control totals, finds what it found then. Nothing of this program's present
 * schema takes part, so a snapshot of years ago is held to the rules of its own day.
 */
import { join } from 'node:path';
import { isCrossfootError } from '../../errors.ts';
import { hasCode } from '../../store/directories.ts';
import { ENGINE } from '../audit/engine.ts';
import type { AuditReport, CheckResult, Offence } from '../audit/report.ts';
import { scriptsOf } from '../audit/script.ts';
import { type AuditedTable, auditSnapshot } from '../audit/audit.ts';
import { decodeCanonical, encodeCanonical } from '../format/canonical-json.ts';
import { digest, sha256Hex } from '../format/digest.ts';
import {
  decodeManifest,
  type ExpectedManifest,
  type Manifest,
  MANIFEST_CAP_BYTES,
  readManifest,
  readSentManifest,
  type SentManifest,
} from '../format/manifest.ts';
import { readSpooled, type SpoolFileSystem } from '../spool/spool.ts';
import { inVerified } from '../spool/failure.ts';
import { type AbsentFiles, compareFiles, type Layout, NONE_ABSENT, uncheckedParts } from './verify-files.ts';

export interface VerifyJob {
  readonly fs: Pick<SpoolFileSystem, 'open'>;
  /** The absolute path of the folder: in the layout of the store, or as a server sent it. */
  readonly directory: string;
  /** What a log entry says of the manifest; null for a copy that only vouches for itself. */
  readonly expected: ExpectedManifest | null;
  readonly tempDirectory: string;
  /** Megabytes that the audit's engine may hold; more where the files cannot be checked with less. */
  readonly memory_mb: number;
  readonly signal: AbortSignal;
}

/** What a manifest says of the files that are audited. */
export interface AuditedSnapshot extends Pick<
  Manifest,
  'snapshot_id' | 'account_id' | 'generated_at' | 'left_out'
> {
  readonly tables: readonly AuditedTable[];
}

interface VerifiedCheck {
  readonly name: string;
  readonly passed: boolean;
  readonly offences: readonly Offence[];
}

export interface VerifyReport {
  /** Null when the manifest cannot be read. */
  readonly snapshot_id: string | null;
  readonly account_id: string | null;
  /** Null when the manifest cannot be read. */
  readonly layout: Layout | null;
  /** Of the manifest as it was found: in the layout of the store, what the log entry of the snapshot must name. */
  readonly manifest_sha256: string | null;
  readonly engine: string;
  readonly passed: boolean;
  /** In the order they ran; no audit follows one that refuses the manifest or the bytes. */
  readonly checks: readonly VerifiedCheck[];
  /** What the folder does not hold enough to check, each in a sentence. */
  readonly unchecked: readonly string[];
}

/** Verifies the folder: a report whatever its files are, an error only for a disk that cannot be read. */
export async function verifySnapshot(job: VerifyJob): Promise<VerifyReport> {
  const bytes = await readWhole(job, 'manifest.json', MANIFEST_CAP_BYTES);
  const { content, offences } = checkManifest(bytes, job.expected);
  const { checks, absent } =
    content === null ? { checks: [], absent: NONE_ABSENT } : await checkContent(job, content);
  const all = [result('manifest', offences), ...checks];
  return {
    snapshot_id: content?.manifest.snapshot_id ?? null,
    account_id: content === null ? null : String(content.manifest.account_id),
    layout: content?.layout ?? null,
    manifest_sha256: bytes === null ? null : sha256Hex(bytes),
    engine: ENGINE,
    passed: all.every((check) => check.passed),
    checks: all,
    unchecked: content === null ? [] : uncheckedParts(content.layout, job.expected !== null, absent),
  };
}

interface FolderContent {
  readonly layout: Layout;
  readonly manifest: SentManifest;
}

function checkManifest(
  bytes: Uint8Array | null,
  expected: ExpectedManifest | null,
): { readonly content: FolderContent | null; readonly offences: readonly Offence[] } {
  const refused = (found: string) => {
    const wanted = expected === null ? 'a manifest' : `a manifest with SHA-256 ${expected.manifest_sha256}`;
    return {
      content: null,
      offences: [{ subject: 'manifest.json', place: 'content', expected: wanted, found }],
    };
  };
  if (bytes === null) return refused('no such file');
  try {
    if (expected !== null) return stored(decodeManifest(bytes, expected));
    const sent = readSentManifest(bytes);
    return sent === null
      ? stored(readManifest(bytes))
      : { content: { layout: 'served', manifest: sent }, offences: [] };
  } catch (error) {
    if (isCrossfootError(error, 'manifest_invalid'))
      return refused(`SHA-256 ${sha256Hex(bytes)}; ${error.message}`);
    throw error;
  }
}

function stored(manifest: Manifest) {
  return { content: { layout: 'store', manifest }, offences: [] } as const;
}

async function checkContent(
  job: VerifyJob,
  { layout, manifest }: FolderContent,
): Promise<{ readonly checks: readonly VerifiedCheck[]; readonly absent: AbsentFiles }> {
  const { wrong, absent } = await compareFiles(manifest, layout, (name) =>
    unlessAbsent(() => digest(bytesOf(job, join(job.directory, name)))),
  );
  const digests = result('digests', wrong);
  // SQL that is not the one published may do anything: it is never run.
  if (!digests.passed || [...absent.tables, ...absent.evidence].length > 0) {
    return { checks: [digests], absent };
  }
  const tables = manifest.tables.map(({ row_count, ...table }) => ({ ...table, rows: row_count }));
  return { checks: [digests, ...(await auditAgain(job, { ...manifest, tables }))], absent };
}

/** The audit that lies in the folder run again on files whose digests were checked: it must find what it found then. */
export async function auditAgain(
  job: Omit<VerifyJob, 'expected'>,
  snapshot: AuditedSnapshot,
): Promise<readonly VerifiedCheck[]> {
  const now = await audit(job, snapshot);
  const then = decodeCanonical(await demand(job, 'audit.json')) as AuditReport; // its parts are compared as texts
  return [
    ...now.checks.map(({ name, offences }) => result(name, offences)),
    result('audit.json', [
      ...changed('check', then.checks, now.checks.map(asThen(then))),
      ...changed('window', then.windows, now.windows),
    ]),
  ];
}

async function audit(
  job: Omit<VerifyJob, 'expected'>,
  { tables, ...manifest }: AuditedSnapshot,
): Promise<AuditReport> {
  const script = new TextDecoder().decode(await demand(job, 'audit.sql'));
  return await auditSnapshot({
    directory: job.directory,
    tables,
    description: decodeCanonical(await demand(job, 'schema.json')),
    control: await digest(bytesOf(job, join(job.directory, 'control.json'))),
    snapshot: {
      snapshot_id: manifest.snapshot_id,
      account_id: BigInt(manifest.account_id),
      generated_at: manifest.generated_at,
      left_out: manifest.left_out,
    },
    checks: scriptsOf(script),
    tempDirectory: job.tempDirectory,
    memory_mb: job.memory_mb,
    read: (path) => bytesOf(job, path),
    signal: job.signal,
  });
}

/** A script of before does not say which tables it reads: then the number of rows cannot be compared. */
function asThen({ checks }: AuditReport): (check: CheckResult, at: number) => CheckResult {
  return (check, at) => ({
    ...check,
    rows_examined: check.rows_examined ?? checks[at]?.rows_examined ?? null,
  });
}

/** The first place where the findings of now are not those that were published; none when they are the same. */
function changed(part: string, then: readonly unknown[], now: readonly unknown[]): readonly Offence[] {
  for (let at = 0; at < Math.max(then.length, now.length); at += 1) {
    const [expected, found] = [then[at], now[at]].map((each) =>
      each === undefined ? 'none' : encodeCanonical(each).toString(),
    ) as [string, string];
    if (expected !== found) return [{ subject: 'audit.json', place: `${part} ${at + 1}`, expected, found }];
  }
  return [];
}

function result(name: string, offences: readonly Offence[]): VerifiedCheck {
  return { name, passed: offences.length === 0, offences };
}

/** A file that was there when it was digested. */
async function demand(job: Omit<VerifyJob, 'expected'>, name: string): Promise<Uint8Array> {
  const bytes = await readWhole(job, name, Number.MAX_SAFE_INTEGER);
  if (bytes === null) throw new Error(`${name} vanished while it was verified`);
  return bytes;
}

/** All of a file, or of one that is too large enough to see that it is; null when it is not there. */
function readWhole(
  job: Pick<VerifyJob, 'fs' | 'directory'>,
  name: string,
  cap_bytes: number,
): Promise<Uint8Array | null> {
  return unlessAbsent(async () => {
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of bytesOf(job, join(job.directory, name))) {
      pieces.push(piece);
      size += piece.length;
      if (size > cap_bytes) break;
    }
    return Buffer.concat(pieces);
  });
}

function bytesOf({ fs }: Pick<VerifyJob, 'fs'>, path: string): AsyncGenerator<Uint8Array> {
  return readSpooled(fs, path, inVerified);
}

async function unlessAbsent<Result>(read: () => Promise<Result>): Promise<Result | null> {
  try {
    return await read();
  } catch (error) {
    // What reads a file says that it failed, and names the file system's error as the cause.
    if (isCrossfootError(error, 'file_unreadable') && hasCode(error.cause, 'ENOENT')) return null;
    throw error;
  }
}
