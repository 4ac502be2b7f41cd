/** A connection on which one statement is begun and never answered: whatever happens to it happens in that statement. */
import type { Client } from 'pg';

type Statement = string | { text: string };
type Query = (...given: unknown[]) => unknown;

/** The first statement of these words sleeps, and its caller learns when it is sent. */
export async function asleepClient(
  connect: () => Promise<Client>,
  words: string,
  onAsleep: () => void,
): Promise<Client> {
  const client = await connect();
  const query = client.query.bind(client) as Query;
  client.query = ((statement: Statement, ...values: unknown[]) => {
    const text = typeof statement === 'string' ? statement : statement.text;
    if (!text.includes(words)) return query(statement, ...values);
    onAsleep();
    return query(asleep(statement));
  }) as typeof client.query;
  return client;
}

/** A statement that is never answered, of the same form: a text, or the COPY of a table. */
export function asleep(statement: Statement): unknown {
  if (typeof statement === 'string') return 'select pg_sleep(600)';
  statement.text = statement.text.replace(
    /^copy \((.*)\) to stdout/s,
    'copy (select read.* from (select pg_sleep(600)) asleep, lateral ($1) read) to stdout',
  );
  return statement;
}
