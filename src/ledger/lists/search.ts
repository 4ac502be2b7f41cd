/** Search over an account and the catalogue. It finds words, beginnings of words and misspellings; best match first. */
import type { InferResult, NotNull } from 'kysely';
import type { ClientBase } from 'pg';
import { call, db, readRows } from '../../database/query.ts';
import { CrossfootError } from '../../errors.ts';

/** The kinds of records that search finds. */
export const SEARCH_TYPES = [
  'initiative',
  'page',
  'metric',
  'connection',
  'platform',
  'vendor',
  'person',
  'template',
  'article',
  'assessment',
] as const;

export type SearchType = (typeof SEARCH_TYPES)[number];

export interface SearchQuestion {
  readonly query: string;
  /** Null for every type. */
  readonly types: readonly SearchType[] | null;
  readonly limit: number;
}

/**
 * A hit. `id` is a platform's key, or a number as text for other records; `detail` has at most 300 characters. `path` is
 * its page below the application's address (for an article, below this server's), or null if it has no page. A higher
 * `score` is better; schema/ledger/0015-search.sql defines it.
 */
export type SearchHit = InferResult<ReturnType<typeof hits>>[number];

/** The length of a query in characters. One letter would match nearly everything; no title is longer than 200. */
export const QUERY_LENGTH = { least: 2, most: 200 } as const;

/** Searches the session's account and the shared catalogue: at most `limit` hits. Throws if the query is too short or long. */
export async function searchAccount(
  client: ClientBase,
  { query, types, limit }: SearchQuestion,
): Promise<readonly SearchHit[]> {
  // PostgreSQL allows no NUL in text.
  const asked = query.replaceAll('\0', ' ').trim();
  if (asked.length < QUERY_LENGTH.least || asked.length > QUERY_LENGTH.most) {
    throw new CrossfootError(
      'parameter_refused',
      `The parameter query must have ${QUERY_LENGTH.least} to ${QUERY_LENGTH.most} characters, not counting white space around it.`,
    );
  }
  return await readRows(client, hits(asked, types ?? SEARCH_TYPES, limit));
}

function hits(query: string, types: readonly SearchType[], limit: number) {
  return db
    .selectFrom(call('service.search', query, types, limit).as('hit'))
    .select(['type', 'id', 'title', 'detail', 'path', 'score'])
    .$narrowType<{ type: SearchType; id: NotNull; title: NotNull; score: NotNull }>();
}
