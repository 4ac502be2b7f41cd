/** Results too large to hold: read through a cursor in the caller's transaction, some thousand rows at a time. */
import type { ClientBase } from 'pg';
import { type Columns, requireTypes, type RowOf, type Statement } from '../../database/columns.ts';

// Two thousand rows are half a megabyte: enough to make round trips cheap, little enough to hold.
const FETCHED_ROWS = 2_000;

/** The rows of a query in its order, by a cursor of its name. A reader that stops early leaves the cursor to the end of the transaction. */
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
