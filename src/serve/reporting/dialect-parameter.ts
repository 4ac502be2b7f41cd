import { CrossfootError } from '../../errors.ts';
import { DIALECTS } from '../../tables/dialects.ts';
import { text } from '../live/shapes.ts';

/** The parameter that names a kind of warehouse. */
export const dialect = text('The warehouse that reads it.').openapi({
  enum: [...DIALECTS],
  param: { example: 'postgres' },
});

export const NO_DIALECT = `There is no such dialect; there are ${DIALECTS.join(', ')}.`;

/** The 404 of a dialect that nothing is generated for. */
export function noDialect(): CrossfootError {
  return new CrossfootError('not_found', NO_DIALECT);
}
