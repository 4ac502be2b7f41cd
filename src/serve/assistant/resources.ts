/** What a client can attach to a conversation: the schema of the tables, the help articles and the glossary. */
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import type { ToolParts } from './tool.ts';

type ResourceParts = Pick<ToolParts, 'articles' | 'schema'>;

const MARKDOWN = 'text/markdown';
const GLOSSARY = 'glossary';

/** Adds the resources to a server. They are the same for every account. */
export function registerResources(server: McpServer, { articles, schema }: ResourceParts): void {
  // Generated reference pages are left out: get_help_article does not return their text either.
  const readable = async () => (await articles()).filter(({ generated }) => !generated);
  const readArticle = async (uri: URL, wanted: string) => {
    const article = (await readable()).find(({ slug }) => slug === wanted);
    if (article === undefined) throw new ResourceNotFoundError(uri.href);
    return {
      contents: [{ uri: uri.href, mimeType: MARKDOWN, text: `# ${article.title}\n\n${article.body}` }],
    };
  };
  server.registerResource(
    'schema',
    'crossfoot://schema',
    {
      title: 'Reporting tables',
      description: 'Every table and column of the reporting snapshots, with its type and meaning.',
      mimeType: 'application/json',
    },
    (uri) => ({
      contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(schema) }],
    }),
  );
  server.registerResource(
    GLOSSARY,
    'crossfoot://glossary',
    {
      title: 'Glossary',
      description: 'The words of the figures: cash value, freed capacity, window, snapshot and others.',
      mimeType: MARKDOWN,
    },
    (uri) => readArticle(uri, GLOSSARY),
  );
  server.registerResource(
    'articles',
    new ResourceTemplate('crossfoot://articles/{slug}', {
      list: async () => ({
        resources: (await readable()).map(({ slug, title, summary }) => ({
          uri: `crossfoot://articles/${slug}`,
          name: slug,
          title,
          ...(summary === null ? {} : { description: summary }),
          mimeType: MARKDOWN,
        })),
      }),
      complete: {
        slug: async (begun) =>
          (await readable()).map(({ slug }) => slug).filter((slug) => slug.startsWith(begun)),
      },
    }),
    { title: 'Help articles', description: 'How the product works, by the name of the article.' },
    (uri, { slug }) => readArticle(uri, String(slug)),
  );
}
