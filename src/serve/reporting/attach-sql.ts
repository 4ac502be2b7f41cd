/** SQL with which DuckDB reads a snapshot over links. */
import { z } from '@hono/zod-openapi';
import { formatInstant } from '../../time.ts';
import { attachSql } from '../../warehouse/load-tables.ts';
import { defineRoute } from '../contract/define-route.ts';
import { notFound } from '../contract/refusals.ts';
import { sendStatic, staticResponse } from '../http/static-response.ts';
import {
  ABSENT,
  NO_SNAPSHOT,
  requireSnapshot,
  addressHeaders,
  snapshot_id,
  snapshotHeaderShapes,
} from './chosen-snapshot.ts';
import { GOOD_FOR_MICROSECONDS, linkUrl, type LinksParts } from './links.ts';

/** A view of each table over its link. */
export const attach = defineRoute(
  {
    path: '/reporting/snapshots/{snapshot_id}/attach.sql',
    operationId: 'get_attach_sql',
    summary: 'Statements for DuckDB: a view of each table over a link that works for an hour.',
    tags: ['Reporting'],
    request: { params: z.object({ snapshot_id }) },
    responses: {
      200: {
        description: 'The statements. Anyone with them can read the tables for an hour.',
        headers: z.object(snapshotHeaderShapes),
        content: { 'application/sql': { schema: z.string() } },
      },
      404: notFound(ABSENT.snapshot, NO_SNAPSHOT),
    },
  },
  (parts: LinksParts) => async (c) => {
    const snapshot = await requireSnapshot(parts, c, c.req.valid('param').snapshot_id);
    const { snapshot_id: id, tables } = snapshot;
    const expires_at = parts.now() + GOOD_FOR_MICROSECONDS;
    const linked = tables.map(({ name }) => {
      return { name, url: linkUrl(parts, c, { snapshot_id: id, table: name, expires_at }) };
    });
    const text = attachSql(id, formatInstant(expires_at), linked);
    const headers = await addressHeaders(parts, c, snapshot, 'private, no-store');
    return sendStatic(c, staticResponse(text, 'application/sql'), headers);
  },
);
