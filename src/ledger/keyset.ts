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
  readonly accountId: bigint;
  /** Rows changed at this moment or later wait for the next pull. */
  readonly horizon: bigint;
  /** The last row of the page before; null at the beginning. */
  readonly after: Place | null;
  /** Rows changed at this moment or later; all when not given. */
  readonly updated_since?: bigint | undefined;
  readonly rows: number;
}

/** One more thing that a row must meet: SQL, in which `?` stands for the value if there is one, and $1 for the account. */
export interface Condition {
  readonly sql: string;
  readonly value?: unknown;
}

/** A condition that holds for every row when its value was not given. */
export function when(value: unknown, sql: string): readonly Condition[] {
  return value === undefined ? [] : [{ sql, value }];
}

// Exact: an instant is a whole number of microseconds far below 2^53.
const INSTANT = "timestamptz 'epoch' + ? * interval '1 microsecond'";

/** Reads a page of a view that has `account_id`, `updated_at` and `id`, oldest change first. */
export async function readPage<Row extends Place>(
  client: ClientBase,
  { columns, view }: { readonly columns: string; readonly view: string },
  { accountId, horizon, after, updated_since, rows }: PageQuestion,
  conditions: readonly Condition[] = [],
): Promise<readonly Row[]> {
  const values: unknown[] = [];
  const bind = ({ sql, value }: Condition): string => sql.replace('?', () => `$${values.push(value)}`);
  const all = [
    { sql: 'account_id = ?', value: accountId },
    { sql: `updated_at < ${INSTANT}`, value: horizon },
    ...when(updated_since, `updated_at >= ${INSTANT}`),
    ...conditions,
  ].map(bind);
  if (after !== null) {
    const moment = bind({ sql: INSTANT, value: after.updated_at });
    all.push(`(updated_at, id) > (${moment}, ${bind({ sql: '?', value: after.id })})`);
  }
  const limit = bind({ sql: 'limit ?', value: rows });
  const text = `select ${columns} from ${view} where ${all.join(' and ')} order by updated_at, id ${limit}`;
  return (await client.query<Row>(text, values)).rows;
}
