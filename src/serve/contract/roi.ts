/** The contract of `/roi`. */
import { createRoute, z } from '@hono/zod-openapi';
import { TRAILING_WINDOWS, type TrailingKey } from '../../figures/trailing.ts';
import { include_sample, initiative_id, oneOf } from '../live/queries.ts';
import { roiFigures } from '../live/roi-shape.ts';
import { NO_INITIATIVE } from './records.ts';

// The keys of a constant: there are no others.
const WINDOWS = Object.keys(TRAILING_WINDOWS) as TrailingKey[];

const query = z.strictObject({
  window: oneOf(WINDOWS, 'The window: the years that end today, or all time.')
    .default('all')
    .openapi({ default: 'all' }),
  initiative_id: initiative_id.openapi({
    description: 'The figures of that initiative; 404 when this account has none of that id.',
  }),
  include_sample,
});

export type RoiQuery = z.output<typeof query>;

export const roiRoute = createRoute({
  method: 'get',
  path: '/roi',
  operationId: 'get_roi',
  summary: 'Value, cost and return of the portfolio or of one initiative.',
  tags: ['Figures'],
  request: { query },
  responses: {
    200: { description: 'The figures.', content: { 'application/json': { schema: roiFigures } } },
    404: NO_INITIATIVE,
  },
});
