/** The help articles for the pages at `/docs`: the same for every account, so no account is set. */
import type { InferResult } from 'kysely';
import type { Pool } from 'pg';
import { db, readRows } from '../../database/query.ts';
import { CrossfootError } from '../../errors.ts';

const ARTICLES = db
  .selectFrom('ledger.help_articles')
  .select(['slug', 'theme', 'title', 'summary', 'body', 'generated'])
  .where('published', '=', true)
  .orderBy('id');

/** An article, its `body` in Markdown. */
export type HelpArticle = Readonly<InferResult<typeof ARTICLES>[number]>;

// One small table, read whole. A database that needs longer is treated as unreachable.
const READ_LIMIT_MS = 3_000;

/** All published articles, including the generated pages, by ascending id. */
export async function readHelpArticles(pool: Pool): Promise<readonly HelpArticle[]> {
  try {
    return await readRows(pool, ARTICLES, READ_LIMIT_MS);
  } catch (cause) {
    throw new CrossfootError(
      'database_unreachable',
      'Could not read the articles from the ledger database.',
      { cause },
    );
  }
}
