/** The blocks of code of a page, as its source has them, with the marks of those that cannot be run here. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TOP = new URL('../../', import.meta.url);

/** What a reader runs; the other languages are what is printed, or the text of a file. */
export const RUN = ['sh', 'sql', 'js', 'python'];
export const READ = ['json', 'text', 'yaml'];

export interface Block {
  readonly language: string;
  readonly code: string;
  /** Of its first line. */
  readonly line: number;
  /** Why it cannot be run here; null if it can. */
  readonly notRun: string | null;
}

/** Every page with blocks of code that a reader may type, in the order of their names. */
export function pagesWithBlocks(): readonly string[] {
  return [
    'README.md',
    'deploy/README.md',
    ...globSync('docs/{articles,guides}/*.md', { cwd: fileURLToPath(TOP) }),
  ]
    .toSorted()
    .filter((page) => blocksOf(page).length > 0);
}

/** The blocks of a page. A block without a language is a drawing. */
export function blocksOf(page: string): readonly Block[] {
  return blocksIn(readFileSync(new URL(page, TOP), 'utf8'));
}

export function blocksIn(text: string): readonly Block[] {
  const found = text.matchAll(/(?:^<!-- not run: ([^\n]+) -->\n)?^```(\w+)\n(.*?)^```$/gms);
  return [...found].map(({ 1: reason, 2: language = '', 3: code = '', index }) => ({
    language,
    code,
    line: text.slice(0, index).split('\n').length + (reason === undefined ? 1 : 2),
    notRun: reason ?? null,
  }));
}
