/** Mutants of the queries: for tests that ask which of two guards a leak would have to pass. */
import type { ClientBase } from 'pg';

/** Takes the account out of a statement's predicate; `stripped` collects those that read what belongs to accounts. */
export function withoutAccount(text: string, stripped: string[] = []): string {
  // Every name is a plain word, which needs no quotes.
  const plain = text.replaceAll(/"(\w+)"/g, '$1');
  const without = plain
    .replaceAll(/(from ledger\.accounts where )id = (\$\d+)/g, '$1$2::bigint is not null')
    .replaceAll(/(?:\w+\.)?account_id = (\$\d+)/g, '$1::bigint is not null');
  if (/(?:from|join)\s+(?:ledger|reporting)\./.test(plain)) stripped.push(without);
  return without;
}

/** The same session, whose every statement is another text. */
export function rewriting(client: ClientBase, rewrite: (text: string) => string): ClientBase {
  const query = (statement: string | { text: string }, ...rest: unknown[]): unknown => {
    if (typeof statement === 'string') return client.query(rewrite(statement), ...(rest as []));
    statement.text = rewrite(statement.text); // a query object is made for one use
    return client.query(statement, ...(rest as []));
  };
  // Of a client, routes and tools call nothing else.
  return { query } as unknown as ClientBase;
}
