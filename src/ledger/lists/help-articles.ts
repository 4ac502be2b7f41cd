/** The help articles as people read them: the same for every account, and so read without one. */
import type { InferResult } from 'kysely';
import type { Pool } from 'pg';
import { db, readRows } from '../../database/query.ts';
import { CrossfootError } from '../../errors.ts';

const ARTICLES = db
  .selectFrom('ledger.help_articles')
  .select(['slug', 'theme', 'title', 'summary', 'body'])
  .where('published', '=', true)
  .orderBy('id');

/** An article, its `body` in Markdown. */
export type HelpArticle = Readonly<InferResult<typeof ARTICLES>[number]>;

// One small table, read whole: what takes longer than this is a database that is not there for us.
const READ_LIMIT_MS = 3_000;

/** Every published article, the generated pages among them, in the order of their ids. */
export async function readHelpArticles(pool: Pool): Promise<readonly HelpArticle[]> {
  try {
    return await readRows(pool, ARTICLES, READ_LIMIT_MS);
  } catch (cause) {
    throw new CrossfootError('database_unreachable', 'The ledger did not give its articles.', { cause });
  }
}
