/** A table of a snapshot as CSV: of the newest snapshot, or of one by its id. */
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { attachment } from '../http/header-values.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { defineRoute } from '../contract/define-route.ts';
import { notFound } from '../contract/refusals.ts';
import { respondIfUnchanged } from '../http/conditional-request.ts';
import { type StreamLimit, limitStreams } from '../limits/concurrent-streams.ts';
import { text } from '../contract/shapes.ts';
import {
  latest,
  latestHeaders,
  latestHeaderShapes,
  requireSnapshot,
  addressHeaders,
  type ReportingParts,
  snapshot_id,
  snapshotHeaderShapes,
} from './chosen-snapshot.ts';
import { CACHE_LATEST } from './table-file.ts';
import { fileName, NO_TABLE, requireTable } from './table-parameter.ts';

// Each holds a row group and a few thousand rows in memory, some tens of megabytes.
const MAX_CSV_AT_ONCE = 2;

export interface CsvParts extends ReportingParts {
  readonly csvLimit: StreamLimit;
}

/** The limit on concurrent CSV files of an account, for all routes of one serving process. */
export function limitCsv(): StreamLimit {
  return limitStreams(MAX_CSV_AT_ONCE, 'CSV files');
}

const query = z.strictObject({
  spreadsheet: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .meta({
      description:
        'With `true` the file begins with a byte order mark, and each text that a spreadsheet would run as a formula gets an apostrophe before it. Such a text begins with a tab, a line break, `=`, `+`, `-`, `@`, `|` or a full-width form of these, also after blanks. Without it every value is that of the Parquet file.',
    })
    .optional(),
});

/** A table of one snapshot. */
export const tableCsv = defineRoute(
  {
    path: '/reporting/snapshots/{snapshot_id}/{table}.csv',
    operationId: 'get_table_csv',
    summary: 'A table of a snapshot as CSV (RFC 4180, UTF-8), made from the audited file.',
    tags: ['Reporting'],
    request: { query, params: z.object({ snapshot_id, table: fileName }) },
    responses: csvResponses(snapshotHeaderShapes),
  },
  (parts: CsvParts) => async (c) => {
    const asked = c.req.valid('param');
    const snapshot = await requireSnapshot(parts, c, asked.snapshot_id);
    const parameters = { ...asked, ...c.req.valid('query') };
    return await answerCsv(c, parts, snapshot, parameters, await addressHeaders(parts, c, snapshot));
  },
);

/** A table of the newest snapshot. */
export const latestTableCsv = defineRoute(
  {
    path: '/reporting/latest/{table}.csv',
    operationId: 'get_latest_table_csv',
    summary: 'A table of the newest snapshot as CSV (RFC 4180, UTF-8), made from the audited file.',
    tags: ['Reporting'],
    request: { query, params: z.object({ table: fileName }) },
    responses: csvResponses(latestHeaderShapes),
  },
  (parts: CsvParts) => async (c) => {
    const snapshot = await latest(parts, c);
    const parameters = { ...c.req.valid('param'), ...c.req.valid('query') };
    const headers = await latestHeaders(parts, c, snapshot, `/${parameters.table}.csv`);
    return await answerCsv(c, parts, snapshot, parameters, headers);
  },
);

/**
 * Answers with the CSV. Its length is not known before its end, so the answer has no Content-Length. HEAD opens no
 * file.
 */
async function answerCsv(
  c: Context<ServeEnv>,
  parts: CsvParts,
  snapshot: ReadableSnapshot,
  { table: name, spreadsheet }: { readonly table: string; readonly spreadsheet?: string | undefined },
  snapshot_headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const { account_id } = c.var.principal;
  const stored = await requireTable(c, parts, snapshot, name);
  const forSpreadsheets = spreadsheet === 'true';
  const headers = {
    ...snapshot_headers,
    // A later version may write the CSV differently, so caches must revalidate.
    'cache-control': CACHE_LATEST,
    etag: `"${stored.sha256}-${forSpreadsheets ? 'spreadsheet' : 'csv'}"`,
  };
  const unchanged = respondIfUnchanged(c, headers);
  if (unchanged !== null) return unchanged;
  const open = () => parts.snapshots.openCsv(account_id, snapshot.snapshot_id, name, { forSpreadsheets });
  return new Response(c.req.method === 'HEAD' ? null : await parts.csvLimit.open(account_id, open), {
    headers: {
      ...headers,
      ...attachment(`${name}.csv`),
      'content-type': 'text/csv; charset=utf-8; header=present',
    },
  });
}

function csvResponses(shapes: z.ZodRawShape) {
  return {
    200: {
      description:
        'The rows in the order of the Parquet file. A missing value is an empty cell; an empty text is `""`.',
      headers: z.object({
        ...shapes,
        etag: text('Identifies the audited file and the form of the CSV.'),
      }),
      content: { 'text/csv': { schema: z.string() } },
    },
    404: notFound('There is no such table or no such snapshot.', NO_TABLE),
  };
}
