/** Reads what a catalogue is derived from: the files of every snapshot that can be read. */
import { z } from 'zod';
import { Cache } from '../cache.ts';
import type { FooterNumbers } from '../parquet/footer-numbers.ts';
import { decodeCanonical } from '../snapshot/format/canonical-json.ts';
import type { Manifest } from '../snapshot/format/manifest.ts';
import type { Marks } from '../snapshot/format/marks.ts';
import type { LogEntry, PublishLog } from '../snapshot/format/publish-log.ts';
import { type SnapshotStatus, snapshotStatus } from '../snapshot/format/snapshot-status.ts';
import { decodeDigests, DIGESTS_FILE } from '../snapshot/format/stored-digests.ts';
import { decodeFooters, FOOTERS_FILE } from '../snapshot/format/stored-footers.ts';
import { FIELD_KINDS, type FieldKind } from '../fields.ts';
import type { Lake, LakeTable, LakeVersion } from './lake.ts';

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

/** What stands in the files of a snapshot never changes. */
export type LakeFacts = Pick<LakeVersion, 'generated_at' | 'tables'>;

/** Facts by the prefix of their build: of a year of closes and three weeks of nights, for some accounts. */
const MAX_FACTS = 512;

export type FactsCache = Cache<string, LakeFacts>;

/** An empty cache. Footers that a snapshot does not list are read once, and stay here: nothing is added to a snapshot. */
export function cacheFacts(): FactsCache {
  return new Cache<string, LakeFacts>({ max_entries: MAX_FACTS });
}

/** Reads one snapshot after the other, so that a large account delays no other request for long. */
export async function readLake(
  { log, marks, shows, pinsOf }: LakeMoment,
  source: LakeSource,
  known: FactsCache,
): Promise<Lake> {
  const shown = log.entries
    .map((entry) => ({ entry, status: snapshotStatus(marks, entry.snapshot_id) }))
    .filter(({ entry, status }) => shows(entry, status));
  const versions: LakeVersion[] = [];
  for (const { entry, status } of shown) {
    const { seq, snapshot_id, manifest_sha256, prefix } = entry;
    const facts = await known.get(prefix, () => readFacts(entry, source));
    versions.push({
      seq,
      snapshot_id,
      manifest_sha256,
      ...facts,
      pins: pinsOf(status),
      retraction: status.retraction,
      damaged_files: status.quarantine?.files ?? [],
    });
  }
  const gaps = versions.slice(0, -1).flatMap(({ seq }, index) => {
    const next = log.entries[seq];
    return next === undefined || versions[index + 1]?.seq === next.seq
      ? []
      : [{ seq: next.seq, snapshot_id: next.snapshot_id }];
  });
  return { account_id: log.account_id, log_entry: log.entries.length, marks: marks.length, versions, gaps };
}

async function readFacts(entry: LogEntry, source: LakeSource): Promise<LakeFacts> {
  const { generated_at, tables, files } = await source.manifest(entry);
  const has = (name: string): boolean => files.some((file) => file.name === name);
  const schema = schemaFile.parse(decodeCanonical(await source.file(entry, 'schema.json'))).tables;
  const digests = has(DIGESTS_FILE) ? decodeDigests(await source.file(entry, DIGESTS_FILE)).tables : [];
  const footers = has(FOOTERS_FILE) ? decodeFooters(await source.file(entry, FOOTERS_FILE)).tables : [];
  const read: LakeTable[] = [];
  for (const { name, row_count, size_bytes } of tables) {
    const described = schema.find((table) => table.name === name);
    if (described === undefined) continue;
    const footer = footers.find((each) => each.name === name) ?? (await source.footer(entry, name));
    read.push({
      name,
      row_count,
      size_bytes,
      comment: `${described.grain}: ${described.description}`,
      columns: described.columns,
      digest: digests.find((each) => each.name === name),
      footer,
    });
  }
  return { generated_at, tables: read };
}

const KINDS = Object.keys(FIELD_KINDS) as [FieldKind, ...FieldKind[]];

const schemaFile = z.object({
  tables: z.array(
    z.object({
      name: z.string(),
      grain: z.string(),
      description: z.string(),
      columns: z.array(
        z.object({ name: z.string(), type: z.enum(KINDS), nullable: z.boolean(), description: z.string() }),
      ),
    }),
  ),
});
