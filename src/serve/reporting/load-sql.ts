/** SQL that creates and loads the tables in a warehouse. It contains no figure, so it needs no token. */
import { z } from '@hono/zod-openapi';
import { DIALECTS } from '../../tables/dialects.ts';
import { loadSql } from '../../warehouse/load-tables.ts';
import { defineRoute } from '../contract/define-route.ts';
import { notFound } from '../contract/refusals.ts';
import { sendStatic, CACHE_PUBLIC, staticResponse, type StaticResponse } from '../http/static-response.ts';
import { dialect, NO_DIALECT, noDialect } from './dialect-parameter.ts';

/** The statements for one dialect, made and hashed once. */
export const loadStatements = defineRoute(
  {
    path: '/reporting/load/{dialect}.sql',
    operationId: 'get_load_sql',
    summary: 'The statements that create the reporting tables in a warehouse and load a snapshot.',
    tags: ['Reporting'],
    security: [],
    request: { params: z.object({ dialect }) },
    responses: {
      200: { description: 'The statements.', content: { 'application/sql': { schema: z.string() } } },
      404: notFound('There is no such dialect.', NO_DIALECT),
    },
  },
  () => {
    const made = new Map<string, StaticResponse>(
      DIALECTS.map((each) => [each, staticResponse(loadSql(each), 'application/sql')]),
    );
    return (c) => {
      const statements = made.get(c.req.valid('param').dialect);
      if (statements === undefined) throw noDialect();
      return sendStatic(c, statements, CACHE_PUBLIC);
    };
  },
);
