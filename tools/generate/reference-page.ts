/** A generated reference page: its parts, and its text as a Markdown file. */

/** The first line of the text of every generated page. */
const ORIGIN = '*Generated from the declarations by `npm run generate`.*';

export interface ReferencePage {
  /** The id of no other article; it never changes, also when pages are added. */
  readonly id: number;
  readonly slug: string;
  readonly theme: string;
  readonly title: string;
  readonly summary: string;
  /** Markdown. */
  readonly body: string;
}

/** The path of the page, from the top of the repository. */
export function referencePath({ slug }: ReferencePage): string {
  return `docs/reference/${slug}.md`;
}

/** The text of the file: front matter that `load` reads, then the body. */
export function referenceText({ body, ...keys }: ReferencePage): string {
  const lines = Object.entries({ ...keys, published: true }).map(([key, value]) => `${key}: ${value}\n`);
  return `---\n${lines.join('')}---\n\n${ORIGIN}\n\n${body.trim()}\n`;
}

/** A table in Markdown; a `|` in a cell is escaped. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return `${tableLine(header)}|${'---|'.repeat(header.length)}\n${rows.map(tableLine).join('')}`;
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |\n`;
}
