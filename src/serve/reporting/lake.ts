/**
 * The whole set as a DuckLake catalogue, which DuckDB attaches with one statement: each snapshot is a version of all tables. It
 * names files and holds none. Its own address answers with another catalogue after each night.
 */
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { CrossfootError } from '../../errors.ts';
import type { CatalogueForm } from '../../lake/catalogue-file.ts';
import type { AskedCatalogue, Catalogues } from '../../lake/catalogues.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { readToken } from '../auth/credentials.ts';
import { tokenDigest } from '../auth/token.ts';
import { defineRoute } from '../contract/define-route.ts';
import { notFound } from '../contract/refusals.ts';
import { accountOf, behindLog, behindLogShape, UNBUILT } from './chosen-snapshot.ts';
import { GOOD_FOR_MICROSECONDS, linkUrl, type LinksParts } from './links.ts';
import { answerTableFile, CACHE_LATEST } from './table-file.ts';
import { text } from '../contract/shapes.ts';

export interface LakeParts extends LinksParts {
  readonly catalogues: Catalogues;
}

const TYPES = {
  ducklake: 'application/vnd.duckdb',
  sqlite: 'application/vnd.sqlite3',
} as const satisfies Readonly<Record<CatalogueForm, string>>;

/** Links work without a token. */
const SECRET = 'private, no-store, no-transform';

/** The catalogue as a DuckDB file. */
export const lakeDucklake = defineRoute(
  {
    path: '/reporting/lake/1.0.ducklake',
    operationId: 'get_lake_ducklake',
    summary:
      'All snapshots as a DuckLake catalogue, format 1.0, which DuckDB attaches; each is a version of all tables.',
    tags: ['Reporting'],
    request: {
      query: z.strictObject({
        links: z
          .enum(['true', 'false'], { error: 'must be true or false' })
          .meta({
            description:
              'With `true` the catalogue names the files by links, which work for one to two hours without a token. Without it, a reader sends its token for each file.',
          })
          .optional(),
      }),
    },
    responses: responsesOf('ducklake'),
  },
  (parts: LakeParts) => async (c) =>
    await answerCatalogue(c, parts, 'ducklake', c.req.valid('query').links === 'true'),
);

/** The same catalogue as a SQLite file, for clients without DuckDB. */
export const lakeSqlite = defineRoute(
  {
    path: '/reporting/lake/1.0.sqlite',
    operationId: 'get_lake_sqlite',
    summary:
      'The same catalogue as a SQLite file, always with links, which work for one to two hours without a token.',
    tags: ['Reporting'],
    request: {
      query: z.strictObject({
        links: z
          .enum(['true'], { error: 'must be true: this catalogue always has links' })
          .meta({ description: 'Changes nothing: this catalogue always has links.' })
          .optional(),
      }),
    },
    responses: responsesOf('sqlite'),
  },
  (parts: LakeParts) => async (c) => await answerCatalogue(c, parts, 'sqlite', true),
);

async function answerCatalogue(
  c: Context<ServeEnv>,
  parts: LakeParts,
  form: CatalogueForm,
  hasLinks: boolean,
): Promise<Response> {
  const asked = { account_id: accountOf(c), form, base_url: parts.baseUrl() };
  const catalogue = await parts.catalogues.get(hasLinks ? { ...asked, links: linksOf(c, parts) } : asked);
  if (catalogue === null) throw new CrossfootError('not_found', UNBUILT);
  const { bytes, sha256 } = catalogue;
  const answer = await answerTableFile(c, {
    table: { name: 'lake', size_bytes: bytes.length, sha256 },
    headers: { 'cache-control': hasLinks ? SECRET : CACHE_LATEST, ...(await behindLog(parts, c)) },
    moves: true,
    open: async ({ from, to }) => bytes.subarray(from, to + 1),
    other: { file_name: `crossfoot-1.0.${form}`, type: TYPES[form] },
  });
  // DuckDB asks for ranges of a file whose length it knows, and reads any other file whole. Ranges of this address could be of
  // two catalogues.
  if (c.req.method === 'HEAD' && !answer.headers.has('accept-ranges'))
    answer.headers.delete('content-length');
  return answer;
}

/** Links that begin with an hour: all requests of a token within it get the same. */
function linksOf(c: Context<ServeEnv>, parts: LakeParts): NonNullable<AskedCatalogue['links']> {
  const now = parts.now();
  const expires_at = now - (now % GOOD_FOR_MICROSECONDS) + 2n * GOOD_FOR_MICROSECONDS;
  const token = tokenDigest(readToken(c.req.header('authorization')) ?? ''); // the guard has checked that there is a token
  return {
    key: `${Buffer.from(token).toString('hex')} ${expires_at}`,
    addressOf: (snapshot_id, table) => linkUrl(parts, c, { snapshot_id, table, expires_at }),
  };
}

function responsesOf(form: CatalogueForm) {
  const headers = z.object({
    etag: text('Identifies the catalogue; a range needs this tag in If-Range or If-Match.'),
    ...behindLogShape,
  });
  const content = { [TYPES[form]]: { schema: z.string().openapi({ format: 'binary' }) } };
  return {
    200: { description: 'The catalogue. HEAD does not state its length.', headers, content },
    206: {
      description: 'The requested range of the catalogue that If-Range or If-Match names.',
      headers,
      content,
    },
    404: notFound('There is no snapshot of this account yet.', UNBUILT),
  };
}
