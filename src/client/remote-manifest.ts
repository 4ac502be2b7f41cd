/** Reads the manifest of the snapshot to pull, and checks its form before its names become paths. */
import { ask, type Server, textOf } from './ask.ts';
import { PullStopped } from './errors.ts';
import { retry, type RetryTools } from './retry.ts';

/** The limit for a manifest; one of fourteen tables has 6 KiB. */
const MAX_MANIFEST_BYTES = 1_048_576;
const SNAPSHOT_ID = /^\d{8}T\d{6}Z$/;

export interface RemoteFile {
  /** With extension: `costs.parquet`. */
  readonly name: string;
  /** The path of the request, below the snapshot. */
  readonly path: string;
  readonly size_bytes: number;
  readonly sha256: string;
}

export interface PulledTable extends RemoteFile {
  readonly table: string;
  readonly row_count: number;
}

interface Retraction {
  readonly reason: string;
  readonly replaced_by: string | null;
}

export interface PulledManifest {
  readonly snapshot_id: string;
  readonly generated_at: string;
  readonly account_id: number;
  readonly tables: readonly PulledTable[];
  /** The files besides the tables, such as the report of the audit. */
  readonly files: readonly RemoteFile[];
  /** Null if the snapshot was not retracted. */
  readonly retraction: Retraction | null;
  /** As the server sent it. */
  readonly text: string;
}

/** The manifest of this snapshot id, or of the newest snapshot for `latest`; throws if the answer is not a manifest. */
export async function readRemoteManifest(
  server: Server & RetryTools,
  snapshot: string,
): Promise<PulledManifest> {
  if (snapshot !== 'latest' && !SNAPSHOT_ID.test(snapshot)) {
    throw new PullStopped(2, `--snapshot must be latest or an id such as 20260715T020000Z.`);
  }
  const path = snapshot === 'latest' ? '/reporting/latest' : `/reporting/snapshots/${snapshot}`;
  const text = await retry('manifest', server, () =>
    ask(server, path, {}, (answer) => textOf(answer, MAX_MANIFEST_BYTES)),
  );
  const manifest = parseManifest(text);
  if (snapshot !== 'latest' && manifest.snapshot_id !== snapshot) throw malformed('another snapshot_id');
  return manifest;
}

/** The tables with these names, all tables for null; throws if the snapshot lacks one of the names. */
export function tablesNamed(
  manifest: PulledManifest,
  names: readonly string[] | null,
): readonly PulledTable[] {
  if (names === null) return manifest.tables;
  const unknown = names.filter((name) => !manifest.tables.some(({ table }) => table === name));
  if (unknown.length === 0) return manifest.tables.filter(({ table }) => names.includes(table));
  throw new PullStopped(2, `Snapshot ${manifest.snapshot_id} has no table ${unknown.join(', ')}.`);
}

/** Throws for a retracted snapshot, with the reason of the retraction, unless `wanted` is true. */
export function refuseRetracted({ snapshot_id, retraction }: PulledManifest, wanted: boolean): void {
  if (retraction === null || wanted) return;
  const instead = retraction.replaced_by === null ? '' : ` Pull ${retraction.replaced_by} instead.`;
  throw new PullStopped(
    3,
    `Snapshot ${snapshot_id} was retracted: ${retraction.reason}${instead} --retracted pulls it all the same.`,
  );
}

/** Parses a manifest; throws if the text is not one. */
export function parseManifest(text: string): PulledManifest {
  const read = objectOf(parsedJson(text), 'manifest');
  const snapshot_id = textLike(read['snapshot_id'], SNAPSHOT_ID, 'snapshot_id');
  const tables = listOf(read['tables'], 'tables').map((each): PulledTable => {
    const table = textLike(each['name'], /^[a-z_]{1,60}$/, 'table name');
    return {
      table,
      row_count: count(each['row_count'], 'row_count'),
      ...fileOf(each, '', `${table}.parquet`),
    };
  });
  const files = listOf(read['files'], 'files').map((each) =>
    fileOf(each, 'files/', textLike(each['name'], /^[a-z_]{1,60}\.(?:json|sql)$/, 'file name')),
  );
  return {
    snapshot_id,
    generated_at: textLike(read['generated_at'], /^[0-9T:.Z-]{20,30}$/, 'generated_at'),
    account_id: count(read['account_id'], 'account_id'),
    tables,
    files,
    retraction: read['retraction'] === null ? null : retractionOf(read['retraction']),
    text,
  };
}

function retractionOf(value: unknown): Retraction {
  const { reason, replaced_by } = objectOf(value, 'retraction');
  const instead = replaced_by === null ? null : textLike(replaced_by, SNAPSHOT_ID, 'replaced_by');
  return { reason: sentence(textLike(reason, /./s, 'reason')), replaced_by: instead };
}

/** A person's text as one line with a full stop, because other sentences follow it. */
function sentence(text: string): string {
  const line = text.replaceAll(/\p{C}+/gu, ' ').trim();
  return /[.!?…]$/u.test(line) ? line : `${line}.`;
}

function fileOf(each: Readonly<Record<string, unknown>>, below: string, name: string): RemoteFile {
  const sha256 = textLike(each['sha256'], /^[0-9a-f]{64}$/, `sha256 of ${name}`);
  return { name, path: below + name, size_bytes: count(each['size_bytes'], `size_bytes of ${name}`), sha256 };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('no JSON');
  }
}

function objectOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw malformed(what);
  return value as Readonly<Record<string, unknown>>; // the keys of any object are texts
}

function listOf(value: unknown, what: string): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(value)) throw malformed(what);
  return value.map((each: unknown) => objectOf(each, what));
}

function textLike(value: unknown, pattern: RegExp, what: string): string {
  if (typeof value !== 'string' || !pattern.test(value)) throw malformed(what);
  return value;
}

function count(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw malformed(what);
  return value;
}

function malformed(what: string): PullStopped {
  return new PullStopped(3, `The manifest is malformed: ${what}.`);
}
