/** A safety rule taken out of the program: which rule it is, what is written in its place, and which tests must notice. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top of the repository. */
export const TOP = fileURLToPath(new URL('../../', import.meta.url));

export interface Edit {
  /** From the top of the repository. */
  readonly file: string;
  /** Whole lines, but for the first one's indentation; they stand in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

interface Rule {
  /** The rule, and where it stands. */
  readonly rule: string;
  /** Test files, from the top; none where only schedules notice it. */
  readonly caughtBy?: readonly string[];
  /** How many schedules of `npm run chaos` notice it: a rule that only the order of several actors can break. */
  readonly schedules?: number;
  /** Which of the pull programs the tests are to run, where it is not `node`. */
  readonly program?: 'python';
}

/** Rules by name; a rule that stands in several places has several edits, applied in their order. */
export type Mutants = Readonly<Record<string, Rule & (Edit | { readonly edits: readonly Edit[] })>>;

export interface Mutant extends Rule {
  readonly name: string;
  readonly edits: readonly Edit[];
}

/** The mutants of a room in one form. */
export function namedMutants(room: Mutants): readonly Mutant[] {
  return Object.entries(room).map(([name, mutant]) => ({
    ...mutant,
    name,
    edits: 'edits' in mutant ? mutant.edits : [mutant],
  }));
}

/** What its files say with the rule taken out, by path; null when a text to replace is gone or stands there twice. */
export function mutate(top: string, { edits }: Mutant): ReadonlyMap<string, string> | null {
  const texts = new Map<string, string>();
  for (const { file, find, replace } of edits) {
    const path = join(top, file);
    const parts = (texts.get(file) ?? (existsSync(path) ? readFileSync(path, 'utf8') : '')).split(find);
    if (parts.length !== 2) return null;
    texts.set(file, parts.join(replace));
  }
  return texts;
}

/** Writes these texts below `top`; gives what puts the old ones back. */
export function writeTexts(top: string, texts: ReadonlyMap<string, string>): () => void {
  const paths = [...texts.keys()].map((file) => join(top, file));
  const before = paths.map((path) => readFileSync(path));
  for (const [file, text] of texts) writeFileSync(join(top, file), text);
  return () => before.forEach((bytes, index) => writeFileSync(paths[index] ?? '', bytes));
}
