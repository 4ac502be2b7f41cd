import { createMiddleware } from 'hono/factory';
import { CrossfootError } from '../../errors.ts';

/**
 * Refuses any other query parameter and any that is given twice, naming it: a misspelt one must not be answered as if
 * it were not there. What their values may be is judged after this.
 */
export function acceptParameters(names: readonly string[]) {
  return createMiddleware(async (c, next) => {
    const given = [...new URL(c.req.url).searchParams.keys()];
    const unknown = given.find((name) => !names.includes(name));
    if (unknown !== undefined) {
      throw refused(`This route does not accept the parameter ${JSON.stringify(unknown)}.`);
    }
    const repeated = given.find((name, place) => given.indexOf(name) !== place);
    if (repeated !== undefined) throw refused(`The parameter ${repeated} may be given once only.`);
    await next();
  });
}

/** Refuses every query parameter. */
export const acceptNoParameters = acceptParameters([]);

function refused(message: string): CrossfootError {
  return new CrossfootError('parameter_refused', message);
}
