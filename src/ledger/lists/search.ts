/** Search over an account and the catalogue: by word, by the beginning of a word, by misspelling; the best first. */
import type { ClientBase } from 'pg';
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

export interface SearchHit {
  readonly type: SearchType;
  /** A platform's key; a number in digits for everything else. */
  readonly id: string;
  readonly title: string;
  /** At most 300 characters. */
  readonly detail: string | null;
  /** Its page, below the application's address; an article's is below this server's. Null where it has none of its own. */
  readonly path: string | null;
  /** Higher is better; schema/ledger/0015-search.sql defines the score. */
  readonly score: number;
}

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
  const { rows } = await client.query<SearchHit>(
    'select type, id, title, detail, path, score from service.search($1, $2, $3)',
    [asked, types ?? SEARCH_TYPES, limit],
  );
  return rows;
}
