/** The digests of all files of a snapshot: the newest, or one by its id. */
import { z } from '@hono/zod-openapi';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { sha256Sums } from '../../snapshot/format/sha256-sums.ts';
import { defineRoute } from '../contract/define-route.ts';
import { notFound } from '../contract/refusals.ts';
import { sendStatic, staticResponse } from '../http/static-response.ts';
import {
  ABSENT,
  latest,
  latestHeaders,
  latestHeaderShapes,
  NO_SNAPSHOT,
  requireSnapshot,
  addressHeaders,
  type ReportingParts,
  snapshot_id,
  snapshotHeaderShapes,
  UNBUILT,
} from './chosen-snapshot.ts';
import { CACHE_LATEST } from './table-file.ts';

/** The digests of one snapshot. */
export const sha256sums = defineRoute(
  {
    path: '/reporting/snapshots/{snapshot_id}/SHA256SUMS',
    operationId: 'get_sha256sums',
    summary: 'The digests of all files of a snapshot, as `sha256sum -c` reads them; by id it never changes.',
    tags: ['Reporting'],
    request: { params: z.object({ snapshot_id }) },
    responses: { 200: lines(snapshotHeaderShapes), 404: notFound(ABSENT.snapshot, NO_SNAPSHOT) },
  },
  (parts: ReportingParts) => async (c) => {
    const snapshot = await requireSnapshot(parts, c, c.req.valid('param').snapshot_id);
    const headers = await addressHeaders(parts, c, snapshot);
    return sendStatic(c, sumsOf(snapshot), headers);
  },
);

/** The digests of the newest snapshot. */
export const latestSha256sums = defineRoute(
  {
    path: '/reporting/latest/SHA256SUMS',
    operationId: 'get_latest_sha256sums',
    summary: 'The digests of all files of the newest snapshot, as `sha256sum -c` reads them.',
    tags: ['Reporting'],
    responses: { 200: lines(latestHeaderShapes), 404: notFound(ABSENT.latest, UNBUILT) },
  },
  (parts: ReportingParts) => async (c) => {
    const snapshot = await latest(parts, c);
    const headers = await latestHeaders(parts, c, snapshot, '/SHA256SUMS');
    return sendStatic(c, sumsOf(snapshot), { 'cache-control': CACHE_LATEST, ...headers });
  },
);

function sumsOf(snapshot: ReadableSnapshot) {
  return staticResponse(sha256Sums(snapshot), 'text/plain; charset=utf-8');
}

function lines(shapes: z.ZodRawShape) {
  return {
    description: 'One line for each file.',
    headers: z.object(shapes),
    content: { 'text/plain': { schema: z.string() } },
  };
}
