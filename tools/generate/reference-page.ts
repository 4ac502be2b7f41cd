/** A generated page of the catalogue: what it is made of, and how it is written. */

/** What every generated page says of itself. */
const ORIGIN = '*Generated from the declarations by `npm run generate`.*';

export interface ReferencePage {
  /** Never that of another article; it stays when pages are added. */
  readonly id: number;
  readonly slug: string;
  readonly theme: string;
  readonly title: string;
  readonly summary: string;
  /** Markdown. */
  readonly body: string;
}

/** Where the page stands, from the top of the repository. */
export function referencePath({ slug }: ReferencePage): string {
  return `docs/reference/${slug}.md`;
}

/** The page as the loader reads it. */
export function referenceText({ body, ...keys }: ReferencePage): string {
  const lines = Object.entries({ ...keys, published: true }).map(([key, value]) => `${key}: ${value}\n`);
  return `---\n${lines.join('')}---\n\n${ORIGIN}\n\n${body.trim()}\n`;
}

/** A table of Markdown; a sign that would end a cell is kept from doing so. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return `${tableLine(header)}|${'---|'.repeat(header.length)}\n${rows.map(tableLine).join('')}`;
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |\n`;
}
