/** `/openapi.json`: the description of every route, including itself. */
import { z } from '@hono/zod-openapi';
import { sendStatic, CACHE_PUBLIC, staticResponse, type StaticResponse } from '../http/static-response.ts';
import { text } from './shapes.ts';
import { defineRoute } from './define-route.ts';

const schema = z
  .looseObject({ openapi: text('The version of OpenAPI it is written in.') })
  .meta({ id: 'OpenApiDocument', description: 'An OpenAPI 3.1 document.' });

export interface DocumentParts {
  /** The document as served at the public address. */
  readonly describe: () => object;
}

/** The document, made and hashed at the first request: the public address is not known before. */
export const openapiJson = defineRoute(
  {
    path: '/openapi.json',
    operationId: 'get_openapi',
    summary: 'This contract; needs no token.',
    tags: ['Contract'],
    security: [],
    responses: {
      200: {
        description: 'The contract of every route.',
        content: { 'application/json': { schema } },
      },
    },
  },
  ({ describe }: DocumentParts) => {
    let document: StaticResponse | null = null;
    return (c) => {
      document ??= staticResponse(JSON.stringify(describe()), 'application/json');
      return sendStatic(c, document, CACHE_PUBLIC);
    };
  },
);
