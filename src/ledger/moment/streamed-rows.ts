/** Rows of one statement as they come, however many there are. */
import { on } from 'node:events';
import { type ClientBase, type Connection, Query, type QueryResultRow } from 'pg';

/** Of the rows that came, so many may wait for their reader before PostgreSQL waits. */
const WAITING_ROWS = 2_000;

/**
 * The rows of a statement without parameters, in its order; the connection is its own until the last of them. Unlike a
 * cursor's, PostgreSQL may work it out in parallel.
 */
export async function* streamedRows<Row extends QueryResultRow>(
  client: ClientBase,
  text: string,
): AsyncGenerator<Row> {
  const query = pausable(new Query<Row>(text));
  // Of a reader that stopped early nobody else listens: a connection that is lost then would end the program.
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
    // What is asked next on the connection comes after the rows that nobody wanted.
    query.resume();
  }
}

/** The same query, as a source that can be told to wait: the driver knows its connection once it is its turn. */
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
