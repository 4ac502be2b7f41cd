/** Gathers what a catalogue is derived from: the publish log, the marks, and the files of every snapshot that can be read. */
import { MEMORY_BUDGET } from '../cache-budget.ts';
import { Cache } from '../cache.ts';
import { isCrossfootError } from '../errors.ts';
import type { FooterNumbers } from '../parquet/footer-numbers.ts';
import { encodeCanonical } from '../snapshot/format/canonical-json.ts';
import type { Manifest } from '../snapshot/format/manifest.ts';
import type { Marks } from '../snapshot/format/marks.ts';
import type { LogEntry, PublishLog } from '../snapshot/format/publish-log.ts';
import { type SnapshotStatus, snapshotStatus } from '../snapshot/format/snapshot-status.ts';
import { DIGESTS_FILE } from '../snapshot/format/stored-digests.ts';
import { FOOTERS_FILE } from '../snapshot/format/stored-footers.ts';
import type { GatheredLake, StoredVersion } from './gathered-lake.ts';

/** The checked bytes of an account's snapshots. */
export interface LakeSource {
  manifest(entry: LogEntry): Promise<Pick<Manifest, 'generated_at' | 'tables' | 'files'>>;
  /** A file beside the tables. */
  file(entry: LogEntry, name: string): Promise<Uint8Array>;
  /** The numbers of the footer of a table's file. */
  footer(entry: LogEntry, table: string): Promise<FooterNumbers>;
}

/** The log and the marks at one time, and the snapshots that a catalogue shows. */
export interface LakeMoment {
  readonly log: PublishLog;
  readonly marks: Marks;
  readonly shows: (entry: LogEntry, status: SnapshotStatus) => boolean;
  readonly pinsOf: (status: SnapshotStatus) => readonly string[];
}

/** Stored versions by the prefix of their build. */
export type StoredCache = Cache<string, StoredVersion>;

/** An empty cache. Footers that a snapshot does not list are read once and stay here: nothing is added to a snapshot. */
export function cacheStored(): StoredCache {
  return new Cache<string, StoredVersion>({
    max_bytes: MEMORY_BUDGET.catalogue_versions,
    bytesOf: ({ schema, digests, footers }) => schema.length + (digests?.length ?? 0) + footers.length,
  });
}

/** Reads one snapshot after the other, so that an account with many delays no other request for long. */
export async function gatherLake(
  { log, marks, shows, pinsOf }: LakeMoment,
  source: LakeSource,
  known: StoredCache,
): Promise<GatheredLake> {
  const shown = log.entries
    .map((entry) => ({ entry, status: snapshotStatus(marks, entry.snapshot_id) }))
    .filter(({ entry, status }) => shows(entry, status));
  const versions: GatheredLake['versions'][number][] = [];
  for (const { entry, status } of shown) {
    const { seq, snapshot_id, manifest_sha256, prefix } = entry;
    const stored = await known
      .get(prefix, () => readStored(entry, source))
      .catch((error: unknown) => {
        // One damaged file must not hide every other version. Without the newest, an older one would pass for it.
        if (entry === shown.at(-1)?.entry || !isCrossfootError(error, 'file_corrupt')) throw error;
        return null;
      });
    if (stored === null) continue;
    const { generated_at } = stored;
    const damaged_files = status.quarantine?.files ?? [];
    const marked = { pins: pinsOf(status), retraction: status.retraction, damaged_files };
    versions.push({ seq, snapshot_id, manifest_sha256, generated_at, ...marked, stored });
  }
  const gaps = versions.slice(0, -1).flatMap(({ seq }, index) => {
    const next = log.entries[seq];
    return next === undefined || versions[index + 1]?.seq === next.seq
      ? []
      : [{ seq: next.seq, snapshot_id: next.snapshot_id }];
  });
  const { account_id, entries } = log;
  return { account_id, log_entry: entries.length, marks: marks.length, versions, gaps };
}

async function readStored(entry: LogEntry, source: LakeSource): Promise<StoredVersion> {
  const { generated_at, tables, files } = await source.manifest(entry);
  const has = (name: string): boolean => files.some((file) => file.name === name);
  return {
    generated_at,
    tables: tables.map(({ name, row_count, size_bytes }) => ({ name, row_count, size_bytes })),
    schema: await source.file(entry, 'schema.json'),
    digests: has(DIGESTS_FILE) ? await source.file(entry, DIGESTS_FILE) : null,
    footers: has(FOOTERS_FILE)
      ? await source.file(entry, FOOTERS_FILE)
      : await readFooters(entry, tables, source),
  };
}

async function readFooters(
  entry: LogEntry,
  tables: Manifest['tables'],
  source: LakeSource,
): Promise<Uint8Array> {
  const read: (FooterNumbers & { readonly name: string })[] = [];
  for (const { name } of tables) read.push({ name, ...(await source.footer(entry, name)) });
  return encodeCanonical({ snapshot_id: entry.snapshot_id, tables: read });
}
