/** The list of readable snapshots. */
import { z } from '@hono/zod-openapi';
import { listedSnapshot } from '../../snapshot/format/served-manifest.ts';
import { defineRoute } from '../contract/define-route.ts';
import { notFound } from '../contract/refusals.ts';
import { snapshotList } from '../contract/snapshot-shapes.ts';
import { answerJson } from '../http/json-answer.ts';
import {
  accountOf,
  behindLog,
  behindLogShape,
  type ReportingParts,
  SWITCHED_OFF,
} from './chosen-snapshot.ts';

/** Lists the snapshots of the token's account, newest first. */
export const snapshots = defineRoute(
  {
    path: '/reporting/snapshots',
    operationId: 'list_snapshots',
    summary: 'The snapshots that can be read, newest first.',
    tags: ['Reporting'],
    responses: {
      200: {
        description: 'The snapshots that can be read now.',
        headers: z.object(behindLogShape),
        content: { 'application/json': { schema: snapshotList } },
      },
      404: notFound('Reporting tables are switched off; an Owner or Admin turns them on.', SWITCHED_OFF),
    },
  },
  (parts: ReportingParts) => async (c) => {
    const listed = await parts.snapshots.list(accountOf(c));
    const data = listed.map((snapshot) => listedSnapshot(snapshot, parts.baseUrl()));
    const headers = { 'cache-control': 'private, no-cache', ...(await behindLog(parts, c)) };
    return answerJson(c, { data }, headers);
  },
);
