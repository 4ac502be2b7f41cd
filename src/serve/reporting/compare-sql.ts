/** A query that compares the tables in a warehouse with a snapshot. */
import { z } from '@hono/zod-openapi';
import { decodeDigests, DIGESTS_FILE } from '../../snapshot/format/stored-digests.ts';
import { DIALECTS } from '../../tables/dialects.ts';
import { compareSql } from '../../warehouse/compare-digests.ts';
import { defineRoute } from '../contract/define-route.ts';
import { notFound } from '../contract/refusals.ts';
import { sendStatic, staticResponse } from '../http/static-response.ts';
import {
  ABSENT,
  requireSnapshot,
  addressHeaders,
  type ReportingParts,
  snapshot_id,
  snapshotHeaderShapes,
} from './chosen-snapshot.ts';
import { dialect, NO_DIALECT, noDialect } from './dialect-parameter.ts';
import { readFile } from './snapshot-file.ts';

/** The query for one snapshot and one warehouse dialect. */
export const compareQuery = defineRoute(
  {
    path: '/reporting/snapshots/{snapshot_id}/compare/{dialect}.sql',
    operationId: 'get_compare_sql',
    summary: 'A query to run in a warehouse; it returns no row when the tables there equal the snapshot.',
    tags: ['Reporting'],
    request: { params: z.object({ snapshot_id, dialect }) },
    responses: {
      200: {
        description: 'The query; it contains the digests of the snapshot.',
        headers: z.object(snapshotHeaderShapes),
        content: { 'application/sql': { schema: z.string() } },
      },
      404: notFound(
        `${ABSENT.snapshot} Also when the snapshot was built before digests were stored.`,
        NO_DIALECT,
      ),
    },
  },
  (parts: ReportingParts) => async (c) => {
    const parameters = c.req.valid('param');
    const snapshot = await requireSnapshot(parts, c, parameters.snapshot_id);
    const warehouse = DIALECTS.find((each) => each === parameters.dialect);
    if (warehouse === undefined) throw noDialect();
    const bytes = await readFile(parts, c.var.principal.account_id, snapshot, DIGESTS_FILE);
    // A later version may generate a better query for the same snapshot, so caches must revalidate.
    const headers = await addressHeaders(parts, c, snapshot, 'private, no-cache');
    return sendStatic(
      c,
      staticResponse(compareSql(decodeDigests(bytes), warehouse), 'application/sql'),
      headers,
    );
  },
);
