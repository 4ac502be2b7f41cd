/**
 * The SQL scripts of `schema/audit` and `schema/diff`. A name says what a script does: `NN-view-…` makes views and tables,
 * `NN-check-…` returns findings, `NN-list-…` returns rows, `NN-write-…` writes. `NN-each-…` is a template: its placeholders,
 * such as `:table`, stand for the names of one table.
 */

export interface SqlScript {
  readonly name: string;
  readonly sql: string;
}

type Kind = 'view' | 'check' | 'list' | 'write';

/** What a template's placeholders stand for; a list runs the template once for each of its texts. */
export type Placeholders = Readonly<Record<string, string | readonly string[]>>;

const NAME = /^\d\d-(?<each>each-)?(?<kind>view|check|list|write)-/;
const PLACEHOLDER = /(?<!:):([a-z_]+)\b/g;
const FILES = /'((?:earlier\/|later\/)?(?:\*|[a-z_]+)\.(?:parquet|json|ndjson))'/g;

/** The scripts of a folder as it was read, without the endings of their names and in the order they run. */
export function sqlScripts(
  files: readonly { readonly name: string; readonly text: string }[],
): readonly SqlScript[] {
  return inOrder(files.map(({ name, text }) => ({ name: name.replace(/\.sql$/, ''), sql: text })));
}

/** In the order they run. */
export function inOrder(scripts: readonly SqlScript[]): readonly SqlScript[] {
  return scripts.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** What a script does when it runs. */
export function kindOf({ name }: SqlScript): Kind {
  const kind = NAME.exec(name)?.groups?.['kind'];
  if (kind !== undefined) return kind as Kind; // the expression knows no other
  throw new RangeError(`${name} does not say what it does`);
}

/** True for a script that stands for one of each table. */
export function isTemplate({ name }: SqlScript): boolean {
  return NAME.exec(name)?.groups?.['each'] !== undefined;
}

/** The texts that a template makes: one, or as many as the list has that it names; none where that list is empty. */
export function fillTemplate(template: SqlScript, placeholders: Placeholders): readonly string[] {
  const names = new Set([...template.sql.matchAll(PLACEHOLDER)].map(([, name = '']) => name));
  let texts = [template.sql];
  for (const name of names) {
    const given = placeholders[name];
    if (given === undefined) throw new RangeError(`${template.name} knows no placeholder :${name}`);
    const values = typeof given === 'string' ? [given] : given;
    texts = texts.flatMap((text) =>
      values.map((value) => text.replaceAll(PLACEHOLDER, (whole, each) => (each === name ? value : whole))),
    );
  }
  return texts;
}

/** The SQL with the files of a snapshot named from anywhere. */
export function inFolder(directory: string, sql: string): string {
  return sql.replaceAll(FILES, (_, name: string) => quoted(`${directory}/${name}`));
}

/** A text as SQL writes it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
