/** The manifest as the API sends it, whole and as a row of the snapshot list. */
import type { Instant } from '../../instant.ts';
import { formatInstant } from '../../time.ts';
import { FOCUS } from '../../tables/focus.ts';
import type { Manifest } from './manifest.ts';
import { withoutUnserved } from './stored-sets.ts';
import type { Pin, Quarantine, Retraction } from './snapshot-status.ts';

/** A published snapshot that may be read now, without the fields for the store only (nonce, database snapshot, packed files). */
export interface ReadableSnapshot extends Omit<Manifest, 'nonce' | 'packed' | 'pg_snapshot'> {
  /** The earliest time at which it may be deleted; null while it is the newest. */
  readonly expires_at: Instant | null;
  readonly pins: Pin[];
  readonly retraction: Retraction | null;
  readonly quarantine: Quarantine | null;
}

/** The same value with its instants as text, for JSON. */
type InText<Value> = Value extends Instant
  ? string
  : Value extends readonly (infer Item)[]
    ? InText<Item>[]
    : Value extends object
      ? { [Key in keyof Value]: InText<Value[Key]> }
      : Value;

type ServedMarks = InText<
  Pick<ReadableSnapshot, 'generated_at' | 'expires_at' | 'pins' | 'retraction' | 'quarantine'>
>;

type Sent = ReturnType<typeof withoutUnserved<ReadableSnapshot>>;

type ServedManifest = InText<Omit<Sent, 'tables' | 'focus'>> & {
  readonly tables: (Manifest['tables'][number] & { readonly url: string })[];
  readonly focus?: NonNullable<Manifest['focus']> & { readonly url: string };
};

interface ListedSnapshot extends ServedMarks, Pick<ReadableSnapshot, 'snapshot_id' | 'schema_version'> {
  /** The size of all its tables. */
  readonly size_bytes: number;
  /** The address of its manifest. */
  readonly url: string;
}

/** The permanent address of a snapshot's manifest. `baseUrl` ends in /v1; the tables' addresses begin with the result. */
export function pinnedUrl(snapshot_id: string, baseUrl: string): string {
  return `${baseUrl}/reporting/snapshots/${snapshot_id}`;
}

/** Adds absolute, permanent URLs. They are made here, never read from storage. */
export function servedManifest(snapshot: ReadableSnapshot, baseUrl: string): ServedManifest {
  const { tables, focus, ...rest } = withoutUnserved(snapshot);
  const pinned = pinnedUrl(snapshot.snapshot_id, baseUrl);
  return {
    ...rest,
    ...servedMarks(snapshot),
    changes_from: textOf(snapshot.changes_from),
    tables: tables.map((table) => ({ ...table, url: `${pinned}/${table.name}.parquet` })),
    ...(focus && { focus: { ...focus, url: `${pinned}/${FOCUS.name}.parquet` } }),
  };
}

/** A snapshot as a row of the list. */
export function listedSnapshot(snapshot: ReadableSnapshot, baseUrl: string): ListedSnapshot {
  const { snapshot_id, schema_version } = snapshot;
  const { generated_at, expires_at, ...marks } = servedMarks(snapshot);
  const size_bytes = snapshot.tables.reduce((sum, table) => sum + table.size_bytes, 0);
  const url = pinnedUrl(snapshot_id, baseUrl);
  return { snapshot_id, generated_at, schema_version, size_bytes, expires_at, ...marks, url };
}

function servedMarks(snapshot: ReadableSnapshot): ServedMarks {
  const { generated_at, expires_at, pins, retraction, quarantine } = snapshot;
  return {
    generated_at: formatInstant(generated_at),
    expires_at: textOf(expires_at),
    pins: pins.map(({ at, until, ...pin }) => ({
      ...pin,
      at: formatInstant(at),
      until: formatInstant(until),
    })),
    retraction: retraction && { ...retraction, at: formatInstant(retraction.at) },
    quarantine: quarantine && { ...quarantine, at: formatInstant(quarantine.at) },
  };
}

function textOf(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at);
}
