/** Finds the version of a shared table that a request names, or refuses the request with the versions that it may name. */
import type { Context } from 'hono';
import { CrossfootError } from '../../errors.ts';
import { sharedTables } from '../../snapshot/format/manifest.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { secondOfSnapshotId } from '../../snapshot/format/snapshot-id.ts';
import type { SnapshotVersion } from '../../snapshot/read/snapshot-version.ts';
import type { SharedTable } from '../../tables/file-sets.ts';
import { type Instant, SECOND } from '../../instant.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { readMoment } from '../contract/rfc3339.ts';
import { refusedParameter } from '../http/parameters.ts';
import { accountOf, pinned, type ReportingParts, UNBUILT } from '../reporting/chosen-snapshot.ts';
import type { SharedSchema } from './catalog.ts';

/** What a request names; the newest version if it names none. */
export interface NamedVersion {
  readonly version?: number | undefined;
  readonly timestamp?: string | undefined;
}

/** A version that may be read, with its snapshot. */
export interface ChosenVersion {
  readonly seq: number;
  readonly snapshot: ReadableSnapshot;
}

/** The version of the table that the request names: by number, by time, or the newest. */
export async function chosenVersion(
  parts: ReportingParts,
  c: Context<ServeEnv>,
  { name: schema, versions }: SharedSchema,
  table: SharedTable,
  { version, timestamp }: NamedVersion,
): Promise<ChosenVersion> {
  if (version !== undefined && timestamp !== undefined) {
    throw refusedParameter('Name a version or a timestamp, not both.');
  }
  const found =
    version !== undefined
      ? versions.find(({ seq }) => seq === version)
      : timestamp !== undefined
        ? await newestAt(parts, c, versions, momentOf(timestamp))
        : versions.at(-1);
  if (found !== undefined) return await openVersion(parts, c, versions, table, found);
  const what = version === undefined ? `no version from ${timestamp} or before` : `no version ${version}`;
  throw await noVersion(
    parts,
    c,
    versions,
    `${schema}.${table.name} has ${what}. ${readableWords(versions, table)}`,
  );
}

/** The snapshot of a version; throws 400 with the readable versions if it expired or if its file is damaged. */
export async function openVersion(
  parts: ReportingParts,
  c: Context<ServeEnv>,
  versions: readonly SnapshotVersion[],
  shared: SharedTable,
  version: SnapshotVersion,
): Promise<ChosenVersion> {
  const { seq, snapshot_id, expired } = version;
  const { name, table, lacking } = shared;
  if (!isReadable(version, table)) {
    const why = expired ? 'has expired' : 'is quarantined: a scrub found its file damaged';
    throw refusedParameter(`Version ${seq} of ${name} ${why}. ${readableWords(versions, shared)}`);
  }
  const snapshot = await pinned(parts, c, snapshot_id);
  if (!hasTable(snapshot, shared)) {
    throw refusedParameter(
      lacking === undefined
        ? `Version ${seq} was built before it had the table ${name}. Name a newer version.`
        : `Version ${seq} has no table ${name}: ${lacking}. Name another version.`,
    );
  }
  await parts.snapshots.refuseDamaged(accountOf(c), snapshot_id, table.name);
  c.set('logger', c.var.logger.with({ snapshot: snapshot_id, table: name }));
  return { seq, snapshot };
}

/**
 * True if the newest version of a schema has the table. Every table counts as there in a snapshot that cannot be read: a
 * request for the table says why.
 */
export async function hasNewest(
  parts: ReportingParts,
  c: Context<ServeEnv>,
  { versions }: SharedSchema,
  shared: SharedTable,
): Promise<boolean> {
  const newest = versions.at(-1);
  if (shared.lacking === undefined || newest === undefined) return shared.lacking === undefined;
  const snapshot = await pinned(parts, c, newest.snapshot_id).catch(() => null);
  return snapshot === null || hasTable(snapshot, shared);
}

function hasTable(snapshot: ReadableSnapshot, { table }: SharedTable): boolean {
  return sharedTables(snapshot).some(({ name }) => name === table.name);
}

/** The oldest version from that time or later; undefined if there is none. */
export async function oldestFrom(
  parts: ReportingParts,
  c: Context<ServeEnv>,
  versions: readonly SnapshotVersion[],
  at: Instant,
): Promise<SnapshotVersion | undefined> {
  for (const version of versions) {
    if ((await momentOfVersion(parts, c, version, at)) >= at) return version;
  }
  return undefined;
}

/** The newest version from that time or earlier; undefined if there is none. */
export async function newestAt(
  parts: ReportingParts,
  c: Context<ServeEnv>,
  versions: readonly SnapshotVersion[],
  at: Instant,
): Promise<SnapshotVersion | undefined> {
  for (const version of versions.toReversed()) {
    if ((await momentOfVersion(parts, c, version, at)) <= at) return version;
  }
  return undefined;
}

/** Throws 400 for a text that is no instant. */
export function momentOf(text: string): Instant {
  const at = readMoment(text);
  if (at !== null) return at;
  throw refusedParameter(`A timestamp is written as 2026-11-20T02:00:00Z, found ${JSON.stringify(text)}.`);
}

/** True if the version is kept and no scrub found its file damaged. */
export function isReadable(
  { expired, damaged_files }: SnapshotVersion,
  { name }: SharedTable['table'],
): boolean {
  return !expired && !damaged_files.some((file) => file.startsWith(`${name}.`));
}

/**
 * The error for a request whose version is not in the log: 503 while the log cannot be read to its end, because the
 * version may be in the unread part; 404 before the first snapshot; otherwise 400 with the message.
 */
export async function noVersion(
  { snapshots }: ReportingParts,
  c: Context<ServeEnv>,
  versions: readonly SnapshotVersion[],
  message: string,
): Promise<CrossfootError> {
  const seq = await snapshots.logBrokenAt(accountOf(c));
  if (seq !== null) {
    return new CrossfootError('publish_log_broken', `The publish log cannot be read from entry ${seq} on.`);
  }
  return versions.length === 0 ? new CrossfootError('not_found', UNBUILT) : refusedParameter(message);
}

/**
 * The moment of a version. The snapshot's id has its second; the manifest is read only if the second alone does not
 * decide.
 */
async function momentOfVersion(
  parts: ReportingParts,
  c: Context<ServeEnv>,
  { snapshot_id, expired }: SnapshotVersion,
  at: Instant,
): Promise<bigint> {
  const second = secondOfSnapshotId(snapshot_id);
  if (expired || second !== at - (at % SECOND)) return second;
  return (await pinned(parts, c, snapshot_id)).generated_at;
}

/** The versions of the table that can be read, in one sentence: `Versions that can be read: 3, 5 to 9.` */
export function readableWords(versions: readonly SnapshotVersion[], { table }: SharedTable): string {
  const readable = versions.filter((each) => isReadable(each, table)).map(({ seq }) => seq);
  const runs: [first: number, last: number][] = [];
  for (const seq of readable) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === seq - 1) run[1] = seq;
    else runs.push([seq, seq]);
  }
  if (runs.length === 0) return 'No version of this table can be read.';
  const words = runs.map(([first, last]) => (first === last ? first : `${first} to ${last}`)).join(', ');
  return `Versions that can be read: ${words}.`;
}
