/** Reads a link: one table of one snapshot, without a token. The route is outside `/v1` and its contract. */
import { z } from '@hono/zod-openapi';
import { createMiddleware } from 'hono/factory';
import { CrossfootError } from '../../errors.ts';
import { sharedTables } from '../../snapshot/format/manifest.ts';
import type { TokenHolder } from '../../ledger/tokens.ts';
import { acceptHolder } from '../auth/authenticate.ts';
import { defineRoute } from '../contract/define-route.ts';
import { text } from '../contract/shapes.ts';
import { pinned, snapshotHeaders } from './chosen-snapshot.ts';
import type { Grant } from './link-grants.ts';
import type { LinksParts } from './links.ts';
import { CACHE_LATEST } from './table-file.ts';
import { fileName } from './table-parameter.ts';
import { answerParquet } from './table-parquet.ts';

export interface LinkedTableParts extends LinksParts {
  /** The holder of the token with this SHA-256; null if the token is unknown or no longer valid. */
  readonly findHolder: (sha256: Uint8Array) => Promise<TokenHolder | null>;
}

/** The address alone gives access, so no page may pass it on as a referrer. */
export const withoutReferrer = createMiddleware(async (c, next) => {
  await next();
  c.res.headers.set('referrer-policy', 'no-referrer');
});

/** The file of the table. */
export const linkedTable = defineRoute(
  {
    path: '/links/{grant}/{table}.parquet',
    summary: 'A table by a link that `/links` handed out.',
    middleware: withoutReferrer,
    security: [],
    request: { params: z.object({ grant: text('What was granted, sealed.'), table: fileName }) },
    responses: { 200: { description: 'The file.' } },
  },
  (parts: LinkedTableParts) => async (c) => {
    const { grant: sealed, table: name } = c.req.valid('param');
    const grant = await openGrant(parts, sealed, name);
    acceptHolder(c, grant.holder);
    const snapshot = await pinned(parts, c, grant.snapshot_id);
    // Caches must revalidate, so that an expired link gives no file from a cache.
    const headers = { 'cache-control': CACHE_LATEST, ...snapshotHeaders(parts, snapshot) };
    return await answerParquet(c, parts, snapshot, name, { headers, moves: false, tablesOf: sharedTables });
  },
);

/**
 * The grant of a link, and the holder of its token. A link works only as long as its token could read the table. An
 * address that was never a link gives 404. An expired link gives 410, so that the reader requests a new one.
 */
export async function openGrant(
  { linkGrants, findHolder, now }: LinkedTableParts,
  sealed: string,
  name: string,
): Promise<Grant & { readonly holder: TokenHolder }> {
  const grant = linkGrants.open(sealed, name);
  if (grant === null) throw new CrossfootError('not_found', 'There is no such link.');
  if (grant.expires_at <= now()) {
    throw new CrossfootError('link_expired', 'This link has expired; request new links with the token.');
  }
  const holder = await findHolder(grant.token_sha256).catch((cause: unknown) => {
    throw new CrossfootError('token_unchecked', 'The token of a link could not be looked up.', { cause });
  });
  if (holder === null || holder.account_id !== grant.account_id) {
    throw new CrossfootError('link_expired', 'The token that this link was made with is no longer valid.');
  }
  return { ...grant, holder };
}
