/** The manifest as a reader gets it, whole and as a line of the list. */
import type { Manifest } from './manifest.ts';
import type { Pin, Quarantine, Retraction } from './standing.ts';

/** A published snapshot that may be read now; what only the builder needs (nonce, database snapshot) is left out. */
export interface ReadableSnapshot extends Omit<Manifest, 'nonce' | 'pg_snapshot'> {
  /** When it may be deleted at the earliest; null as long as it is the newest. */
  readonly expires_at: string | null;
  readonly pins: Pin[];
  readonly retraction: Retraction | null;
  readonly quarantine: Quarantine | null;
}

interface ServedManifest extends Omit<ReadableSnapshot, 'tables'> {
  readonly tables: (Manifest['tables'][number] & { readonly url: string })[];
}

interface ListedSnapshot extends Pick<
  ReadableSnapshot,
  'snapshot_id' | 'generated_at' | 'schema_version' | 'expires_at' | 'pins' | 'retraction' | 'quarantine'
> {
  /** All its tables together. */
  readonly size_bytes: number;
  /** Its manifest. */
  readonly url: string;
}

/** The pinned address of a snapshot's manifest, made from the base URL (ending in /v1); tables stand below it. */
export function pinnedUrl(snapshot_id: string, baseUrl: string): string {
  return `${baseUrl}/reporting/snapshots/${snapshot_id}`;
}

/** Adds absolute URLs, made here and never read from storage; always pinned. */
export function servedManifest(snapshot: ReadableSnapshot, baseUrl: string): ServedManifest {
  const { tables, ...rest } = snapshot;
  const pinned = pinnedUrl(snapshot.snapshot_id, baseUrl);
  return { ...rest, tables: tables.map((table) => ({ ...table, url: `${pinned}/${table.name}.parquet` })) };
}

/** What the list says of a snapshot. */
export function listedSnapshot(snapshot: ReadableSnapshot, baseUrl: string): ListedSnapshot {
  const { snapshot_id, generated_at, schema_version, expires_at, pins, retraction, quarantine } = snapshot;
  const size_bytes = snapshot.tables.reduce((sum, table) => sum + table.size_bytes, 0);
  const url = pinnedUrl(snapshot_id, baseUrl);
  const marks = { pins, retraction, quarantine };
  return { snapshot_id, generated_at, schema_version, size_bytes, expires_at, ...marks, url };
}
