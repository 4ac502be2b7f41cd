/**
 * A table of a snapshot as a Parquet file. A client's cache may keep a file whose address has the snapshot's id for
 * fourteen days. It must revalidate the file of an address with `latest`, and any file of a retracted snapshot.
 */
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { CrossfootError } from '../../errors.ts';
import { meansNewest } from '../../snapshot/format/snapshot-id.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { defineRoute } from '../contract/define-route.ts';
import { notFound, refusalReference } from '../contract/refusals.ts';
import { text } from '../contract/shapes.ts';
import {
  latest,
  latestHeaders,
  latestHeaderShapes,
  requireSnapshot,
  addressMoves,
  type ReportingParts,
  own_snapshot_id,
  snapshotHeaders,
  snapshotHeaderShapes,
} from './chosen-snapshot.ts';
import { answerTableFile, CACHE_LATEST, cachePinned, type TableFile } from './table-file.ts';
import { fileName, NO_TABLE, requireTable, type TablesOf } from './table-parameter.ts';

/** The shapes of the headers of an address that has the id of the snapshot. */
const { 'content-location': _, 'x-latest-behind-log': __, ...idHeaderShapes } = snapshotHeaderShapes;

/** The headers of a conditional request or a range request. */
const headers = z.object({
  range: text('One range of bytes; for several ranges the whole file is sent.')
    .optional()
    .openapi({ param: { example: 'bytes=0-1023' } }),
  'if-range': text('The entity tag that the range is for; a file with another tag is sent whole.').optional(),
  'if-match': text('Entity tags; a file with another tag is refused with 412.').optional(),
  'if-none-match': text('Entity tags; a file with one of them is answered with 304.').optional(),
});

const acceptsRanges = z.literal('bytes').meta({ description: 'Ranges of the file can be requested.' });
const acceptsNamedRanges = acceptsRanges.optional().meta({
  description:
    'Present if If-Match or If-Range names the entity tag of the file; without it a range gets the whole file.',
});

/** A table of the newest snapshot. */
export const latestTableParquet = defineRoute(
  {
    path: '/reporting/latest/{table}.parquet',
    operationId: 'get_latest_table',
    summary: 'A table of the newest snapshot, as one Parquet file. Ranges need its entity tag.',
    tags: ['Reporting'],
    request: { params: z.object({ table: fileName }), headers },
    responses: fileResponses(latestHeaderShapes, acceptsNamedRanges),
  },
  (parts: ReportingParts) => async (c) => {
    const snapshot = await latest(parts, c);
    const { table: name } = c.req.valid('param');
    const of_latest = await latestHeaders(parts, c, snapshot, `/${name}.parquet`);
    const answered = { 'cache-control': CACHE_LATEST, ...of_latest };
    return await answerParquet(c, parts, snapshot, name, { headers: answered, moves: true });
  },
);

/** A table of one snapshot. */
export const tableParquet = defineRoute(
  {
    path: '/reporting/snapshots/{snapshot_id}/{table}.parquet',
    operationId: 'get_table',
    summary: 'A table of a snapshot, as one Parquet file; it never changes.',
    tags: ['Reporting'],
    request: { params: z.object({ snapshot_id: own_snapshot_id, table: fileName }), headers },
    responses: fileResponses(idHeaderShapes, acceptsRanges),
  },
  (parts: ReportingParts) => async (c) => {
    const { snapshot_id: id, table: name } = c.req.valid('param');
    const snapshot = await requireSnapshot(parts, c, id);
    // The contract promises ranges here, and the ranges of a name could be of two snapshots.
    if (addressMoves(c, snapshot)) {
      const words = `The file of a table needs the id of its snapshot, because all ranges must be of one file: write ${snapshot.snapshot_id} in place of ${id}${meansNewest(id) ? ', or read /v1/reporting/latest' : ''}.`;
      throw new CrossfootError('not_found', words);
    }
    const answered = { 'cache-control': cachePinned(snapshot), ...snapshotHeaders(parts, snapshot) };
    return await answerParquet(c, parts, snapshot, name, { headers: answered, moves: false });
  },
);

/** Answers the file of a table of a snapshot. The caller has checked that the request may read it. */
export async function answerParquet(
  c: Context<ServeEnv>,
  parts: ReportingParts,
  snapshot: ReadableSnapshot,
  name: string,
  { tablesOf, ...address }: Pick<TableFile, 'headers' | 'moves'> & { readonly tablesOf?: TablesOf },
): Promise<Response> {
  const { account_id } = c.var.principal;
  const stored = await requireTable(c, parts, snapshot, name, tablesOf);
  return await answerTableFile(c, {
    table: stored,
    ...address,
    open: (range) => parts.snapshots.openTable(account_id, snapshot.snapshot_id, name, range),
  });
}

function fileResponses(shapes: z.ZodRawShape, ranges: z.ZodType) {
  const digest = { 'repr-digest': text('The SHA-256 of the whole file, in the form of RFC 9530.') };
  const full = { ...shapes, 'accept-ranges': ranges, ...digest };
  const range = text('The sent range and the size of the file.');
  const part = { ...shapes, 'accept-ranges': acceptsRanges, ...digest, 'content-range': range };
  const content = {
    'application/vnd.apache.parquet': { schema: z.string().openapi({ format: 'binary' }) },
  };
  return {
    200: { description: 'The whole file.', headers: z.object(full), content },
    206: { description: 'The requested range.', headers: z.object(part), content },
    404: notFound('There is no such table, no such snapshot, or no snapshot yet.', NO_TABLE),
    416: refusalReference('416'),
  };
}
