/** The contract of the reporting routes: what each takes and answers. */
import { createRoute, z } from '@hono/zod-openapi';
import { TABLES } from '../../tables/all.ts';
import { text } from '../live/shapes.ts';
import { notFound, refusalReference } from './refusals.ts';
import { snapshotList, snapshotManifest } from './snapshot-shapes.ts';
import { schemaDescription } from './table-shapes.ts';

const query = z.strictObject({});
const tags = ['Reporting'];
/** The headers of every answer about one snapshot. */
export const snapshotHeaders = {
  'x-snapshot-id': text('The snapshot that is answered.'),
  'x-snapshot-retracted': text(
    'When the snapshot was retracted; its manifest says why. Absent unless it was.',
  ).optional(),
  link: text(
    'The manifest of the snapshot that replaces a retracted one, as `successor-version`.',
  ).optional(),
};
const behindLog = {
  'x-latest-behind-log': text(
    'The number of the first entry of the publish log that cannot be read: snapshots newer than the newest one answered were published. Absent while the log is whole.',
  ).optional(),
};
/** The headers of every answer about the newest snapshot. */
export const latestHeaders = {
  'content-location': text('The pinned address, where this very snapshot stays when a newer one comes.'),
  ...behindLog,
};
/** The parameter that names a snapshot. */
export const snapshot_id = text('The id of a snapshot, as a manifest or the list names it.').openapi({
  param: { example: '20261120T020000Z' },
});
/** The parameter that names a table. */
export const table = text('The published name of a table.').openapi({
  enum: TABLES.map(({ name }) => name),
  param: { example: 'costs' },
});

const OFF = 'Reporting tables are switched off; an Owner or Admin turns them on';
const SWITCHED_OFF =
  'Reporting tables are switched off; an Owner or Admin turns them on in the organization settings.';
const UNBUILT = 'The first snapshot of this account is not complete yet.';
const NO_SNAPSHOT = 'There is no such snapshot in this account.';
const NO_TABLE = 'There is no such reporting table.';

/** Describes the tables; public. */
export const schemaRoute = createRoute({
  method: 'get',
  path: '/reporting/schema.json',
  operationId: 'get_reporting_schema',
  summary: 'The reporting tables and their columns; names columns only.',
  tags,
  security: [],
  request: { query },
  responses: { 200: json(schemaDescription, 'The tables in published order.') },
});

/** The newest manifest. */
export const latestRoute = createRoute({
  method: 'get',
  path: '/reporting/latest',
  operationId: 'get_latest_snapshot',
  summary: 'The manifest of the newest snapshot, retracted or not.',
  tags,
  request: { query },
  responses: {
    200: json(snapshotManifest, 'The newest snapshot.', { ...snapshotHeaders, ...latestHeaders }),
    404: notFound(`${OFF}; also before the first snapshot is complete.`, UNBUILT),
  },
});

/** The list of what may be read. */
export const snapshotsRoute = createRoute({
  method: 'get',
  path: '/reporting/snapshots',
  operationId: 'list_snapshots',
  summary: 'The snapshots that may be read, newest first.',
  tags,
  request: { query },
  responses: {
    200: json(snapshotList, 'What may be read now.', behindLog),
    404: notFound(`${OFF}.`, SWITCHED_OFF),
  },
});

/** The manifest of one snapshot. */
export const snapshotRoute = createRoute({
  method: 'get',
  path: '/reporting/snapshots/{snapshot_id}',
  operationId: 'get_snapshot',
  summary: 'The manifest of a snapshot.',
  tags,
  request: { query, params: z.object({ snapshot_id }) },
  responses: {
    200: json(snapshotManifest, 'That snapshot.', snapshotHeaders),
    404: notFound('There is no such snapshot in this account, or it was kept long enough.', NO_SNAPSHOT),
  },
});

/** A file of the newest snapshot; the router has a twin of it, because it knows no ending after a parameter. */
export const latestTableRoute = createRoute({
  method: 'get',
  path: '/reporting/latest/{table}.parquet',
  operationId: 'get_latest_table',
  summary: 'A table of the newest snapshot, as one Parquet file.',
  tags,
  request: { query, params: z.object({ table }), headers: fileRequest() },
  responses: fileAnswers({ ...snapshotHeaders, ...latestHeaders }),
});

/** A file of one snapshot; the router has a twin of it too. */
export const tableRoute = createRoute({
  method: 'get',
  path: '/reporting/snapshots/{snapshot_id}/{table}.parquet',
  operationId: 'get_table',
  summary: 'A table of a snapshot, as one Parquet file; it never changes.',
  tags,
  request: { query, params: z.object({ snapshot_id, table }), headers: fileRequest() },
  responses: fileAnswers(snapshotHeaders),
});

function json<Schema extends z.ZodType>(schema: Schema, description: string, headers: z.ZodRawShape = {}) {
  return { description, headers: z.object(headers), content: { 'application/json': { schema } } };
}

/** What a conditional or partial request of a file may carry. */
function fileRequest() {
  return z.object({
    range: text('One range of bytes; several are answered whole.')
      .optional()
      .openapi({ param: { example: 'bytes=0-1023' } }),
    'if-range': text('The tag of the file whose range it is; any other file is answered whole.').optional(),
    'if-match': text('Tags: any other file is refused with 412.').optional(),
    'if-none-match': text('Tags: a file of one of these is answered with 304.').optional(),
  });
}

function fileAnswers(headers: z.ZodRawShape) {
  const whole = {
    ...headers,
    'accept-ranges': z.literal('bytes').meta({ description: 'Parts of the file may be asked for.' }),
    'repr-digest': text('The SHA-256 of the whole file, as RFC 9530 writes it.'),
  };
  const part = { ...whole, 'content-range': text('Which bytes these are, and of how many.') };
  const content = {
    'application/vnd.apache.parquet': { schema: z.string().openapi({ format: 'binary' }) },
  };
  return {
    200: { description: 'The whole file.', headers: z.object(whole), content },
    206: { description: 'The range that was asked for.', headers: z.object(part), content },
    404: notFound('There is no such table, no such snapshot, or no snapshot yet.', NO_TABLE),
    416: refusalReference('416'),
  };
}
