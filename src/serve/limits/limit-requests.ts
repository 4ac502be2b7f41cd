/** Limits requests: by address before any look-up, and by token once the token is known. */
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { CrossfootError } from '../../errors.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { SIGN_IN_PATH } from '../auth/credentials.ts';
import { networkOf, type Proxies } from '../http/client-address.ts';
import { answerError } from '../http/error-answer.ts';
import { type Allowance, type RateLimiter, WINDOW_SECONDS } from './rate-limiter.ts';

/** A wrong token costs as many points as this many requests: guessing is stopped long before reading is. */
const FAILED_POINTS = 20;

export interface LimitParts {
  readonly rateLimiter: RateLimiter;
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
 * Whether the request names a token, in a header or in the form of the sign-in page. Programs with a password ask without
 * one first, and wait for the challenge: that is no guess.
 */
function namesToken(c: Context): boolean {
  return (c.req.header('authorization') ?? '') !== '' || c.req.path === SIGN_IN_PATH;
}

/**
 * Counts each request for its address, and provides `spendToken` to count it for its token. Every answer states the rest
 * of the limit, by draft-ietf-httpapi-ratelimit-headers-10; a refusal also says when to try again.
 */
export function limitRequests({ rateLimiter, limits, proxies }: LimitParts) {
  return createMiddleware<ServeEnv>(async (c, next) => {
    const allowances: (Allowance & { readonly policy: Policy })[] = [];
    const take = (policy: Policy, subject: string): CrossfootError | null => {
      const allowance = { policy, ...rateLimiter.take(subject, limits[policy]) };
      allowances.push(allowance);
      return allowance.allowed ? null : new CrossfootError('too_many_requests', REFUSALS[policy]);
    };
    c.set('spendToken', (token_id) => {
      const refusal = take('token', `token:${token_id}`);
      if (refusal !== null) throw refusal;
    });

    const forwarded = c.req.header('x-forwarded-for');
    // Without a socket, as when a test calls the application directly, all requests count for one address.
    const remote = c.env?.incoming?.socket.remoteAddress;
    const network = networkOf(proxies.addressOf(remote, forwarded));
    c.set('network', network);
    const address = `address:${network}`;
    const refusal = take('address', address);
    if (refusal === null) await next();
    else c.res = answerError(refusal);

    if (c.res.status === 401 && namesToken(c)) rateLimiter.charge(address, FAILED_POINTS - 1);
    c.res.headers.set(
      'ratelimit-policy',
      allowances.map(({ policy }) => `"${policy}";q=${limits[policy]};w=${WINDOW_SECONDS}`).join(', '),
    );
    c.res.headers.set(
      'ratelimit',
      allowances
        .map(({ policy, remaining, seconds }) => `"${policy}";r=${remaining};t=${seconds}`)
        .join(', '),
    );
    const refused = allowances.find(({ allowed }) => !allowed);
    if (refused !== undefined) c.res.headers.set('retry-after', String(refused.seconds));
  });
}
