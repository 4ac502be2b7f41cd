/** A dbt staging model of each table. It contains no figure, so it needs no token. */
import { z } from '@hono/zod-openapi';
import { CrossfootError } from '../../errors.ts';
import { TABLES } from '../../tables/all.ts';
import { stagingModel } from '../../warehouse/dbt.ts';
import { defineRoute } from '../contract/define-route.ts';
import { notFound } from '../contract/refusals.ts';
import { CACHE_PUBLIC, sendStatic, staticResponse } from '../http/static-response.ts';
import { NO_TABLE, table } from './table-parameter.ts';

/** The models, made and hashed once. */
export const dbtModel = defineRoute(
  {
    path: '/reporting/dbt/models/{table}.sql',
    operationId: 'get_dbt_model',
    summary: 'A dbt staging model of a table over the dbt source: the newest snapshot that was loaded.',
    tags: ['Reporting'],
    security: [],
    request: { params: z.object({ table }) },
    responses: {
      200: { description: 'The model.', content: { 'application/sql': { schema: z.string() } } },
      404: notFound('There is no such table.', NO_TABLE),
    },
  },
  () => {
    const made = new Map(
      TABLES.map((each) => [each.name, staticResponse(stagingModel(each), 'application/sql')]),
    );
    return (c) => {
      const model = made.get(c.req.valid('param').table);
      if (model === undefined) throw new CrossfootError('not_found', NO_TABLE);
      return sendStatic(c, model, CACHE_PUBLIC);
    };
  },
);
