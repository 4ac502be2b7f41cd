import { CrossfootError } from '../../errors.ts';
import { tableNamed, TABLES } from '../../tables/all.ts';
import { text } from '../live/shapes.ts';

/** The parameter that names a table. */
export const table = text('The published name of a table.').openapi({
  enum: TABLES.map(({ name }) => name),
  param: { example: 'costs' },
});

export const NO_TABLE = 'There is no such reporting table.';

/** The 404 of a table that a snapshot does not have. */
export function noTable(name: string): CrossfootError {
  const known = tableNamed(name) !== undefined;
  return new CrossfootError(
    'not_found',
    known ? 'This snapshot was built before it had this table.' : NO_TABLE,
  );
}
