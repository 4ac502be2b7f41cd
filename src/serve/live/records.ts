/** The routes of a resource: its list, and one record by its id. */
import { z } from '@hono/zod-openapi';
import { noSuchRecord } from '../../ledger/lists/require-initiative.ts';
import { type ApiRoute, defineRoute } from '../contract/define-route.ts';
import { notFound } from '../contract/refusals.ts';
import { NO_SNAPSHOT } from '../reporting/chosen-snapshot.ts';
import { asOfHeaders, snapshot_id } from './asked-snapshot.ts';
import { type AnswerParts, chooseSource } from './chosen-source.ts';
import { cursor, limit, readId } from '../contract/queries.ts';
import type { Resource } from './resource.ts';
import { listOf } from '../contract/shapes.ts';

/** The 404 for an initiative that the account cannot see. */
export const NO_INITIATIVE = notFound(
  'The account has no such initiative, or it is a sample and samples were not requested. Also when `snapshot_id` names no readable snapshot.',
  'There is no such initiative in this account.',
);

const NO_SUCH_SNAPSHOT = notFound('`snapshot_id` names no readable snapshot.', NO_SNAPSHOT);

/** The routes of a resource. */
export function recordRoutes(resource: Resource): readonly ApiRoute<AnswerParts>[] {
  const { record } = resource;
  return [listRoute(resource), ...(record === null ? [] : [recordRoute(resource, record)])];
}

/** The route that lists a resource. */
function listRoute(resource: Resource): ApiRoute<AnswerParts> {
  const { name, component, sentence, row, group, filters } = resource;
  const schema = listOf(row, `${component}List`);
  return defineRoute(
    {
      path: `/${name}`,
      operationId: `list_${name}`,
      summary: sentence,
      tags: [group],
      request: { query: z.strictObject({ limit, cursor, ...filters, snapshot_id }) },
      responses: {
        200: {
          description: 'A page of the list.',
          headers: asOfHeaders,
          content: { 'application/json': { schema } },
        },
        404: 'initiative_id' in filters ? NO_INITIATIVE : NO_SUCH_SNAPSHOT,
      },
    },
    (parts: AnswerParts) => async (c) => {
      const { snapshot_id: _, ...query } = c.req.valid('query');
      const { account_id } = c.var.principal;
      const held = () => resource.after(parts, account_id, query)?.snapshot_id;
      const { source, answer } = await chooseSource(parts, c, c.req.valid('query'), held);
      return answer(await resource.page(parts, source, query));
    },
  );
}

/**
 * The route of one record. Its id is declared as text: a malformed id is answered with 404, like an unknown one.
 */
function recordRoute(
  { name, component, recordShape: schema }: Resource,
  record: NonNullable<Resource['record']>,
): ApiRoute<AnswerParts> {
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
      request: { params: z.strictObject({ id }), query: z.strictObject({ snapshot_id }) },
      responses: {
        200: {
          description: `The ${noun}.`,
          headers: asOfHeaders,
          content: { 'application/json': { schema } },
        },
        404: notFound(
          'The account has no record with this id. An unknown id, a deleted id and an id of another account are answered alike.',
          'There is no such record in this account.',
        ),
      },
    },
    (parts: AnswerParts) => async (c) => {
      const named = readId(c.req.valid('param').id);
      const { source, answer } = await chooseSource(parts, c, c.req.valid('query'));
      const found = named === null ? null : await record(source, named);
      if (found === null) throw noSuchRecord();
      return answer(found);
    },
  );
}
