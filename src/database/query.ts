/**
 * Typed queries. Kysely generates the SQL, typed by the migrated schema. The caller's own session runs it, with its role,
 * transaction and limits.
 */
import {
  type Compilable,
  DummyDriver,
  type Expression,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import type { ClientBase, ClientConfig, Pool, QueryConfig } from 'pg';
import type { Database, Functions } from './schema.ts';
import type { Instant } from '../instant.ts';

/** Builds queries; does not run them. */
export const db = new Kysely<Database>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

type Session = ClientBase | Pool;

/** The rows of a query. The session is closed if the answer takes longer than `timeout_ms`; no limit if omitted. */
export async function readRows<Row>(
  session: Session,
  query: Compilable<Row>,
  timeout_ms?: number,
): Promise<readonly Row[]> {
  return (await run(session, query, timeout_ms)).rows as Row[];
}

/** The first row of a query; null if there is none. */
export async function readFirst<Row>(
  session: Session,
  query: Compilable<Row>,
  timeout_ms?: number,
): Promise<Row | null> {
  return (await readRows(session, query, timeout_ms))[0] ?? null;
}

/** The row of a query that always has one. */
export async function readOne<Row>(
  session: Session,
  query: Compilable<Row>,
  timeout_ms?: number,
): Promise<Row> {
  const row = await readFirst(session, query, timeout_ms);
  if (row === null) throw new Error('a query that must return a row returned none');
  return row;
}

/** Runs a statement and returns the number of rows that it found or changed. */
export async function countRows(session: Session, query: Compilable): Promise<number> {
  return (await run(session, query)).rowCount ?? 0;
}

async function run(session: Session, query: Compilable, timeout_ms?: number) {
  const { sql: text, parameters } = query.compile();
  if (timeout_ms === undefined) return await session.query(text, [...parameters]);
  const limited: ClientConfig & QueryConfig = { text, values: [...parameters], query_timeout: timeout_ms };
  return await session.query(limited);
}

type Arguments<Taken extends readonly unknown[]> = {
  readonly [At in keyof Taken]: Taken[At] | Expression<Taken[At]>;
};

/** Calls a function of the schema in SQL: a value, or the rows of a function that returns a table. */
export function call<Name extends keyof Functions>(
  name: Name,
  ...values: Arguments<Functions[Name]['takes']>
): RawBuilder<Functions[Name]['returns']> {
  return sql`${sql.raw(name)}(${sql.join(values)})`;
}

/** An instant as PostgreSQL holds it. */
export function instant(moment: Instant): RawBuilder<bigint> {
  // Exact although PostgreSQL multiplies in double precision: the number of microseconds is far below 2^53.
  return sql`timestamptz 'epoch' + ${moment} * interval '1 microsecond'`;
}

/** `any (…)` over the values, for the right side of `=`. The values are sent as one array of PostgreSQL's `type`. */
export function anyOf<Value>(values: readonly Value[], type: 'text' | 'int8' | 'uuid'): RawBuilder<Value> {
  return sql`any (${values}::${sql.raw(type)}[])`;
}
