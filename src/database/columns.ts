/**
 * Declares the columns of queries written as SQL. The type of the rows follows from the declaration, and each answer is
 * checked against it. Without this check a column of another type may go unnoticed: a float8 and an int8 both take 8 bytes
 * of a COPY. The build would read one as the other, and the audit would find wrong figures without the cause.
 */
import { type ClientBase, type FieldDef, type Pool, types } from 'pg';
import { CrossfootError, type ErrorContext } from '../errors.ts';
import { DescribeSelects } from './describe-selects.ts';

const { builtins } = types;

/** A type that can be read, by PostgreSQL's name. */
export type ReadType =
  | 'bool'
  | 'date'
  | 'float8'
  | 'int4'
  | 'int8'
  | 'json'
  | 'numeric'
  | 'text'
  | 'text[]'
  | 'timestamptz';

// PostgreSQL reports a domain as its base type.
const OIDS: Readonly<Record<ReadType, number>> = {
  bool: builtins.BOOL,
  date: builtins.DATE,
  float8: builtins.FLOAT8,
  int4: builtins.INT4,
  int8: builtins.INT8,
  json: builtins.JSON,
  numeric: builtins.NUMERIC,
  text: builtins.TEXT,
  // The driver has no names for array types.
  'text[]': 1009,
  timestamptz: builtins.TIMESTAMPTZ,
};

/** The TypeScript type that a session's parsers return for each. */
interface Values {
  readonly bool: boolean;
  readonly date: string;
  readonly float8: number;
  readonly int4: number;
  readonly int8: bigint;
  readonly json: unknown;
  readonly numeric: string;
  readonly text: string;
  readonly 'text[]': readonly string[];
  readonly timestamptz: bigint;
}

declare const value: unique symbol;

/** A declared column: its type, with `?` if it may be null. */
type Column = ReadType | `${ReadType}?`;

/** By column, in the order of the query. */
export type Columns = Readonly<Record<string, Column>>;

/** The rows of a query with these columns. */
export type RowOf<Declared extends Columns> = {
  readonly [Name in keyof Declared]: Declared[Name] extends { readonly [value]: infer Value }
    ? Value
    : Declared[Name] extends ReadType
      ? Values[Declared[Name]]
      : Declared[Name] extends `${infer Type extends ReadType}?`
        ? Values[Type] | null
        : never;
};

/** A column with a narrower TypeScript type: the texts of an enumeration, or the shape of JSON. */
export type Holding<Type extends Column, Value> = Type & { readonly [value]: Value };

/** A query in SQL with its columns. If the answer has other columns, the error shows `name`. */
export interface Statement<Declared extends Columns> {
  readonly name: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly columns: Declared;
}

/** The rows of a statement; checks the columns against the declaration. */
export async function readStatement<Declared extends Columns>(
  session: ClientBase | Pool,
  { name, text, values = [], columns }: Statement<Declared>,
): Promise<readonly RowOf<Declared>[]> {
  const { rows, fields } = await session.query(text, [...values]);
  requireTypes(name, fields, columns);
  return rows as RowOf<Declared>[];
}

/** A query whose rows will be read as these columns; `name`, the name of its table, is for errors. */
export interface TypedSelect {
  readonly name: string;
  readonly text: string;
  readonly types: Columns;
}

/** Throws `schema_drift`, before any row is read, if the columns of a select have other types than declared. */
export async function requireSelects(client: ClientBase, selects: readonly TypedSelect[]): Promise<void> {
  const answers = await client.query(new DescribeSelects(selects.map(({ text }) => text))).settled;
  for (const [at, { name, types: demanded }] of selects.entries()) {
    requireTypes(name, answers[at] ?? [], demanded);
  }
}

/**
 * Throws `schema_drift` if the columns of an answer have other types than declared; the error names the first such column.
 */
export function requireTypes(name: string, fields: readonly FieldDef[], demanded: Columns): void {
  const columns = Object.entries(demanded);
  for (const [at, [column, declared]] of columns.entries()) {
    const expected = declared.replace('?', '') as ReadType;
    const field = fields[at];
    if (field?.name === column && field.dataTypeID === OIDS[expected]) continue;
    const found = field === undefined ? 'nothing' : `${field.name} of type ${nameOf(field.dataTypeID)}`;
    throw schemaDrift(`${name} expects ${column} of type ${expected}, found ${found}`, {
      data: { table: name, column, expected, found },
    });
  }
}

/** The error `schema_drift`, for a ledger whose schema differs from what this version reads. */
export function schemaDrift(what: string, context: Omit<ErrorContext, 'hint'>): CrossfootError {
  return new CrossfootError(
    'schema_drift',
    `The schema of the ledger differs from what this version reads: ${what}.`,
    {
      hint: 'A migration changed what a build reads. Undo it, or run `npx --no crossfoot migrate` of the version that knows it.',
      ...context,
    },
  );
}

function nameOf(oid: number): string {
  const known = Object.entries<number>(builtins).find(([, each]) => each === oid);
  return known?.[0].toLowerCase() ?? String(oid);
}
