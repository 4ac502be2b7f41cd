/**
 * Verifies a published snapshot in a folder with its files, without the store: 1. the manifest is well-formed, and is the one
 * that the log entry names, if there is a log entry  2. every file has the digests that the manifest names, as a whole and
 * block by block  3. the published audit, with its own SQL, description and control totals, gives the published result. The
 * program's present schema is not used, so an old snapshot is checked by the rules of its own time.
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
} from '../format/manifest.ts';
import { SIGNATURE_CAP_BYTES, type SignedBy } from '../format/signature-files.ts';
import { readSpooled, type SpoolFileSystem } from '../spool/spool.ts';
import { inVerified } from '../spool/failure.ts';
import { type VerifiedSignatures, verifyOwnSignatures, verifySignatures } from './verify-signatures.ts';
import {
  type AbsentFiles,
  compareFiles,
  type Layout,
  type NamingManifest,
  NONE_ABSENT,
  uncheckedParts,
  unnamedFiles,
} from './verify-files.ts';

export interface VerifyJob {
  readonly fs: Pick<SpoolFileSystem, 'open'>;
  /** The absolute path of the folder, in the store's layout or as downloaded from a server. */
  readonly directory: string;
  /** What the log entry says about the manifest; null for a copy without a log entry. */
  readonly expected: ExpectedManifest | null;
  /** Who signed the snapshot, as the log entry says; null without a log entry, or if the entry is not signed. */
  readonly signed_by: SignedBy | null;
  /** What is in the folder, of a copy that may hold more than the manifest names. */
  readonly names?: readonly string[];
  readonly tempDirectory: string;
  /** Memory limit of the audit's engine in megabytes; it is raised if the files need more. */
  readonly memory_mb: number;
  readonly signal: AbortSignal;
}

/** The parts of a manifest that the audit needs. */
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
  /** The digest of the manifest in the folder. In the store's layout, the log entry must name this digest. */
  readonly manifest_sha256: string | null;
  readonly engine: string;
  readonly passed: boolean;
  /** In the order they ran. The audit does not run if the manifest or the bytes are wrong. */
  readonly checks: readonly VerifiedCheck[];
  /** What could not be checked because the folder lacks files, each as a sentence. */
  readonly unchecked: readonly string[];
}

/** The checks of a verification beside those of the audit that it runs again. */
export const CHECKS_OF_FILES: readonly string[] = ['manifest', 'signatures', 'digests', 'audit.json'];

/** Verifies the folder. Damaged files are in the report; it throws if the disk fails or the signal is aborted. */
export async function verifySnapshot(job: VerifyJob): Promise<VerifyReport> {
  const bytes = await readWhole(job, 'manifest.json', MANIFEST_CAP_BYTES);
  const { content, offences } = checkManifest(bytes, job.expected);
  const { checks, absent } =
    content === null ? { checks: [], absent: NONE_ABSENT } : await checkContent(job, content);
  const signatures = content === null ? null : await checkSignatures(job, content);
  const signed = signatures?.signed === true ? [result('signatures', signatures.offences)] : [];
  const all = [result('manifest', offences), ...signed, ...checks];
  return {
    snapshot_id: content?.manifest.snapshot_id ?? null,
    account_id: content === null ? null : String(content.manifest.account_id),
    layout: content?.layout ?? null,
    manifest_sha256: bytes === null ? null : sha256Hex(bytes),
    engine: ENGINE,
    passed: all.every((check) => check.passed),
    checks: all,
    unchecked: [
      ...(content === null ? [] : uncheckedParts(content.layout, job.expected !== null, absent)),
      ...(signatures?.unchecked ?? []),
      ...(content === null ? [] : unnamedFiles(content.manifest, content.layout, job.names ?? [])).map(
        (name) => `${name}: The manifest does not name it.`,
      ),
    ],
  };
}

async function checkSignatures(
  job: VerifyJob,
  { layout, manifest }: FolderContent,
): Promise<VerifiedSignatures & { readonly signed: boolean }> {
  const read = (name: string): Promise<Uint8Array | null> =>
    readWhole(job, name, Math.max(MANIFEST_CAP_BYTES, SIGNATURE_CAP_BYTES));
  if (job.expected !== null) {
    return { ...(await verifySignatures(job.signed_by, manifest, read)), signed: job.signed_by !== null };
  }
  // What a server sends is not the signed form of the manifest.
  if (layout === 'served') return { offences: [], unchecked: [], signed: false };
  return await verifyOwnSignatures(manifest, read);
}

interface FolderContent {
  readonly layout: Layout;
  readonly manifest: NamingManifest;
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
  // SQL that differs from the published SQL may do anything: never run it.
  if (!digests.passed || [...absent.tables, ...absent.evidence].length > 0) {
    return { checks: [digests], absent };
  }
  const tables = manifest.tables.map(({ row_count, ...table }) => ({ ...table, rows: row_count }));
  return { checks: [digests, ...(await auditAgain(job, { ...manifest, tables }))], absent };
}

/** Runs the folder's own audit again, on files whose digests were checked. The result must equal the published `audit.json`. */
export async function auditAgain(
  job: Omit<VerifyJob, 'expected' | 'signed_by'>,
  snapshot: AuditedSnapshot,
): Promise<readonly VerifiedCheck[]> {
  const now = await audit(job, snapshot);
  const then = decodeCanonical(await readExisting(job, 'audit.json')) as AuditReport; // its parts are compared as texts
  return [
    ...now.checks.map(({ name, offences }) => result(name, offences)),
    result('audit.json', [
      ...changed('check', then.checks, now.checks.map(asThen(then))),
      ...changed('window', then.windows, now.windows),
    ]),
  ];
}

async function audit(
  job: Omit<VerifyJob, 'expected' | 'signed_by'>,
  { tables, ...manifest }: AuditedSnapshot,
): Promise<AuditReport> {
  const script = new TextDecoder().decode(await readExisting(job, 'audit.sql'));
  return await auditSnapshot({
    directory: job.directory,
    tables,
    description: decodeCanonical(await readExisting(job, 'schema.json')),
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

/** Takes the published number of rows if the script does not say which tables it reads, as older scripts do not. */
function asThen({ checks }: AuditReport): (check: CheckResult, at: number) => CheckResult {
  return (check, at) => ({
    ...check,
    rows_examined: check.rows_examined ?? checks[at]?.rows_examined ?? null,
  });
}

/** The first difference between the new results and the published results; empty if there is none. */
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

/** Reads a file that existed when its digest was computed. */
async function readExisting(
  job: Omit<VerifyJob, 'expected' | 'signed_by'>,
  name: string,
): Promise<Uint8Array> {
  const bytes = await readWhole(job, name, Number.MAX_SAFE_INTEGER);
  if (bytes === null) throw new Error(`${name} was deleted during the verification`);
  return bytes;
}

/** The bytes of a file; null if there is no file. Stops after `cap_bytes` and one more piece, so a too large file is cut off. */
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
    // A failed read is a `file_unreadable`; its cause is the error of the file system.
    if (isCrossfootError(error, 'file_unreadable') && hasCode(error.cause, 'ENOENT')) return null;
    throw error;
  }
}
