import type { PublishedSnapshot, PublishedTable } from './published.ts';

/** The manifest as a client reads it. */
interface ManifestAnswer extends Omit<PublishedSnapshot, 'tables'> {
  readonly tables: readonly (PublishedTable & {
    /** The file in this very snapshot, whatever is the newest when it is opened. */
    readonly url: string;
  })[];
}

/** The manifest with absolute URLs, field by field, so that nothing a stored manifest adds is told by accident. */
export function manifestAnswer(snapshot: PublishedSnapshot, baseUrl: string): ManifestAnswer {
  const { snapshot_id, schema_version, generated_at, changes_from } = snapshot;
  const tables = snapshot.tables.map(({ name, row_count, size_bytes, sha256 }) => {
    const url = `${baseUrl}/reporting/snapshots/${snapshot_id}/${name}.parquet`;
    return { name, row_count, size_bytes, sha256, url };
  });
  return { snapshot_id, schema_version, generated_at, changes_from, tables };
}
