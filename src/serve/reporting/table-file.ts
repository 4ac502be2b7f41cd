/** Answers requests for a Parquet file of a snapshot: GET, a range, HEAD, or a conditional request. */
import type { Context } from 'hono';
import { attachment } from '../http/header-values.ts';
import type { StoredTable } from '../../snapshot/format/manifest.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import type { ByteRange, TableBytes } from '../../snapshot/read/snapshot-reader.ts';
import { readRange } from '../http/byte-range.ts';
import { errorAnswer } from '../http/error-answer.ts';
import { namesVersion, rangeCounts } from '../http/preconditions.ts';
import { respondIfUnchanged } from '../http/conditional-request.ts';
import { BufferedResponse } from '../http/buffered-response.ts';

const PINNED_SECONDS = 14 * 24 * 60 * 60; // as long as a snapshot is kept

/**
 * For `latest`, which is another snapshot after each night, so caches must revalidate. `no-transform`: a Parquet file
 * is compressed already, and if a proxy compressed it again, the bytes would not match their digest.
 */
export const CACHE_LATEST = 'private, no-cache, no-transform';
/** For an address with the id of a snapshot: the files of a snapshot never change. */
const CACHE_PINNED = `private, max-age=${PINNED_SECONDS}, immutable, no-transform`;

/**
 * The `Cache-Control` of a file whose address has the snapshot's id. If the snapshot is retracted, caches must
 * revalidate.
 */
export function cachePinned({ retraction }: Pick<ReadableSnapshot, 'retraction'>): string {
  return retraction === null ? CACHE_PINNED : CACHE_LATEST;
}

export interface TableFile {
  readonly table: Pick<StoredTable, 'name' | 'size_bytes' | 'sha256'>;
  /** Headers that depend on the requested address: caching, the snapshot, and its address by id. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Whether the address will answer with another file later, as those with `latest` do. Then ranges count only for a
   * request that names the file's entity tag: a reader of ranges would otherwise mix the bytes of two files.
   */
  readonly moves: boolean;
  readonly open: (range: ByteRange) => Promise<TableBytes>;
  /** What the file is if it is no Parquet file. */
  readonly other?: { readonly file_name: string; readonly type: string };
}

/** Answers with the file or a range. HEAD gets the headers of the whole file and opens nothing; it ignores a range. */
export async function answerTableFile(c: Context, file: TableFile): Promise<Response> {
  const { name, size_bytes, sha256 } = file.table;
  const stored = {
    ...file.headers,
    etag: `"${sha256}"`,
    'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
  };
  const unchanged = respondIfUnchanged(c, stored);
  if (unchanged !== null) return unchanged;
  const ifRange = c.req.header('if-range');
  const takesRanges =
    !file.moves || namesVersion({ ifMatch: c.req.header('if-match'), ifRange }, stored.etag);
  const headers = {
    ...stored,
    ...(takesRanges && { 'accept-ranges': 'bytes' }),
    ...attachment(file.other?.file_name ?? `${name}.parquet`),
    'content-length': String(size_bytes),
    'content-type': file.other?.type ?? 'application/vnd.apache.parquet',
  };
  if (c.req.method === 'HEAD') return new Response(null, { headers });
  const counts = takesRanges && rangeCounts(ifRange, stored.etag);
  const range = counts ? readRange(c.req.header('range'), size_bytes) : null;
  if (range === null) return answerBytes(await file.open({ from: 0, to: size_bytes - 1 }), { headers });
  if (range === 'unsatisfiable') {
    const message = `The file has ${size_bytes} bytes; the range lies outside it.`;
    return errorAnswer(416, message, [['content-range', `bytes */${size_bytes}`]]);
  }
  const { from, to } = range;
  return answerBytes(await file.open(range), {
    status: 206,
    headers: {
      ...headers,
      'content-length': String(to - from + 1),
      'content-range': `bytes ${from}-${to}/${size_bytes}`,
    },
  });
}

function answerBytes(bytes: TableBytes, init: ResponseInit): Response {
  return bytes instanceof Uint8Array ? new BufferedResponse(bytes, init) : new Response(bytes, init);
}
