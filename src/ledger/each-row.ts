/** Results too large to hold, handed on row by row as they come. */
import { type ClientBase, Query, type QueryResultRow } from 'pg';

/**
 * Gives each row of a query to `take` and keeps none. For what is folded at once: rows come as fast as the server has
 * them, and unlike a cursor, which PostgreSQL never runs in parallel, the query may have several of its processes.
 */
export async function eachRow(
  client: ClientBase,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
  take: (row: QueryResultRow) => void,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const query = client.query(new Query(text, [...values]));
    let refusal: unknown;
    query.on('row', (row) => {
      if (refusal !== undefined) return;
      try {
        take(row);
      } catch (error) {
        // Thrown from here it would end the process; the rest of the rows must pass before the session is free again.
        refusal = error;
      }
    });
    query.on('error', reject);
    query.on('end', () => (refusal === undefined ? resolve() : reject(refusal)));
  });
}
