/** The manifest of a snapshot: the newest, or one by its id. */
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { type ReadableSnapshot, servedManifest } from '../../snapshot/format/served-manifest.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { defineRoute } from '../contract/define-route.ts';
import { notFound } from '../contract/refusals.ts';
import { snapshotManifest } from '../contract/snapshot-shapes.ts';
import { answerJson } from '../http/json-answer.ts';
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

/** Caches must revalidate the manifest at the address by id too, because its expiry and pins may change. */
const REVALIDATED = 'private, no-cache';

/** The manifest of the newest snapshot. */
export const latestManifest = defineRoute(
  {
    path: '/reporting/latest',
    operationId: 'get_latest_snapshot',
    summary: 'The manifest of the newest snapshot, retracted or not.',
    tags: ['Reporting'],
    responses: {
      200: {
        description: 'The newest snapshot.',
        headers: z.object(latestHeaderShapes),
        content: { 'application/json': { schema: snapshotManifest } },
      },
      404: notFound(
        'Reporting tables are switched off; an Owner or Admin turns them on. Also before the first snapshot is complete.',
        UNBUILT,
      ),
    },
  },
  (parts: ReportingParts) => async (c) => {
    const snapshot = await latest(parts, c);
    return answerManifest(c, parts, snapshot, await latestHeaders(parts, c, snapshot));
  },
);

/** The manifest of one snapshot. */
export const manifest = defineRoute(
  {
    path: '/reporting/snapshots/{snapshot_id}',
    operationId: 'get_snapshot',
    summary: 'The manifest of a snapshot.',
    tags: ['Reporting'],
    request: { params: z.object({ snapshot_id }) },
    responses: {
      200: {
        description: 'That snapshot.',
        headers: z.object(snapshotHeaderShapes),
        content: { 'application/json': { schema: snapshotManifest } },
      },
      404: notFound(ABSENT.snapshot, NO_SNAPSHOT),
    },
  },
  (parts: ReportingParts) => async (c) => {
    const snapshot = await requireSnapshot(parts, c, c.req.valid('param').snapshot_id);
    return answerManifest(c, parts, snapshot, await addressHeaders(parts, c, snapshot));
  },
);

function answerManifest(
  c: Context<ServeEnv>,
  { baseUrl }: ReportingParts,
  snapshot: ReadableSnapshot,
  headers: Readonly<Record<string, string>>,
) {
  c.set('logger', c.var.logger.with({ snapshot: snapshot.snapshot_id }));
  return answerJson(c, servedManifest(snapshot, baseUrl()), {
    ...headers,
    'cache-control': REVALIDATED,
  });
}
