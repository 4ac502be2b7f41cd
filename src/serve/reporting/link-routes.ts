/** Links: addresses of single files for readers that send no Authorization, made for the holder of a token. */
import { OpenAPIHono } from '@hono/zod-openapi';
import { createMiddleware } from 'hono/factory';
import { CrossfootError } from '../../errors.ts';
import type { TokenHolder } from '../../ledger/tokens.ts';
import { formatInstant } from '../../time.ts';
import { acceptHolder, requireToken, type ServeEnv } from '../auth/authenticate.ts';
import { linksRoute } from '../contract/links.ts';
import { readToken } from '../auth/credentials.ts';
import { answerJson } from '../http/json-answer.ts';
import type { Grant, LinkGrants } from './link-grants.ts';
import { acceptNoParameters } from '../http/parameters.ts';
import { answerTable, pinned, type ReportingParts, snapshotHeaders } from './reporting-routes.ts';
import { CACHE_LATEST } from './table-file.ts';
import { tokenDigest } from '../auth/token.ts';

/** Long enough for a scan of a large file in many ranges, short enough to be found in nobody's history. */
const GOOD_FOR_MICROSECONDS = 3_600_000_000n;

export interface LinkParts extends ReportingParts {
  readonly linkGrants: LinkGrants;
  /** The holder of the token with this SHA-256, while it may be used; null afterwards. */
  readonly findHolder: (sha256: Uint8Array) => Promise<TokenHolder | null>;
  /** Microseconds since 1970. */
  readonly now: () => bigint;
}

const FILE = ':table{[a-z_]+\\.parquet}' as const;

/** The route that makes links, and the one that they lead to. */
export function linkRoutes(parts: LinkParts): OpenAPIHono<ServeEnv> {
  const { authenticate, snapshots, linkGrants, baseUrl, now } = parts;
  const routes = new OpenAPIHono<ServeEnv>();
  const middleware = [requireToken(authenticate), acceptNoParameters];

  routes.openapi({ ...linksRoute, path: `/v1${linksRoute.path}`, middleware }, async (c) => {
    const snapshot = await pinned(snapshots, c, c.req.valid('param').snapshot_id);
    const { snapshot_id, tables } = snapshot;
    c.set('logger', c.var.logger.with({ snapshot: snapshot_id }));
    const { account_id } = c.var.principal;
    const token_sha256 = tokenDigest(readToken(c.req.header('authorization')) ?? ''); // the guard has seen it
    const expires_at = now() + GOOD_FOR_MICROSECONDS;
    const links = tables.map(({ name, size_bytes, sha256 }) => {
      const grant = linkGrants.seal({ account_id, snapshot_id, table: name, token_sha256, expires_at });
      const url = `${baseUrl().replace(/\/v1$/, '')}/links/${grant}/${name}.parquet`;
      return { name, size_bytes, sha256, url };
    });
    const body = { snapshot_id, expires_at: formatInstant(expires_at), links };
    return answerJson(c, body, { 'cache-control': 'private, no-store', 'x-snapshot-id': snapshot_id });
  });

  routes.get(`/links/:grant/${FILE}`, withoutReferrer, acceptNoParameters, async (c) => {
    const name = c.req.param('table');
    const grant = await openGrant(parts, c.req.param('grant'), name);
    acceptHolder(c, grant.holder);
    const snapshot = await pinned(snapshots, c, grant.snapshot_id);
    // Whoever keeps the file may not read it again once the link is dead.
    const headers = { 'cache-control': CACHE_LATEST, ...snapshotHeaders(snapshot, baseUrl()) };
    return await answerTable(c, snapshots, snapshot, name, headers);
  });
  return routes;
}

/**
 * What was granted, and the holder of the token it was made for: what that may no longer read, no link of it reads
 * either. What we never sealed is 404; what was good once is 410, so that its reader asks for another.
 */
async function openGrant(
  { linkGrants, findHolder, now }: LinkParts,
  sealed: string,
  name: string,
): Promise<Grant & { readonly holder: TokenHolder }> {
  const grant = linkGrants.open(sealed, name.replace(/\.parquet$/, ''));
  if (grant === null) throw new CrossfootError('not_found', 'There is no such link.');
  if (grant.expires_at <= now()) {
    throw new CrossfootError('link_expired', 'This link has expired; ask for a new one with the token.');
  }
  const holder = await findHolder(grant.token_sha256).catch((cause: unknown) => {
    throw new CrossfootError('token_unchecked', 'The token of a link could not be looked up.', { cause });
  });
  if (holder === null || holder.account_id !== grant.account_id) {
    throw new CrossfootError('link_expired', 'The token that this link was made with is no longer valid.');
  }
  return { ...grant, holder };
}

/** Its address is all that a link asks for: no page that shows one tells another site of it. */
const withoutReferrer = createMiddleware(async (c, next) => {
  await next();
  c.res.headers.set('referrer-policy', 'no-referrer');
});
