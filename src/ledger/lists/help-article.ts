import type { ClientBase } from 'pg';

/** A help article; the same for every account. */
export interface HelpArticle {
  readonly id: bigint;
  readonly slug: string;
  readonly title: string;
  readonly summary: string | null;
  /** Markdown. */
  readonly body: string;
  /** A reference page made from the program: read at its address, never handed out as text. */
  readonly generated: boolean;
  readonly updated_at: bigint;
}

/** The published article of that id or slug; null when there is none. */
export async function findHelpArticle(
  client: ClientBase,
  named: { readonly id: bigint } | { readonly slug: string },
): Promise<HelpArticle | null> {
  const [column, value] = 'id' in named ? ['id', named.id] : ['slug', named.slug];
  const { rows } = await client.query<HelpArticle>(
    `select id, slug, title, summary, body, generated, updated_at::timestamptz as updated_at
     from ledger.help_articles where published and ${column} = $1`,
    [value],
  );
  return rows[0] ?? null;
}
