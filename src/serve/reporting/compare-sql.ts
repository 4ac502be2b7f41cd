/** The query that compares the tables of a warehouse with a snapshot. */
import { z } from '@hono/zod-openapi';
import { decodeDigests, DIGESTS_FILE } from '../../snapshot/format/stored-digests.ts';
import { DIALECTS } from '../../tables/dialects.ts';
import { compareSql } from '../../warehouse/compare-digests.ts';
import { defineRoute } from '../contract/define-route.ts';
import { notFound } from '../contract/refusals.ts';
import { answerKept, keep } from '../http/kept-answer.ts';
import {
  ABSENT,
  pinned,
  type ReportingParts,
  snapshot_id,
  snapshotHeaders,
  snapshotHeaderShapes,
} from './chosen-snapshot.ts';
import { dialect, NO_DIALECT, noDialect } from './dialect-parameter.ts';
import { readFile } from './snapshot-file.ts';

/** The query for one snapshot and one kind of warehouse. */
export const compareQuery = defineRoute(
  {
    path: '/reporting/snapshots/{snapshot_id}/compare/{dialect}.sql',
    operationId: 'get_compare_sql',
    summary: 'One query to run in a warehouse: no row when its tables hold what the snapshot holds.',
    tags: ['Reporting'],
    request: { params: z.object({ snapshot_id, dialect }) },
    responses: {
      200: {
        description: 'The query, with the digests of the snapshot in it.',
        headers: z.object(snapshotHeaderShapes),
        content: { 'application/sql': { schema: z.string() } },
      },
      404: notFound(`${ABSENT.snapshot} Also when it was built before digests were kept.`, NO_DIALECT),
    },
  },
  (parts: ReportingParts) => async (c) => {
    const asked = c.req.valid('param');
    const snapshot = await pinned(parts, c, asked.snapshot_id);
    const warehouse = DIALECTS.find((each) => each === asked.dialect);
    if (warehouse === undefined) throw noDialect();
    const bytes = await readFile(parts, c.var.principal.account_id, snapshot, DIGESTS_FILE);
    // The statement may be improved while the snapshot stays as it is.
    const headers = { 'cache-control': 'private, no-cache', ...snapshotHeaders(parts, snapshot) };
    return answerKept(c, keep(compareSql(decodeDigests(bytes), warehouse), 'application/sql'), headers);
  },
);
