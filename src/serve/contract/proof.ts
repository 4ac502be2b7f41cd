/** The contract of what proves a snapshot and carries it into a warehouse or a spreadsheet. */
import { createRoute, z } from '@hono/zod-openapi';
import { DIALECTS } from '../../tables/dialects.ts';
import { oneOfThese, text } from '../live/shapes.ts';
import { notFound } from './refusals.ts';
import { latestHeaders, snapshot_id, snapshotHeaders, table } from './reporting.ts';

const query = z.strictObject({});
const tags = ['Reporting'];
const dialect = text('The warehouse that reads it.').openapi({
  enum: [...DIALECTS],
  param: { example: 'postgres' },
});
const name = text('The name of a file, as the manifest has it.').openapi({
  param: { example: 'audit.json' },
});
const NO_SNAPSHOT = 'There is no such snapshot in this account, or it was kept long enough.';
const NO_LATEST = 'There is no snapshot of this account yet.';
const UNBUILT = 'The first snapshot of this account is not complete yet.';
const NO_DIALECT = `There is no such dialect; there are ${DIALECTS.join(', ')}.`;

const csvQuery = z.strictObject({
  spreadsheet: oneOfThese(
    ['true', 'false'],
    'With `true` a byte order mark stands first, and an apostrophe before each text that a spreadsheet would run as a formula: one that begins with a tab or a line break, or with `=`, `+`, `-`, `@`, `|` or their full-width forms, also after blanks; without it every value is the very one of the Parquet file.',
  ).optional(),
});

/** A file that stands beside the tables. */
export const snapshotFileRoute = createRoute({
  method: 'get',
  path: '/reporting/snapshots/{snapshot_id}/files/{name}',
  operationId: 'get_snapshot_file',
  summary: 'What stands beside the tables: how they were audited, and what they add up to; it never changes.',
  tags,
  request: { query, params: z.object({ snapshot_id, name }) },
  responses: {
    200: {
      description: 'The file, held to the digest of the manifest.',
      headers: z.object(snapshotHeaders),
      content: {
        'application/json': {
          schema: z.looseObject({}).meta({
            description:
              '`audit.json`: every check with what it found. `control.json`: the sums of the ledger itself. `digests.json`: rows, sums, empty values and ends of each table. `schema.json`: the declarations.',
          }),
        },
        'application/sql': {
          schema: z.string().meta({ description: '`audit.sql`: the audit, to be run beside the files.' }),
        },
      },
    },
    404: notFound(
      `${NO_SNAPSHOT} Also when the snapshot has no such file.`,
      'This snapshot was built before it had this file.',
    ),
  },
});

/** The digests of all files. */
export const sha256SumsRoute = createRoute({
  method: 'get',
  path: '/reporting/snapshots/{snapshot_id}/SHA256SUMS',
  operationId: 'get_sha256sums',
  summary: 'The digests of all files of a snapshot, as `sha256sum -c` reads them; it never changes.',
  tags,
  request: { query, params: z.object({ snapshot_id }) },
  responses: sumsAnswers(snapshotHeaders, NO_SNAPSHOT, 'There is no such snapshot in this account.'),
});

/** The same of the newest snapshot. */
export const latestSha256SumsRoute = createRoute({
  method: 'get',
  path: '/reporting/latest/SHA256SUMS',
  operationId: 'get_latest_sha256sums',
  summary: 'The digests of all files of the newest snapshot, as `sha256sum -c` reads them.',
  tags,
  request: { query },
  responses: sumsAnswers({ ...snapshotHeaders, ...latestHeaders }, NO_LATEST, UNBUILT),
});

/** The query that compares a warehouse with a snapshot; the router has a twin of it. */
export const compareRoute = createRoute({
  method: 'get',
  path: '/reporting/snapshots/{snapshot_id}/compare/{dialect}.sql',
  operationId: 'get_compare_sql',
  summary: 'One query to run in a warehouse: no row when its tables hold what the snapshot holds.',
  tags,
  request: { query, params: z.object({ snapshot_id, dialect }) },
  responses: {
    200: {
      description: 'The query, with the digests of the snapshot in it.',
      headers: z.object(snapshotHeaders),
      content: { 'application/sql': { schema: z.string() } },
    },
    404: notFound(`${NO_SNAPSHOT} Also when it was built before digests were kept.`, NO_DIALECT),
  },
});

/** A table as CSV; the router has a twin of it. */
export const tableCsvRoute = createRoute({
  method: 'get',
  path: '/reporting/snapshots/{snapshot_id}/{table}.csv',
  operationId: 'get_table_csv',
  summary: 'A table of a snapshot as CSV (RFC 4180, UTF-8), made of the audited file.',
  tags,
  request: { query: csvQuery, params: z.object({ snapshot_id, table }) },
  responses: csvAnswers(snapshotHeaders),
});

/** A table of the newest snapshot as CSV; the router has a twin of it. */
export const latestTableCsvRoute = createRoute({
  method: 'get',
  path: '/reporting/latest/{table}.csv',
  operationId: 'get_latest_table_csv',
  summary: 'A table of the newest snapshot as CSV (RFC 4180, UTF-8), made of the audited file.',
  tags,
  request: { query: csvQuery, params: z.object({ table }) },
  responses: csvAnswers({ ...snapshotHeaders, ...latestHeaders }),
});

/** The statements that create and load the tables; the router has a twin of it; public. */
export const loadRoute = createRoute({
  method: 'get',
  path: '/reporting/load/{dialect}.sql',
  operationId: 'get_load_sql',
  summary: 'The statements that create the reporting tables in a warehouse and load a snapshot.',
  tags,
  security: [],
  request: { query, params: z.object({ dialect }) },
  responses: {
    200: { description: 'The statements.', content: { 'application/sql': { schema: z.string() } } },
    404: notFound('There is no such dialect.', NO_DIALECT),
  },
});

/** The tables as a dbt source; public. */
export const dbtRoute = createRoute({
  method: 'get',
  path: '/reporting/dbt/sources.yml',
  operationId: 'get_dbt_sources',
  summary: 'The reporting tables as a dbt source, with freshness and tests.',
  tags,
  security: [],
  request: { query },
  responses: {
    200: { description: 'The file for dbt.', content: { 'application/yaml': { schema: z.string() } } },
  },
});

function sumsAnswers(headers: z.ZodRawShape, absent: string, example: string) {
  return {
    200: {
      description: 'A line for each file.',
      headers: z.object(headers),
      content: { 'text/plain': { schema: z.string() } },
    },
    404: notFound(absent, example),
  };
}

function csvAnswers(headers: z.ZodRawShape) {
  return {
    200: {
      description: 'The rows in the order of the file; no value is an empty cell, an empty text is `""`.',
      headers: z.object({
        ...headers,
        etag: text('Names the audited file it is made of, and how it is written.'),
      }),
      content: { 'text/csv': { schema: z.string() } },
    },
    404: notFound('There is no such table or no such snapshot.', 'There is no such reporting table.'),
  };
}
