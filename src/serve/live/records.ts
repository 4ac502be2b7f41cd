/** The records of a resource: a route with their list, and a route with one of them by its id. */
import { z } from '@hono/zod-openapi';
import { noSuchRecord } from '../../ledger/lists/require-initiative.ts';
import { type ApiRoute, defineRoute } from '../contract/define-route.ts';
import { notFound } from '../contract/refusals.ts';
import { answerLive } from './live-answer.ts';
import { cursor, limit, readId } from './queries.ts';
import type { ListParts, Resource } from './resource.ts';
import { listOf } from './shapes.ts';

/** What a route says of an initiative that it was asked for and cannot see. */
export const NO_INITIATIVE = notFound(
  'The initiative is none that this account can see, or a sample that was not asked for.',
  'There is no such initiative in this account.',
);

/** The routes of a resource. */
export function recordRoutes(resource: Resource): readonly ApiRoute<ListParts>[] {
  const { find } = resource;
  return [listRoute(resource), ...(find === null ? [] : [recordRoute(resource, find)])];
}

/** The route that lists a resource. */
function listRoute(resource: Resource): ApiRoute<ListParts> {
  const { name, component, sentence, row, group, filters } = resource;
  const schema = listOf(row, `${component}List`);
  return defineRoute(
    {
      path: `/${name}`,
      operationId: `list_${name}`,
      summary: sentence,
      tags: [group],
      request: { query: z.strictObject({ limit, cursor, ...filters }) },
      responses: {
        200: { description: 'A page of the list.', content: { 'application/json': { schema } } },
        ...('initiative_id' in filters && { 404: NO_INITIATIVE }),
      },
    },
    (parts: ListParts) => async (c) =>
      answerLive(c, await resource.page(parts, c.var.principal.account_id, c.req.valid('query'))),
  );
}

/**
 * The route that shows one record. Its id is declared as a text, because what is no id names no record either: both
 * are 404.
 */
function recordRoute(
  { name, component, row, timeout_ms }: Resource,
  find: NonNullable<Resource['find']>,
): ApiRoute<ListParts> {
  const noun = component.toLowerCase();
  const id = z
    .string()
    .openapi({ type: 'integer', minimum: 1, description: `The id of the ${noun}.`, param: { example: 101 } });
  return defineRoute(
    {
      path: `/${name}/{id}`,
      operationId: `get_${noun}`,
      summary: `One ${noun}, with the fields of the list.`,
      tags: ['Records'],
      request: { params: z.strictObject({ id }) },
      responses: {
        200: { description: `The ${noun}.`, content: { 'application/json': { schema: row } } },
        404: notFound(
          'There is none of this id in this account; a foreign, an unknown and a deleted id are answered alike.',
          'There is no such record in this account.',
        ),
      },
    },
    (parts: ListParts) => async (c) => {
      const { account_id } = c.var.principal;
      const named = readId(c.req.valid('param').id);
      const found =
        named === null
          ? null
          : await parts.inAccount({ account_id, timeout_ms }, (client) => find(client, account_id, named));
      if (found === null) throw noSuchRecord();
      return answerLive(c, found);
    },
  );
}
