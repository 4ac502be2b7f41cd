/** The audit's SQL files: `NN-view-…` makes views and tables, `NN-check-…` returns offending rows, `NN-list-…` says what it saw. */

/** A file of `schema/audit`; its name may have the ending or not. */
export interface AuditFile {
  readonly name: string;
  readonly sql: string;
}

const KIND = /^\d\d-(view|check|list)-/;
const READS = /^-- Reads ([a-z_, ]+)\./;
const VIEWS = /^create view ([a-z_]+) as from read_parquet\b/gm;
const FILES = /'((?:\*|[a-z_]+)\.(?:parquet|json))'/g;

/** What a file does when it runs. */
export function kindOf(file: AuditFile): 'view' | 'check' | 'list' {
  const kind = KIND.exec(file.name)?.[1];
  if (kind === 'view' || kind === 'check' || kind === 'list') return kind;
  throw new RangeError(`${file.name} is neither a view nor a check nor a list`);
}

/** The tables that a check says it reads, in its first line. */
export function tablesRead(file: AuditFile): readonly string[] {
  const tables = READS.exec(file.sql.replaceAll('\n-- ', ' '))?.[1];
  if (tables === undefined) throw new RangeError(`${file.name} does not say what it reads`);
  return tables.split(', ');
}

/** In the order they run and by the names that reports use, however the folder was read. */
export function inOrder(files: readonly AuditFile[]): readonly AuditFile[] {
  return files
    .map(({ name, sql }) => ({ name: name.replace(/\.sql$/, ''), sql }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The file's SQL with the files of a snapshot named from anywhere, and with those of `kept` read once for all checks. */
export function sqlIn(directory: string, { sql }: AuditFile, kept: ReadonlySet<string>): string {
  return sql
    .replaceAll(VIEWS, (view, name: string) => (kept.has(name) ? view.replace('view', 'table') : view))
    .replaceAll(FILES, (_, name: string) => quoted(`${directory}/${name}`));
}

/** A text as SQL writes it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

const MARK = /^-- (\d\d-(?:view|check|list)-[a-z0-9-]+)\n/gm;

/** The whole audit as one script, `audit.sql`: a check prints the rows that offend, none when all is well. */
export function auditScript(files: readonly AuditFile[]): string {
  const parts = inOrder(files).map(({ name, sql }) => `-- ${name}\n${sql}`);
  return `-- Run beside the files of the snapshot: duckdb < audit.sql\nset timezone = 'UTC';\n\n${parts.join('\n')}`;
}

/** The way back: the files of such a script, letter for letter, in their order; none of any other text. */
export function filesOfScript(script: string): readonly AuditFile[] {
  const marks = [...script.matchAll(MARK)];
  return marks.map(({ 0: line, 1: name = '', index }, place) => ({
    name,
    // A line break joins it to the next one.
    sql: script.slice(index + line.length, (marks[place + 1]?.index ?? script.length + 1) - 1),
  }));
}
