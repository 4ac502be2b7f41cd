/** Inputs that several tools share. */
import { z } from '@hono/zod-openapi';

/** The id of an initiative. */
export const initiative_id = z.int().positive().meta({
  description: 'The id of an initiative, as search and list_initiatives give it.',
});
