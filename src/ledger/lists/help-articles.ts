/** The help articles as people read them: the same for every account, and so read without one. */
import type { ClientConfig, Pool, QueryConfig } from 'pg';
import { CrossfootError } from '../../errors.ts';

export interface HelpArticle {
  readonly slug: string;
  readonly theme: string | null;
  readonly title: string;
  readonly summary: string | null;
  /** Markdown. */
  readonly body: string;
}

// One small table, read whole: what takes longer than this is a database that is not there for us.
const READ_LIMIT_MS = 3_000;

/** Every published article, the generated pages among them, in the order of their ids. */
export async function readHelpArticles(pool: Pool): Promise<readonly HelpArticle[]> {
  const question: ClientConfig & QueryConfig = {
    text: 'select slug, theme, title, summary, body from ledger.help_articles where published order by id',
    query_timeout: READ_LIMIT_MS,
  };
  try {
    return (await pool.query<HelpArticle>(question)).rows;
  } catch (cause) {
    throw new CrossfootError('database_unreachable', 'The ledger did not give its articles.', { cause });
  }
}
