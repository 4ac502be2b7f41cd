/** Inputs that several tools share. */
import { z } from '@hono/zod-openapi';

/** A whole number above zero, also written as text: search gives ids as text. */
export const id = z.preprocess(
  (given) => (typeof given === 'string' && /^[1-9]\d{0,15}$/.test(given) ? Number(given) : given),
  z.int().positive(),
);

/** The id of an initiative. */
export const initiative_id = id.meta({
  description: 'The id of an initiative, as search and list_initiatives give it.',
});
