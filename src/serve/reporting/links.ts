/** Makes links: addresses of single files for readers that send no Authorization header. */
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { HOUR, type Instant } from '../../instant.ts';
import { formatInstant } from '../../time.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { readToken } from '../auth/credentials.ts';
import { tokenDigest } from '../auth/token.ts';
import { defineRoute } from '../contract/define-route.ts';
import { notFound } from '../contract/refusals.ts';
import { answerJson } from '../http/json-answer.ts';
import { arrayOf, component, integer, text, timestamp } from '../contract/shapes.ts';
import {
  ABSENT,
  requireSnapshot,
  addressHeaders,
  NO_SNAPSHOT,
  type ReportingParts,
  snapshot_id,
  snapshotHeaderShapes,
} from './chosen-snapshot.ts';
import type { Grant, LinkGrants } from './link-grants.ts';

/** An hour: enough to scan a large file in many ranges, too short to stay usable in a browser's history. */
export const GOOD_FOR_MICROSECONDS = HOUR;

/** A link to the changes of a table has this word before the name of the table, in its path and in its grant. */
export const CHANGES = 'changes';

export interface LinksParts extends ReportingParts {
  readonly linkGrants: LinkGrants;
  readonly now: () => Instant;
}

const link = component('TableLink', 'The address of one table, for a reader that sends no Authorization.', {
  name: text('The published name of the table.'),
  size_bytes: integer('The length of the file.'),
  sha256: text('The SHA-256 of the whole file, in hexadecimal.'),
  url: z.url().meta({ description: 'The address of the file without a token; GET, ranges and HEAD work.' }),
});

const tableLinks = component('TableLinks', 'Short-lived addresses of the tables of a snapshot.', {
  snapshot_id: text('The snapshot of the tables.'),
  expires_at: timestamp('The links work until then, or until the token is revoked.'),
  links: arrayOf(link, 'A link for each table.'),
});

/** Makes a link to each table of a snapshot; `linked-table.ts` serves the links. */
export const links = defineRoute(
  {
    path: '/reporting/snapshots/{snapshot_id}/links',
    operationId: 'get_table_links',
    summary:
      'A link to each table, valid for an hour without a token; anyone with a link can read its table.',
    tags: ['Reporting'],
    request: { params: z.object({ snapshot_id }) },
    responses: {
      200: {
        description: 'The links. After an hour, or once the token is revoked, they answer 410.',
        headers: z.object(snapshotHeaderShapes),
        content: { 'application/json': { schema: tableLinks } },
      },
      404: notFound(ABSENT.snapshot, NO_SNAPSHOT),
    },
  },
  (parts: LinksParts) => async (c) => {
    const snapshot = await requireSnapshot(parts, c, c.req.valid('param').snapshot_id);
    const { snapshot_id: id, tables } = snapshot;
    c.set('logger', c.var.logger.with({ snapshot: id }));
    const expires_at = parts.now() + GOOD_FOR_MICROSECONDS;
    const made = tables.map(({ name, size_bytes, sha256 }) => {
      const url = linkUrl(parts, c, { snapshot_id: id, table: name, expires_at });
      return { name, size_bytes, sha256, url };
    });
    const body = { snapshot_id: id, expires_at: formatInstant(expires_at), links: made };
    return answerJson(c, body, await addressHeaders(parts, c, snapshot, 'private, no-store'));
  },
);

/** The link to a table for the token of the request; it works until `expires_at`, or until the token is revoked. */
export function linkUrl(
  { linkGrants, baseUrl }: LinksParts,
  c: Context<ServeEnv>,
  named: Pick<Grant, 'snapshot_id' | 'table' | 'expires_at'>,
): string {
  const { account_id } = c.var.principal;
  const token_sha256 = tokenDigest(readToken(c.req.header('authorization')) ?? ''); // the guard has checked that there is a token
  const grant = linkGrants.seal({ ...named, account_id, token_sha256 });
  return `${baseUrl().replace(/\/v1$/, '')}/links/${grant}/${named.table}.parquet`;
}
