/** `/openapi.json`: the description of every route, its own included. */
import { z } from '@hono/zod-openapi';
import { answerKept, CACHE_PUBLIC, keep, type Kept } from '../http/kept-answer.ts';
import { text } from '../live/shapes.ts';
import { defineRoute } from './define-route.ts';

const schema = z
  .looseObject({ openapi: text('The version of OpenAPI it is written in.') })
  .meta({ id: 'OpenApiDocument', description: 'An OpenAPI 3.1 document.' });

export interface DocumentParts {
  /** The document as served at the public address. */
  readonly describe: () => object;
}

/** The document, made and hashed when it is first asked for: only then is the public address known. */
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
    let document: Kept | null = null;
    return (c) => {
      document ??= keep(JSON.stringify(describe()), 'application/json');
      return answerKept(c, document, CACHE_PUBLIC);
    };
  },
);
