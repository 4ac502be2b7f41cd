/** `/roi`: its contract and its answer. */
import { z } from '@hono/zod-openapi';
import { defineRoute } from '../contract/define-route.ts';
import { include_sample, initiative_id } from '../contract/queries.ts';
import { asOfHeaders, snapshot_id } from './asked-snapshot.ts';
import { type AnswerParts, chooseSource } from './chosen-source.ts';
import { NO_INITIATIVE } from './records.ts';
import { roiFigures } from './roi-shape.ts';
import { requireWindow, windowParameters } from './window-parameters.ts';

const query = z.strictObject({
  ...windowParameters,
  initiative_id: initiative_id.openapi({
    description: 'The figures of that initiative; 404 when this account has no initiative of that id.',
  }),
  include_sample,
  snapshot_id,
});

/** The figures of the portfolio or of one initiative. */
export const roi = defineRoute(
  {
    path: '/roi',
    operationId: 'get_roi',
    summary: 'Value, cost and return of the portfolio or of one initiative.',
    tags: ['Figures'],
    request: { query },
    responses: {
      200: {
        description: 'The figures.',
        headers: asOfHeaders,
        content: { 'application/json': { schema: roiFigures } },
      },
      404: NO_INITIATIVE,
    },
  },
  (parts: AnswerParts) => async (c) => {
    const { initiative_id: id, include_sample: sample, snapshot_id: _, ...asked } = c.req.valid('query');
    const question = { window: requireWindow(asked), initiative_id: id, include_sample: sample };
    const { source, answer } = await chooseSource(parts, c, c.req.valid('query'));
    return answer(await source.roi(question));
  },
);
