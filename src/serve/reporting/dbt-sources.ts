/** The tables as a dbt source; it names no figure, so it needs no token. */
import { z } from '@hono/zod-openapi';
import { dbtSources } from '../../warehouse/dbt-sources.ts';
import { defineRoute } from '../contract/define-route.ts';
import { answerKept, CACHE_PUBLIC, keep } from '../http/kept-answer.ts';

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
    const sources = keep(dbtSources(), 'application/yaml');
    return (c) => answerKept(c, sources, CACHE_PUBLIC);
  },
);
