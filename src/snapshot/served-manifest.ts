/** The manifest as a reader gets it. */
import type { Manifest } from './manifest.ts';

/** A published snapshot that may be read now; what only the builder needs (nonce, database snapshot) is left out. */
export interface ReadableSnapshot extends Omit<Manifest, 'nonce' | 'pg_snapshot'> {
  /** When it may be deleted at the earliest; null as long as it is the newest. */
  readonly expires_at: string | null;
  readonly pins: readonly never[];
  readonly retraction: null;
}

interface ServedManifest extends Omit<ReadableSnapshot, 'tables'> {
  readonly tables: readonly (Manifest['tables'][number] & { readonly url: string })[];
}

/** Adds absolute URLs, made here from the base URL (ending in /v1) and never read from storage; always pinned. */
export function servedManifest(snapshot: ReadableSnapshot, baseUrl: string): ServedManifest {
  const { tables, ...rest } = snapshot;
  const pinned = `${baseUrl}/reporting/snapshots/${snapshot.snapshot_id}`;
  return { ...rest, tables: tables.map((table) => ({ ...table, url: `${pinned}/${table.name}.parquet` })) };
}
