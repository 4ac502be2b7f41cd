/** How many requests a caller may make: by address before anything is looked up, and by token once it is known. */
import { createMiddleware } from 'hono/factory';
import { CrossfootError } from '../../errors.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { networkOf, type Proxies } from '../http/client-address.ts';
import { answerError } from '../http/error-answer.ts';
import { type Allowance, type Spending, WINDOW_SECONDS } from './spending.ts';

/** A wrong token weighs as much as so many requests: whoever guesses is stopped long before who reads. */
const FAILED_POINTS = 20;

export interface LimitParts {
  readonly spending: Spending;
  /** Requests a minute. */
  readonly limits: { readonly address: number; readonly token: number };
  readonly proxies: Pick<Proxies, 'addressOf'>;
}

type Policy = keyof LimitParts['limits'];

const REFUSALS: Readonly<Record<Policy, string>> = {
  address: 'Too many requests from this address.',
  token: 'Too many requests with this access token.',
};

/**
 * Counts each request for its address, and leaves for whoever finds its token what counts it for that. Every answer
 * says what is left, by draft-ietf-httpapi-ratelimit-headers-10; a refusal also says when to come back.
 */
export function limitRequests({ spending, limits, proxies }: LimitParts) {
  return createMiddleware<ServeEnv>(async (c, next) => {
    const told: (Allowance & { readonly policy: Policy })[] = [];
    const take = (policy: Policy, subject: string): CrossfootError | null => {
      const allowance = { policy, ...spending.take(subject, limits[policy]) };
      told.push(allowance);
      return allowance.allowed ? null : new CrossfootError('too_many_requests', REFUSALS[policy]);
    };
    c.set('spendToken', (token_id) => {
      const refusal = take('token', `token:${token_id}`);
      if (refusal !== null) throw refusal;
    });

    const forwarded = c.req.header('x-forwarded-for');
    // Without a socket, as when a test calls the application itself, all requests are one caller's.
    const remote = c.env?.incoming?.socket.remoteAddress;
    const address = `address:${networkOf(proxies.addressOf(remote, forwarded))}`;
    const refusal = take('address', address);
    if (refusal === null) await next();
    else c.res = answerError(refusal);

    if (c.res.status === 401) spending.charge(address, FAILED_POINTS - 1);
    c.res.headers.set(
      'ratelimit-policy',
      told.map(({ policy }) => `"${policy}";q=${limits[policy]};w=${WINDOW_SECONDS}`).join(', '),
    );
    c.res.headers.set(
      'ratelimit',
      told.map(({ policy, remaining, seconds }) => `"${policy}";r=${remaining};t=${seconds}`).join(', '),
    );
    const refused = told.find(({ allowed }) => !allowed);
    if (refused !== undefined) c.res.headers.set('retry-after', String(refused.seconds));
  });
}
