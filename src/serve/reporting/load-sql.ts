/** The statements that create and load the tables in a warehouse; they name no figure, so they need no token. */
import { z } from '@hono/zod-openapi';
import { DIALECTS } from '../../tables/dialects.ts';
import { loadSql } from '../../warehouse/load-tables.ts';
import { defineRoute } from '../contract/define-route.ts';
import { notFound } from '../contract/refusals.ts';
import { answerKept, CACHE_PUBLIC, keep, type Kept } from '../http/kept-answer.ts';
import { dialect, NO_DIALECT, noDialect } from './dialect-parameter.ts';

/** The statements for one kind of warehouse, each made and hashed once. */
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
    const made = new Map<string, Kept>(
      DIALECTS.map((each) => [each, keep(loadSql(each), 'application/sql')]),
    );
    return (c) => {
      const statements = made.get(c.req.valid('param').dialect);
      if (statements === undefined) throw noDialect();
      return answerKept(c, statements, CACHE_PUBLIC);
    };
  },
);
