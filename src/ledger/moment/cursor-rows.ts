/** Reads a large result through a cursor in the caller's transaction, some thousand rows at a time. */
import type { ClientBase } from 'pg';
import { type Columns, requireTypes, type RowOf, type Statement } from '../../database/columns.ts';

// Two thousand rows take half a megabyte: few round trips and little memory.
const FETCHED_ROWS = 2_000;

/** Yields the rows of a query in its order. If the reader stops early, the cursor stays open until the transaction ends. */
export async function* cursorRows<Declared extends Columns>(
  client: ClientBase,
  { name, text, values = [], columns }: Statement<Declared>,
): AsyncGenerator<RowOf<Declared>> {
  await client.query(`declare ${name} no scroll cursor for ${text}`, [...values]);
  for (;;) {
    const { rows, fields } = await client.query(`fetch ${FETCHED_ROWS} from ${name}`);
    if (rows.length > 0) requireTypes(name, fields, columns);
    yield* rows as RowOf<Declared>[];
    if (rows.length < FETCHED_ROWS) break;
  }
  await client.query(`close ${name}`);
}
