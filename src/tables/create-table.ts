/** A reporting table as the statement that creates it in a warehouse, made from its declaration. */
import { foreignNameIn, type Dialect, nameIn, textIn, typeIn } from './dialects.ts';
import type { Column, Table } from './table.ts';

/**
 * The statements that create the table if it does not exist, each with a semicolon at its end. They contain the columns in
 * published order, the key, and the descriptions as comments. One table holds any number of snapshots.
 */
export function createTableSql(table: Table, dialect: Dialect, schema?: string): string {
  const name = qualifiedName(table, dialect, schema);
  const lines = [
    ...table.columns.map((column) => columnLine(column, dialect)),
    ...primaryKey(table, dialect).map((key) => `  ${key}`),
  ];
  const head = `create table if not exists ${name} (\n${lines.join(',\n')}\n)`;
  return `${head}${tableEnd(table, dialect)};\n${comments(table, dialect, name)}`;
}

/** The table's name, with the schema in front if one is given. */
export function qualifiedName(table: Table, dialect: Dialect, schema?: string): string {
  const name = nameIn(dialect, table.name);
  return schema === undefined ? name : `${foreignNameIn(dialect, schema)}.${name}`;
}

/** The columns that identify a row among all snapshots, each once. */
export function wholeKey(table: Table): readonly string[] {
  return [...new Set(['snapshot_id', ...table.key])];
}

function columnLine(column: Column, dialect: Dialect): string {
  const { name, kind, nullable, description } = column;
  const type = typeIn(dialect, kind);
  const start = `  ${nameIn(dialect, name)}`;
  const said = textIn(dialect, description);
  if (dialect === 'clickhouse') return `${start} ${nullable ? `Nullable(${type})` : type} comment ${said}`;
  const typed = `${start} ${type}${nullable ? '' : ' not null'}`;
  if (dialect === 'snowflake') return `${typed} comment ${said}`;
  if (dialect === 'bigquery') return `${typed} options (description = ${said})`;
  return typed;
}

/**
 * A primary key refuses rows with an empty part. If a part may be empty, PostgreSQL gets a unique constraint in which empty
 * parts are equal; other warehouses get no key.
 */
function primaryKey(table: Table, dialect: Dialect): string[] {
  const key = wholeKey(table);
  const names = key.map((name) => nameIn(dialect, name)).join(', ');
  const mayBeEmpty = table.columns.some(({ name, nullable }) => nullable && key.includes(name));
  if (dialect === 'clickhouse') return []; // its key only orders rows: `tableEnd` writes it after the columns
  if (!mayBeEmpty) return [`primary key (${names})${dialect === 'bigquery' ? ' not enforced' : ''}`];
  return dialect === 'postgres' ? [`unique nulls not distinct (${names})`] : [];
}

function tableEnd(table: Table, dialect: Dialect): string {
  const said = textIn(dialect, tableSentence(table));
  if (dialect === 'snowflake') return `\ncomment = ${said}`;
  if (dialect === 'bigquery') return `\noptions (description = ${said})`;
  if (dialect !== 'clickhouse') return '';
  const order = wholeKey(table)
    .filter((part) => table.columns.some(({ name, nullable }) => name === part && !nullable))
    .map((name) => nameIn(dialect, name));
  return `\nengine = MergeTree\norder by (${order.join(', ')})\ncomment ${said}`;
}

/** The `comment on` statements of dialects that take no comments in `create table`. */
function comments(table: Table, dialect: Dialect, name: string): string {
  if (dialect === 'snowflake' || dialect === 'bigquery' || dialect === 'clickhouse') return '';
  const columns = table.columns.map(
    (column) =>
      `comment on column ${name}.${nameIn(dialect, column.name)} is ${textIn(dialect, column.description)};\n`,
  );
  return `comment on table ${name} is ${textIn(dialect, tableSentence(table))};\n${columns.join('')}`;
}

function tableSentence({ grain, description }: Table): string {
  return `${grain}: ${description}`;
}
