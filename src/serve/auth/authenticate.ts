/** Authentication: finds the holder of a request's token, or refuses the request. */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { CrossfootError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import type { TokenHolder } from '../../ledger/tokens.ts';
import { readToken } from './credentials.ts';
import type { SendingBindings } from '../http/transfers.ts';
import { tokenKind } from './token.ts';

/** Looks a token up; null when it is unknown, expired, revoked or its holder has left. */
export type Authenticate = (token: string) => Promise<TokenHolder | null>;

/** The same for the token of a client that a person connected. It opens only the routes that name this look-up. */
export type AuthenticateClient = (token: string) => Promise<Principal | null>;

const noClient: AuthenticateClient = async () => null;

/** The holder of a token; of a client's token, also the consent that gave it. */
type Principal = TokenHolder & { readonly grant_id?: bigint };

/** Variables that the middleware sets for the routes. */
export interface ServeEnv {
  /** From the listener; empty when a test calls the application directly. */
  Bindings: Partial<HttpBindings & SendingBindings>;
  Variables: {
    logger: Logger;
    principal: Principal;
    /** Counts the request for its token; throws when the token's limit is reached. */
    spendToken: (token_id: bigint) => void;
    /** The address of the client, or its network, for which requests are counted. */
    network: string;
  };
}

/**
 * Lets a request pass only with a valid token of an account whose plan includes API access. The plan is checked last, so
 * that a request without a valid token reveals nothing about an account.
 */
export function requireToken(authenticate: Authenticate, authenticateClient: AuthenticateClient = noClient) {
  return createMiddleware<ServeEnv>(async (c, next) => {
    const token = readToken(c.req.header('authorization'));
    if (token === null) throw new CrossfootError('token_refused', 'This route needs an access token.');
    const lookUp = tokenKind(token) === null ? authenticateClient : authenticate;
    const principal = await lookUp(token).catch(unanswered);
    if (principal === null) {
      throw new CrossfootError('token_refused', 'The access token is unknown, expired or no longer valid.');
    }
    acceptHolder(c, principal);
    await next();
    c.res.headers.set('vary', 'Authorization');
  });
}

/** Logs the holder with the request and counts the request for the token; refuses a plan without API access. */
export function acceptHolder(c: Context<ServeEnv>, holder: Principal): void {
  c.set('principal', holder);
  const { account_id: account, token_id, grant_id } = holder;
  c.set('logger', c.var.logger.with({ account, token_id, ...(grant_id !== undefined && { grant_id }) }));
  c.var.spendToken(holder.token_id);
  if (!holder.api_access) {
    throw new CrossfootError('plan_without_api', "The account's plan does not include API access.");
  }
}

/** Lets only personal tokens pass. A reporting token reads the files, and no live figures. */
export const refuseReportingTokens = createMiddleware<ServeEnv>(async (c, next) => {
  if (c.var.principal.kind === 'reporting') {
    throw new CrossfootError('token_of_other_kind', 'A reporting token reads the /reporting routes only.');
  }
  await next();
});

/** Throws for a look-up that failed: it says neither "valid" nor "unknown". */
export function unanswered(cause: unknown): never {
  throw new CrossfootError('token_unchecked', 'The access token could not be looked up.', { cause });
}
