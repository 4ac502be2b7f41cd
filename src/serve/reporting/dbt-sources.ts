/** The tables as a dbt source. It contains no figure, so it needs no token. */
import { z } from '@hono/zod-openapi';
import { dbtSources } from '../../warehouse/dbt.ts';
import { defineRoute } from '../contract/define-route.ts';
import { sendStatic, CACHE_PUBLIC, staticResponse } from '../http/static-response.ts';

/** The file, made and hashed once. */
export const dbtSource = defineRoute(
  {
    path: '/reporting/dbt/sources.yml',
    operationId: 'get_dbt_sources',
    summary: 'The reporting tables as a dbt source, with freshness and tests.',
    tags: ['Reporting'],
    security: [],
    responses: {
      200: { description: 'The file for dbt.', content: { 'application/yaml': { schema: z.string() } } },
    },
  },
  () => {
    const sources = staticResponse(dbtSources(), 'application/yaml');
    return (c) => sendStatic(c, sources, CACHE_PUBLIC);
  },
);
