/** Results too large to hold: read through a cursor in the caller's transaction, some thousand rows at a time. */
import type { ClientBase, QueryResultRow } from 'pg';
import { requireTypes, type ReadType } from './read-types.ts';

// Two thousand rows are half a megabyte: enough to make round trips cheap, little enough to hold.
const FETCHED_ROWS = 2_000;

/** A query to be read through a cursor of its own name. */
export interface CursorQuery<Row> {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** What its rows are read as, in the order of the query: an answer of other types is refused. */
  readonly types: Readonly<Record<keyof Row, ReadType>>;
}

/** The rows of a query in its order. A reader that stops early leaves the cursor to the end of the transaction. */
export async function* cursorRows<Row extends QueryResultRow>(
  client: ClientBase,
  { name, text, values, types }: CursorQuery<Row>,
): AsyncGenerator<Row> {
  await client.query(`declare ${name} no scroll cursor for ${text}`, [...values]);
  for (;;) {
    const { rows, fields } = await client.query<Row>(`fetch ${FETCHED_ROWS} from ${name}`);
    if (rows.length > 0) requireTypes(name, fields, types);
    yield* rows;
    if (rows.length < FETCHED_ROWS) break;
  }
  await client.query(`close ${name}`);
}
