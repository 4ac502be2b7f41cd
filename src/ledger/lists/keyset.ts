/** A page of rows in the order of their last change: where a list goes on, and how its SQL is put together. */
import type { ClientBase } from 'pg';

/** Where a row stands in a list. */
export interface Place {
  /** In microseconds since 1970 UTC. */
  readonly updated_at: bigint;
  readonly id: bigint;
}

/** Which rows of a list are wanted. */
export interface PageQuestion {
  readonly account_id: bigint;
  /** Rows changed at this moment or later wait for the next pull. */
  readonly horizon: bigint;
  /** The last row of the page before; null at the beginning. */
  readonly after: Place | null;
  /** Rows changed at this moment or later; all when not given. */
  readonly updated_since?: bigint | undefined;
  /** Newest change first, for the first page alone; a list that is pulled begins with the oldest. */
  readonly newestFirst?: boolean;
  readonly rows: number;
}

/** One more thing that a row must meet: SQL, in which each `?` stands for the next value, and $1 for the account. */
export interface Condition {
  readonly sql: string;
  readonly values?: readonly unknown[];
}

/** A condition that holds for every row when its value was not given. */
export function when(value: unknown, sql: string): readonly Condition[] {
  return value === undefined ? [] : [{ sql, values: [value] }];
}

// Exact: an instant is a whole number of microseconds far below 2^53.
const INSTANT = "timestamptz 'epoch' + ? * interval '1 microsecond'";

/** What decides on which page a row is: the account, and where it stands among all changes. */
export function placeConditions({
  account_id,
  horizon,
  after,
  updated_since,
}: PageQuestion): readonly Condition[] {
  return [
    { sql: 'account_id = ?', values: [account_id] },
    { sql: `updated_at < ${INSTANT}`, values: [horizon] },
    ...when(updated_since, `updated_at >= ${INSTANT}`),
    ...(after === null
      ? []
      : [{ sql: `(updated_at, id) > (${INSTANT}, ?)`, values: [after.updated_at, after.id] }]),
  ];
}

/** All of the conditions, as one. */
export function allOf(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => sql).join(' and '),
    values: conditions.flatMap(({ values = [] }) => values),
  };
}

/** A page of a view that has `account_id`, `updated_at` and `id`: the view, and the columns to be read. */
export interface Source {
  readonly view: string;
  readonly columns: string;
}

/** Reads a page of a view, oldest change first unless the question says otherwise. */
export async function readPage<Row extends Place>(
  client: ClientBase,
  { view, columns }: Source,
  page: PageQuestion,
  conditions: readonly Condition[] = [],
): Promise<readonly Row[]> {
  const { sql, values = [] } = allOf([...placeConditions(page), ...conditions]);
  return await readRows<Row>(client, {
    sql: `select ${columns} from ${view} where ${sql} order by ${page.newestFirst === true ? 'updated_at desc, id desc' : 'updated_at, id'} limit ?`,
    values: [...values, page.rows],
  });
}

/** Runs a query whose values are written `?`. */
export async function readRows<Row extends Place>(
  client: ClientBase,
  { sql, values = [] }: Condition,
): Promise<readonly Row[]> {
  let place = 0;
  const text = sql.replaceAll('?', () => `$${(place += 1)}`);
  return (await client.query<Row>(text, [...values])).rows;
}
