/** Keyset pagination: pages of rows in the order of their last change, and the SQL conditions for them. */
import { type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { ClientBase } from 'pg';
import { instant, readRows } from '../../database/query.ts';
import type { Database } from '../../database/schema.ts';
import type { Instant } from '../../instant.ts';

/** The position of a row in a list. */
export interface Position {
  readonly updated_at: Instant;
  readonly id: bigint;
}

/** Which rows of a list to read. */
export interface PageQuestion {
  readonly account_id: bigint;
  /** The write horizon, in microseconds: rows changed at this moment or later are left to the next pull. */
  readonly horizon: Instant;
  /** The last row of the previous page; null for the first page. */
  readonly after: Position | null;
  /** Only rows changed at this moment or later; all rows if omitted. */
  readonly updated_since?: Instant | undefined;
  /** Which rows come first. Only for a single page; if omitted, the oldest change, as incremental pulls need it. */
  readonly first?: keyof typeof ORDERS;
  readonly rows: number;
}

/** A condition of a query. */
export type Condition = RawBuilder<boolean>;

/** A condition on the value as an array of one; empty if the value is undefined. */
export function when<Value, Made>(value: Value | undefined, condition: (value: Value) => Made): Made[] {
  return value === undefined ? [] : [condition(value)];
}

/** The conditions that columns have these values; undefined is no condition. */
export function equalTo(values: Readonly<Record<string, bigint | string | undefined>>): Condition[] {
  return Object.entries(values).flatMap(([name, value]) =>
    when(value, (one): Condition => sql`${sql.ref(name)} = ${one}`),
  );
}

/** Joins the conditions with `and`. */
export function allOf(conditions: readonly Condition[]): Condition {
  return sql`${sql.join(conditions, sql` and `)}`;
}

/** The conditions that select the rows of a page: the account, and the position among all changes. */
export function placeConditions({
  account_id,
  horizon,
  after,
  updated_since,
}: PageQuestion): readonly Condition[] {
  return [
    sql`account_id = ${account_id}`,
    sql`updated_at < ${instant(horizon)}`,
    ...when(updated_since, (since): Condition => sql`updated_at >= ${instant(since)}`),
    ...(after === null ? [] : [sql<boolean>`(updated_at, id) > (${instant(after.updated_at)}, ${after.id})`]),
  ];
}

/** The names of the tables and views that have these columns. */
export type RelationWith<Columns> = {
  [Name in keyof Database]: Selectable<Database[Name]> extends Columns ? Name : never;
}[keyof Database];

/** A table or view that can be read in pages. */
type Paged = RelationWith<Position & { account_id: bigint }>;

/** The orders of a page, and the conditions on its rows in that order. Only entries have periods. */
const ORDERS = {
  'oldest change': { order: sql`updated_at, id`, only: [] },
  'newest change': { order: sql`updated_at desc, id desc`, only: [] },
  'newest period': {
    order: sql`period_start desc, id desc`,
    only: [sql<boolean>`period_start is not null`],
  },
  undated: { order: sql`id desc`, only: [sql<boolean>`period_start is null`] },
} as const;

/** Reads a page of a query, oldest change first unless `page.first` says otherwise. */
export async function readPage<Name extends Paged, Row extends Position>(
  client: ClientBase,
  query: SelectQueryBuilder<Database, Name, Row>,
  page: PageQuestion,
  conditions: readonly Condition[] = [],
): Promise<readonly Row[]> {
  const { order, only } = ORDERS[page.first ?? 'oldest change'];
  const wanted = query.where(allOf([...placeConditions(page), ...only, ...conditions]));
  return await readRows(client, wanted.orderBy(order).limit(page.rows));
}
