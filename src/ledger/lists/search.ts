/** Search over an account and the catalogue: by word, by the beginning of a word, by misspelling; the best first. */
import type { InferResult, NotNull } from 'kysely';
import type { ClientBase } from 'pg';
import { call, db, readRows } from '../../database/query.ts';
import { CrossfootError } from '../../errors.ts';

/** What can be found. */
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
 * A hit. Its `id` is a platform's key, and a number in digits for everything else; `detail` has at most 300 characters;
 * `path` is its page below the application's address, an article's below this server's, null where it has none of its own.
 * A higher `score` is better: schema/ledger/0015-search.sql defines it.
 */
export type SearchHit = InferResult<ReturnType<typeof hits>>[number];

/** Of characters: one letter would find nearly everything, and no title is longer. */
export const QUERY_LENGTH = { least: 2, most: 200 } as const;

/** What the account of the session has and every account is handed out, at most `limit` of it; refuses what is too short or long. */
export async function searchAccount(
  client: ClientBase,
  { query, types, limit }: SearchQuestion,
): Promise<readonly SearchHit[]> {
  // PostgreSQL takes no NUL in a text.
  const asked = query.replaceAll('\0', ' ').trim();
  if (asked.length < QUERY_LENGTH.least || asked.length > QUERY_LENGTH.most) {
    throw new CrossfootError(
      'parameter_refused',
      `The parameter query must have ${QUERY_LENGTH.least} to ${QUERY_LENGTH.most} characters, blanks around it not counted.`,
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
