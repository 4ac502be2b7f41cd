/** The contract of the route that makes links. What they lead to is outside `/v1`, as any address of a file is. */
import { createRoute, z } from '@hono/zod-openapi';
import { integer, text, timestamp } from '../live/shapes.ts';
import { notFound } from './refusals.ts';

const link = z
  .strictObject({
    name: text('The published name of the table.'),
    size_bytes: integer('The length of the file.'),
    sha256: text('The SHA-256 of the whole file, in hexadecimal.'),
    url: z
      .url()
      .meta({ description: 'Where the file is read without a token: in whole, in ranges, with HEAD.' }),
  })
  .meta({
    id: 'TableLink',
    description: 'The address of one table, for a reader that sends no Authorization.',
  });

const tableLinks = z
  .strictObject({
    snapshot_id: text('The snapshot whose tables they are.'),
    expires_at: timestamp('Until when they may be used; sooner if the token is revoked.'),
    links: z.array(link).meta({ description: 'One for each table.' }),
  })
  .meta({ id: 'TableLinks', description: 'Short-lived addresses of the tables of a snapshot.' });

/** Makes a link to each table of a snapshot. */
export const linksRoute = createRoute({
  method: 'get',
  path: '/reporting/snapshots/{snapshot_id}/links',
  operationId: 'get_table_links',
  summary: 'An address of each table that needs no token for an hour; whoever has it can read that table.',
  tags: ['Reporting'],
  request: {
    query: z.strictObject({}),
    params: z.object({
      snapshot_id: text('The id of a snapshot, as a manifest or the list names it.').openapi({
        param: { example: '20261120T020000Z' },
      }),
    }),
  },
  responses: {
    200: {
      description: 'The links; afterwards they answer 410, as they do once the token is revoked.',
      headers: z.object({ 'x-snapshot-id': text('The snapshot that is answered.') }),
      content: { 'application/json': { schema: tableLinks } },
    },
    404: notFound(
      'There is no such snapshot in this account, or it was kept long enough.',
      'There is no such snapshot in this account.',
    ),
  },
});
