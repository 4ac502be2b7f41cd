import { createMiddleware } from 'hono/factory';
import { CrossfootError } from '../errors.ts';

/** Refuses any query parameter, naming the first: a misspelt one must not be answered as if it were not there. */
export const acceptNoParameters = createMiddleware(async (c, next) => {
  const [name] = new URL(c.req.url).searchParams.keys();
  if (name !== undefined) {
    const message = `This route does not accept the parameter ${JSON.stringify(name)}.`;
    throw new CrossfootError('parameter_refused', message);
  }
  await next();
});
