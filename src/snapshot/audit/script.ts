/** The SQL of the audit: the scripts of `schema/audit` for the tables of a description, and the published `audit.sql`. */
import {
  fillTemplate,
  inOrder,
  isTemplate,
  kindOf,
  type Placeholders,
  type SqlScript,
} from '../../sql-scripts.ts';
import { COPIED_TABLES, filePlaceholders } from '../../tables/copied.ts';
import type { SchemaDescription } from '../../tables/describe.ts';

type TableDescription = SchemaDescription['tables'][number];

/**
 * The scripts for these tables, in the order in which they run. A template becomes one script, with one statement for all tables
 * if it is a check; the template of copied columns becomes one for each check that a table names.
 */
export function auditScripts(
  files: readonly SqlScript[],
  { tables }: SchemaDescription,
): readonly SqlScript[] {
  return inOrder(
    files.flatMap((file) => {
      if (!isTemplate(file)) return [file];
      return file.name === COPIED ? controlChecks(file, tables) : [filled(file, tables)];
    }),
  );
}

const COPIED = '30-each-check-control';

/** The checks of copied columns, each under the name that its tables declare. */
function controlChecks(template: SqlScript, tables: readonly TableDescription[]): readonly SqlScript[] {
  const copied = tables.filter(({ name }) => COPIED_TABLES.has(name));
  const checks = Map.groupBy(copied, ({ name }) => COPIED_TABLES.get(name)?.copied.check ?? name);
  return [...checks].map(([name, of]) => filled({ ...template, name }, of));
}

function filled(template: SqlScript, tables: readonly TableDescription[]): SqlScript {
  const name = template.name.replace('-each-', '-');
  const [head, body] = withoutHead(template.sql);
  const isView = kindOf(template) === 'view';
  // Each part between `:each` and `:end` is repeated for each table; without these marks, the whole body is.
  const pieces = body.includes(':each\n')
    ? body.split(/^:(?:each|end)\n/m)
    : ['', body, isView ? '' : 'order by all;\n'];
  const read = new Set<string>();
  const sql = pieces.map((piece, index) => {
    if (index % 2 === 0) return piece;
    const texts = tables.flatMap((table) => {
      const own = fillTemplate({ name, sql: piece }, placeholdersOf(table));
      if (own.length > 0) read.add(`'${table.name}'`);
      return own;
    });
    return texts.join(isView ? '' : 'union all\n');
  });
  const reads = isView ? '' : `set variable reads = [${[...read].join(', ')}];\n`;
  return { name, sql: `${head}${reads}${sql.join('')}` };
}

/** Splits off the comment above the first statement, which is not repeated for each table. */
function withoutHead(sql: string): readonly [head: string, body: string] {
  const lines = sql.split('\n');
  const first = lines.findIndex((line) => !line.startsWith('--'));
  return [
    lines
      .slice(0, first)
      .map((line) => `${line}\n`)
      .join(''),
    lines.slice(first).join('\n'),
  ];
}

/** What sorts before every value of a kind; 0 for ids. */
const LEAST: Readonly<Record<string, string>> = { string: "''", text: "''", date: "date '-infinity'" };

function placeholdersOf({ name, key, columns, agreement }: TableDescription): Placeholders {
  const order = key.map((part) => {
    const column = columns.find((each) => each.name === part);
    if (column?.nullable !== true) return part;
    // An empty part of a key sorts before every value.
    return `coalesce(${part}, ${LEAST[column.type] ?? '0'})`;
  });
  const copied = COPIED_TABLES.get(name);
  const listed = columns.filter(({ values }) => values !== undefined).map((column) => column.name);
  return {
    table: name,
    // Without the folder of its set.
    name: name.slice(name.indexOf('/') + 1),
    key: key.join(', '),
    order: order.length === 1 ? order.join('') : `row(${order.join(', ')})`,
    place: `concat_ws(' ', ${key.map((part) => `'${part}', said(${part})`).join(', ')})`,
    said_key: `concat_ws(' ', ${key.map((part) => `said(${part})`).join(', ')})`,
    listed: listed.length === 0 ? [] : [listed.join(', ')],
    listed_names: listed.length === 0 ? [] : [listed.map((column) => `'${column}'`).join(', ')],
    never_empty_column: columns
      .filter(({ never_empty }) => never_empty === true)
      .map((column) => column.name),
    its_table: agreement === undefined ? [] : [agreement.table],
    its_id: agreement?.id ?? '',
    own_rows: agreement?.rows ?? '',
    own_cells: agreement?.own ?? '',
    its_cells: agreement?.its ?? '',
    ...(copied && filePlaceholders(copied)),
  };
}

/** The line above each part of `audit.sql`. */
const MARK = /^-- (\d\d-(?:view|check|list)-[a-z0-9-]+)\n/gm;

/** The whole audit as one script, `audit.sql`. A check prints its findings, or nothing if there are none. */
export function auditScript(scripts: readonly SqlScript[]): string {
  const parts = inOrder(scripts).map(({ name, sql }) => `-- ${name}\n${sql}`);
  return `-- Run beside the files of the snapshot: duckdb < audit.sql\nset timezone = 'UTC';\n\n${parts.join('\n')}`;
}

/** The inverse of `auditScript`: the scripts of a published `audit.sql`, in their order; empty for any other text. */
export function scriptsOf(published: string): readonly SqlScript[] {
  const marks = [...published.matchAll(MARK)];
  return marks.map(({ 0: line, 1: name = '', index }, at) => ({
    name,
    // Without the line break that joins it to the next script.
    sql: published.slice(index + line.length, (marks[at + 1]?.index ?? published.length + 1) - 1),
  }));
}
