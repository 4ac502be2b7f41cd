import type { InferResult } from 'kysely';
import type { ClientBase } from 'pg';
import { db, readFirst } from '../../database/query.ts';

const ARTICLES = db
  .selectFrom('ledger.help_articles')
  .select(['id', 'slug', 'title', 'summary', 'body', 'generated', 'updated_at'])
  .where('published', '=', true);

/**
 * A help article, the same for every account. Its `body` is Markdown. A `generated` article is a reference page made from
 * the program: it is served at its address, but the assistant does not return its text.
 */
export type HelpArticle = InferResult<typeof ARTICLES>[number];

/** The published article of that id or slug; null if there is none. */
export async function findHelpArticle(
  client: ClientBase,
  named: { readonly id: bigint } | { readonly slug: string },
): Promise<HelpArticle | null> {
  // PostgreSQL allows no NUL in text.
  if ('slug' in named && named.slug.includes('\0')) return null;
  const question =
    'id' in named ? ARTICLES.where('id', '=', named.id) : ARTICLES.where('slug', '=', named.slug);
  return await readFirst(client, question);
}
