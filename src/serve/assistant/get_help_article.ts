import { z } from '@hono/zod-openapi';
import { CrossfootError } from '../../errors.ts';
import { findHelpArticle } from '../../ledger/lists/help-article.ts';
import { integer, text, timestamp } from '../contract/shapes.ts';
import { instant, exactNumber } from '../contract/shown.ts';
import { id } from './inputs.ts';
import { defineTool, TOOL_TIMEOUT_MS } from './tool.ts';

// About twenty printed pages: an article for people is shorter.
const LONGEST_BODY = 40_000;

const output = z.strictObject({
  id: integer('The article.'),
  slug: text('Its name in addresses.'),
  title: text('Its title.'),
  body: text('The article, as Markdown.'),
  cut_characters: integer('How many characters were cut at the end; 0 when the text is complete.'),
  updated_at: timestamp('Last changed.'),
  url: text('The same article as a page.'),
});

/** A help article, the same for every account. */
export const get_help_article = defineTool({
  name: 'get_help_article',
  title: 'Help article',
  description:
    'Use this to read how the product works or how something is done with it, before explaining it: what a figure means, how value is approved, how months are locked, how to load the tables. ' +
    'Takes exactly one of slug and id, both of which search gives with types ["article"]. ' +
    'Of a generated reference page it gives the address.',
  staysLive: true,
  input: z.strictObject({
    slug: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'The name of the article in addresses.' }),
    id: id.optional().meta({ description: 'The id of the article.' }),
  }),
  output,
  async answer({ inAccount, docsUrl }, { slug, id: requested_id }, { account_id }) {
    const named = nameOf(slug, requested_id);
    const session = { account_id, timeout_ms: TOOL_TIMEOUT_MS };
    const article = await inAccount(session, (client) => findHelpArticle(client, named));
    if (article === null) {
      throw new CrossfootError(
        'not_found',
        'There is no published help article of that name; use search with types ["article"] to find one.',
      );
    }
    const url = `${docsUrl()}/${article.slug}`;
    if (article.generated) {
      throw new CrossfootError('not_found', `This article is a generated reference page. Open it at ${url}.`);
    }
    const body = article.body.slice(0, LONGEST_BODY);
    return {
      id: exactNumber(article.id),
      slug: article.slug,
      title: article.title,
      body,
      cut_characters: article.body.length - body.length,
      updated_at: instant(article.updated_at),
      url,
    };
  },
  tell: ({ title, body, cut_characters, url }) =>
    [
      `# ${title}`,
      body,
      ...(cut_characters === 0 ? [] : [`(${cut_characters} more characters are on the page.)`]),
      `Page: ${url}`,
    ].join('\n\n'),
});

function nameOf(
  slug: string | undefined,
  requested_id: number | undefined,
): { slug: string } | { id: bigint } {
  if (slug !== undefined && requested_id === undefined) return { slug };
  if (slug === undefined && requested_id !== undefined) return { id: BigInt(requested_id) };
  throw new CrossfootError('parameter_refused', 'Give exactly one of slug and id.');
}
