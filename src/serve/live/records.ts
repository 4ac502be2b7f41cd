/** The routes of a resource: its list, and one record by its id. */
import { z } from '@hono/zod-openapi';
import { noSuchRecord } from '../../ledger/lists/require-initiative.ts';
import { type ApiRoute, defineRoute } from '../contract/define-route.ts';
import { notFound } from '../contract/refusals.ts';
import { answerLive } from './live-answer.ts';
import { cursor, limit, readId } from './queries.ts';
import type { ListParts, Resource } from './resource.ts';
import { listOf } from './shapes.ts';

/** The 404 for an initiative that the account cannot see. */
export const NO_INITIATIVE = notFound(
  'The account has no such initiative, or it is a sample and samples were not requested.',
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
 * The route of one record. Its id is declared as text: a malformed id is answered with 404, like an unknown one.
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
          'The account has no record with this id. An unknown id, a deleted id and an id of another account are answered alike.',
          'There is no such record in this account.',
        ),
      },
    },
    (parts: ListParts) => async (c) => {
      const { account_id } = c.var.principal;
      const named = readId(c.req.valid('param').id);
      const record =
        named === null
          ? null
          : await parts.inAccount({ account_id, timeout_ms }, (client) => find(client, account_id, named));
      if (record === null) throw noSuchRecord();
      return answerLive(c, record);
    },
  );
}
