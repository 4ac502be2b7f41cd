import { createMiddleware } from 'hono/factory';
import { CrossfootError } from '../../errors.ts';

/**
 * Refuses unknown and repeated query parameters by name: a misspelt parameter must not be ignored. Values are checked
 * afterwards.
 */
export function acceptParameters(names: readonly string[]) {
  return createMiddleware(async (c, next) => {
    const present = [...new URL(c.req.url).searchParams.keys()];
    const unknown = present.find((name) => !names.includes(name));
    if (unknown !== undefined) {
      throw refused(`This route does not accept the parameter ${JSON.stringify(unknown)}.`);
    }
    const repeated = present.find((name, index) => present.indexOf(name) !== index);
    if (repeated !== undefined) throw refused(`The parameter ${repeated} was given more than once.`);
    await next();
  });
}

/** Refuses every query parameter. */
export const acceptNoParameters = acceptParameters([]);

function refused(message: string): CrossfootError {
  return new CrossfootError('parameter_refused', message);
}
