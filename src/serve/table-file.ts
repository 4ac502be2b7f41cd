/** Answering one Parquet file of a snapshot. */
import type { Context } from 'hono';
import type { StoredTable } from '../snapshot/manifest.ts';

const PINNED_SECONDS = 14 * 24 * 60 * 60; // as long as a snapshot is kept

/** The address says "the newest", so what is kept must be asked about each time. */
export const CACHE_LATEST = 'private, no-cache';
/** The address names the snapshot, and a file of a snapshot never changes. */
export const CACHE_PINNED = `private, max-age=${PINNED_SECONDS}, immutable`;

export interface TableFile {
  readonly snapshot_id: string;
  readonly table: Pick<StoredTable, 'name' | 'size_bytes' | 'sha256'>;
  readonly cache: typeof CACHE_LATEST | typeof CACHE_PINNED;
  readonly open: () => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}

/** The whole file; HEAD gets the same headers and opens nothing. */
export async function answerTableFile(c: Context, file: TableFile): Promise<Response> {
  const headers = {
    'content-type': 'application/vnd.apache.parquet',
    'content-length': String(file.table.size_bytes),
    etag: `"${file.table.sha256}"`,
    'cache-control': file.cache,
    'x-snapshot-id': file.snapshot_id,
  };
  return new Response(c.req.method === 'HEAD' ? null : await file.open(), { headers });
}
