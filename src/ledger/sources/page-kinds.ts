/** The Markdown folders that can be loaded, and which part of a page goes into which column. */

/** The source of a cell: a key of the front matter, the whole text, a constant, or a section of the text. */
export type PagePart =
  | { readonly key: string }
  | { readonly body: true }
  | { readonly always: string }
  | { readonly section: string; readonly as?: 'code' };

/** The rows that a page creates in one table. */
export interface PageTable {
  readonly table: string;
  readonly columns: Readonly<Record<string, PagePart>>;
  /** A page creates one row for each comma-separated part of this column's value, and no row if the value is missing. */
  readonly each?: string;
  /** A page creates no row if it lacks all these keys and sections. Without `needsOneOf`, every page creates its rows. */
  readonly needsOneOf?: readonly string[];
}

export interface PageKind {
  readonly folder: string;
  /** Keys that every page must have. */
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** The key whose value must be the name of the file, so that a link to the file leads to the row. */
  readonly named?: string;
  /** Null: the text has no sections. */
  readonly sections: readonly string[] | null;
  readonly tables: readonly PageTable[];
}

const BODY: PagePart = { body: true };
const ARTICLE = ['id', 'slug', 'theme', 'title', 'summary', 'published'];
const GUIDE = ['connection_method', 'credential_location', 'page_path', 'source_url', 'checked_on'];

function keys(...names: readonly string[]): Readonly<Record<string, PagePart>> {
  return Object.fromEntries(names.map((name) => [name, { key: name }]));
}

function article(folder: string, generated: boolean): PageKind {
  return {
    folder,
    required: ARTICLE,
    optional: [],
    named: 'slug',
    sections: null,
    tables: [
      {
        table: 'help_articles',
        columns: { ...keys(...ARTICLE), generated: { always: String(generated) }, body: BODY },
      },
    ],
  };
}

export const PAGE_KINDS: readonly PageKind[] = [
  article('articles', false),
  // `npm run generate` makes these pages. A page counts as generated if it is in this folder.
  article('reference', true),
  {
    // A page may describe a platform without a guide: it then creates no row of `platform_guides`.
    folder: 'guides',
    required: ['key', 'name', 'category'],
    optional: ['auth_type', 'metric_categories', ...GUIDE],
    named: 'key',
    sections: ['Steps', 'Setup script', 'Tips'],
    tables: [
      { table: 'platforms', columns: keys('key', 'name', 'category', 'auth_type') },
      {
        table: 'platform_metric_categories',
        columns: { platform_key: { key: 'key' }, category: { key: 'metric_categories' } },
        each: 'category',
      },
      {
        table: 'platform_guides',
        columns: {
          platform_key: { key: 'key' },
          ...keys(...GUIDE),
          steps: { section: 'Steps' },
          setup_script: { section: 'Setup script', as: 'code' },
          tips: { section: 'Tips' },
        },
        needsOneOf: [...GUIDE, 'Steps', 'Setup script', 'Tips'],
      },
    ],
  },
  {
    folder: 'pages',
    required: ['id', 'path', 'title'],
    optional: [],
    sections: null,
    tables: [{ table: 'application_pages', columns: { ...keys('id', 'path', 'title'), description: BODY } }],
  },
  {
    folder: 'templates',
    required: ['id', 'key', 'title'],
    optional: ['category'],
    named: 'key',
    sections: null,
    tables: [
      {
        table: 'initiative_templates',
        columns: { ...keys('id', 'key', 'title', 'category'), description: BODY },
      },
    ],
  },
];
