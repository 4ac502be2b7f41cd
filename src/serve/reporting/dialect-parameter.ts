import { CrossfootError } from '../../errors.ts';
import { DIALECTS } from '../../tables/dialects.ts';
import { text } from '../contract/shapes.ts';

/** The path parameter that names a warehouse dialect. */
export const dialect = text('The warehouse that the SQL is for.').openapi({
  enum: [...DIALECTS],
  param: { example: 'postgres' },
});

export const NO_DIALECT = `There is no such dialect; there are ${DIALECTS.join(', ')}.`;

/** The 404 of an unknown dialect. */
export function noDialect(): CrossfootError {
  return new CrossfootError('not_found', NO_DIALECT);
}
