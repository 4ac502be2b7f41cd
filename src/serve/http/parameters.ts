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
      throw refusedParameter(`This route does not accept the parameter ${JSON.stringify(unknown)}.`);
    }
    const repeated = present.find((name, index) => present.indexOf(name) !== index);
    if (repeated !== undefined) throw refusedParameter(`The parameter ${repeated} was given more than once.`);
    await next();
  });
}

/** Refuses every query parameter. */
export const acceptNoParameters = acceptParameters([]);

/** The refusal of a parameter, with status 400. */
export function refusedParameter(message: string): CrossfootError {
  return new CrossfootError('parameter_refused', message);
}

/** The first fault of a query as a sentence: it names the parameter and never repeats its value. */
export function parameterRefusal(error: {
  readonly issues: readonly { path: PropertyKey[]; message: string }[];
}): CrossfootError {
  const [issue] = error.issues;
  const name = String(issue?.path[0]);
  return refusedParameter(`The parameter ${name} ${issue?.message}.`);
}
