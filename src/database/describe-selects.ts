/** Asks PostgreSQL which columns selects would have, without planning them; only `columns.ts` uses it. */
import type { Connection, FieldDef, Submittable } from 'pg';

/**
 * The columns of each select, all in one round trip. PostgreSQL parses each and looks up its tables, and stops there: planning
 * the selects of a build only to see their columns took a third of what PostgreSQL does for a small account.
 */
export class DescribeSelects implements Submittable {
  /** Every query of the driver has a text; this one is several. */
  readonly text = 'describe the selects';
  readonly #texts: readonly string[];
  readonly #answers: (readonly FieldDef[])[] = [];
  readonly #settled = Promise.withResolvers<readonly (readonly FieldDef[])[]>();

  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  /** The columns, in the order of the selects; rejects with PostgreSQL's error for the first select that it refuses. */
  get settled(): Promise<readonly (readonly FieldDef[])[]> {
    return this.#settled.promise;
  }

  /** The driver calls this when the statement's turn comes. */
  submit(connection: Connection): void {
    for (const text of this.#texts) {
      connection.parse({ name: '', text, types: [] }, true);
      connection.describe({ type: 'S', name: '' }, true);
    }
    connection.sync();
  }

  /** The driver calls this with the columns of each select in turn. */
  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.#answers.push(fields);
  }

  /** The driver calls this if PostgreSQL refuses a select, or the connection fails. PostgreSQL then skips the later ones. */
  handleError(error: Error): void {
    this.#settled.reject(error);
  }

  /** The driver calls this when the connection is free again. */
  handleReadyForQuery(): void {
    this.#settled.resolve(this.#answers);
  }
}
