/**
 * The SQL scripts of the audit, of comparisons and of the other folders of `schema` that DuckDB runs. A name says what a
 * script does: `NN-view-…` creates views and tables, `NN-check-…` returns findings, `NN-list-…` returns rows, `NN-write-…`
 * writes files. `NN-each-…` is a template with placeholders such as `:table`, which are filled in for each table.
 */

export interface SqlScript {
  readonly name: string;
  readonly sql: string;
}

type Kind = 'view' | 'check' | 'list' | 'write';

/** The values of a template's placeholders; for a list, the template runs once for each of its texts. */
export type Placeholders = Readonly<Record<string, string | readonly string[]>>;

const NAME = /^\d\d-(?<each>each-)?(?<kind>view|check|list|write)-/;
const PLACEHOLDER = /(?<!:):([a-z_]+)\b/g;
const FILES = /'((?:[a-z_]+\/)?(?:\*|[a-z_]+)\.(?:parquet|json|ndjson))'/g;

/** The scripts of a folder, named without `.sql`, in the order in which they run. */
export function sqlScripts(
  files: readonly { readonly name: string; readonly text: string }[],
): readonly SqlScript[] {
  return inOrder(files.map(({ name, text }) => ({ name: name.replace(/\.sql$/, ''), sql: text })));
}

/** The scripts sorted by name, which is the order in which they run. */
export function inOrder(scripts: readonly SqlScript[]): readonly SqlScript[] {
  return scripts.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The kind of a script, from its name; throws for a name without a kind. */
export function kindOf({ name }: SqlScript): Kind {
  const kind = NAME.exec(name)?.groups?.['kind'];
  if (kind !== undefined) return kind as Kind; // the expression knows no other
  throw new RangeError(`${name} does not say what it does`);
}

/** True for a template, which is filled in for each table. */
export function isTemplate({ name }: SqlScript): boolean {
  return NAME.exec(name)?.groups?.['each'] !== undefined;
}

/** The filled-in texts of a template: one, or one per text of the list that it uses; none if the list is empty. */
export function fillTemplate(template: SqlScript, placeholders: Placeholders): readonly string[] {
  const names = new Set([...template.sql.matchAll(PLACEHOLDER)].map(([, name = '']) => name));
  let texts = [template.sql];
  for (const name of names) {
    const given = placeholders[name];
    if (given === undefined) throw new RangeError(`${template.name} knows no placeholder :${name}`);
    const values = typeof given === 'string' ? [given] : given;
    texts = texts.flatMap((text) =>
      values.map((value) => text.replaceAll(PLACEHOLDER, (match, each) => (each === name ? value : match))),
    );
  }
  return texts;
}

/** The SQL with the names of the snapshot's files replaced by their absolute paths. */
export function inFolder(directory: string, sql: string): string {
  return sql.replaceAll(FILES, (_, name: string) => quoted(`${directory}/${name}`));
}

/** The text as an SQL literal. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
