/**
 * The columns of queries that are written as SQL, declared once: names and types of an answer are held to the declaration,
 * and the type of its rows follows from it. The ledger may give values of other types than this version reads. A column of another type need not make a query
 * fail: a float8 takes as many bytes of a COPY as an int8, and would be read as one until the audit finds the figures
 * wrong without saying why.
 */
import { type ClientBase, type FieldDef, type Pool, type QueryResult, types } from 'pg';
import { CrossfootError, type ErrorContext } from '../errors.ts';

const { builtins } = types;

/** A type, by PostgreSQL's name of it, that values are read of. */
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

// A domain is sent as the type that it is made of.
const OIDS: Readonly<Record<ReadType, number>> = {
  bool: builtins.BOOL,
  date: builtins.DATE,
  float8: builtins.FLOAT8,
  int4: builtins.INT4,
  int8: builtins.INT8,
  json: builtins.JSON,
  numeric: builtins.NUMERIC,
  text: builtins.TEXT,
  // Of arrays the driver has no names.
  'text[]': 1009,
  timestamptz: builtins.TIMESTAMPTZ,
};

/** What a session's parsers make of each. */
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

/** A declared column: its type, with `?` when it may be null. */
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

/** A column whose values TypeScript knows better than PostgreSQL: texts of an enumeration, or the shape of a JSON. */
export type Holding<Type extends Column, Value> = Type & { readonly [value]: Value };

/** A query in SQL with its columns; its name is said when the ledger answers with others. */
export interface Statement<Declared extends Columns> {
  readonly name: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly columns: Declared;
}

/** The rows of a statement, whose columns are checked against what it declares. */
export async function readStatement<Declared extends Columns>(
  session: ClientBase | Pool,
  { name, text, values = [], columns }: Statement<Declared>,
): Promise<readonly RowOf<Declared>[]> {
  const { rows, fields } = await session.query(text, [...values]);
  requireTypes(name, fields, columns);
  return rows as RowOf<Declared>[];
}

/** A query whose rows will be read as these columns; its name is that of a table, for the sentence of a refusal. */
export interface TypedSelect {
  readonly name: string;
  readonly text: string;
  readonly types: Columns;
}

/** Refuses, before any row is read, a select whose columns are of other types. */
export async function requireSelects(client: ClientBase, selects: readonly TypedSelect[]): Promise<void> {
  // One round trip for all of them; a select that must give no row is planned and not run.
  const texts = selects.map(({ text }) => `select * from (${text}) as read limit 0`);
  const results: unknown = await client.query(texts.join(';\n'));
  // The driver gives an array for several statements, which its types do not say.
  const answers = (Array.isArray(results) ? results : [results]) as readonly QueryResult[];
  for (const [at, { name, types: demanded }] of selects.entries()) {
    requireTypes(name, answers[at]?.fields ?? [], demanded);
  }
}

/** Refuses an answer whose columns are of other types, naming the first of them. */
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

/** The refusal of a ledger that somebody changed, saying what of it. */
export function schemaDrift(what: string, context: Omit<ErrorContext, 'hint'>): CrossfootError {
  return new CrossfootError('schema_drift', `The ledger is not as this version reads it: ${what}.`, {
    hint: 'A migration changed what a build reads. Undo it, or run `crossfoot migrate` of the version that knows it.',
    ...context,
  });
}

function nameOf(oid: number): string {
  const known = Object.entries<number>(builtins).find(([, each]) => each === oid);
  return known?.[0].toLowerCase() ?? String(oid);
}
