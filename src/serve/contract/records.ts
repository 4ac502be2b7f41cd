/** The contract of the records: a list of each resource, and one record by its id, made from the declarations. */
import { createRoute, z } from '@hono/zod-openapi';
import { cursor, limit } from '../live/queries.ts';
import type { Resource } from '../live/resource.ts';
import { listOf } from '../live/shapes.ts';
import { notFound } from './refusals.ts';

/** What a route says of an initiative that it was asked for and cannot see. */
export const NO_INITIATIVE = notFound(
  'The initiative is none that this account can see, or a sample that was not asked for.',
  'There is no such initiative in this account.',
);

/** The route that lists a resource. */
export function listRoute({ name, component, sentence, row, group, filters }: Resource) {
  const schema = listOf(row, `${component}List`);
  return createRoute({
    method: 'get',
    path: `/${name}`,
    operationId: `list_${name}`,
    summary: sentence,
    tags: [group],
    request: { query: z.strictObject({ limit, cursor, ...filters }) },
    responses: {
      200: { description: 'A page of the list.', content: { 'application/json': { schema } } },
      ...('initiative_id' in filters && { 404: NO_INITIATIVE }),
    },
  });
}

/** The route that shows one record; its id is no more than text, because what is no id names no record either. */
export function recordRoute({ name, component, row }: Resource) {
  const noun = component.toLowerCase();
  const id = z
    .string()
    .openapi({ type: 'integer', minimum: 1, description: `The id of the ${noun}.`, param: { example: 101 } });
  return createRoute({
    method: 'get',
    path: `/${name}/{id}`,
    operationId: `get_${noun}`,
    summary: `One ${noun}, with the fields of the list.`,
    tags: ['Records'],
    request: { params: z.strictObject({ id }), query: z.strictObject({}) },
    responses: {
      200: { description: `The ${noun}.`, content: { 'application/json': { schema: row } } },
      404: notFound(
        'There is none of this id in this account; a foreign, an unknown and a deleted id are answered alike.',
        'There is no such record in this account.',
      ),
    },
  });
}
