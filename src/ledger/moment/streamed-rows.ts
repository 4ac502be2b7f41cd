/** Streams the rows of one statement without a cursor, with bounded memory. */
import { on } from 'node:events';
import { type ClientBase, type Connection, Query, type QueryResultRow } from 'pg';

/** The limit of rows that wait for the reader. At the limit the socket is paused, so that PostgreSQL waits. */
const WAITING_ROWS = 2_000;

/**
 * The rows of a statement without parameters, in its order. It occupies the connection until the last row. Unlike with a
 * cursor, PostgreSQL may run the statement in parallel.
 */
export async function* streamedRows<Row extends QueryResultRow>(
  client: ClientBase,
  text: string,
): AsyncGenerator<Row> {
  const query = pausable(new Query<Row>(text));
  // After an early return nothing else handles `error`, and an unhandled one would crash the process.
  query.on('error', () => undefined);
  const rows = on(query, 'row', {
    close: ['end'],
    highWaterMark: WAITING_ROWS,
    lowWaterMark: WAITING_ROWS / 2,
  });
  client.query(query);
  try {
    for await (const [row] of rows) yield row as Row;
  } finally {
    // Read and drop the remaining rows, because the next statement's answer comes after them.
    query.resume();
  }
}

/** The query as an event source that can be paused. The driver sets its connection when its turn comes. */
function pausable<Row extends QueryResultRow>(query: Query<Row>) {
  let connection: Connection | undefined;
  const { submit } = query;
  query.submit = (given) => {
    connection = given;
    return submit.call(query, given);
  };
  return Object.assign(query, {
    pause: () => connection?.stream.pause(),
    resume: () => connection?.stream.resume(),
  });
}
