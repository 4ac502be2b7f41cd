/** The contract of the contract's own route. */
import { createRoute, z } from '@hono/zod-openapi';
import { text } from '../live/shapes.ts';

const schema = z
  .looseObject({ openapi: text('The version of OpenAPI it is written in.') })
  .meta({ id: 'OpenApiDocument', description: 'An OpenAPI 3.1 document.' });

/** The route that answers with all of these. */
export const contractRoute = createRoute({
  method: 'get',
  path: '/openapi.json',
  operationId: 'get_openapi',
  summary: 'This contract; needs no token.',
  tags: ['Contract'],
  security: [],
  request: { query: z.strictObject({}) },
  responses: {
    200: {
      description: 'The contract of every route.',
      content: { 'application/json': { schema } },
    },
  },
});
