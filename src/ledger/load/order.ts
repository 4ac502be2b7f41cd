/** The order in which tables are written: a referenced table before the table that references it. */
import type { LoadTable } from './catalogue.ts';

/**
 * Sorts tables so that each comes after the tables it references. In a cycle, references that may be empty are ignored:
 * PostgreSQL checks all foreign keys only when the transaction ends. Throws if a cycle has no reference that may be empty.
 */
export function inKeyOrder(tables: readonly LoadTable[]): readonly LoadTable[] {
  const waiting = new Map(tables.map((table) => [`${table.schema}.${table.name}`, table]));
  const ordered: LoadTable[] = [];
  while (waiting.size > 0) {
    const next = firstFree(waiting, () => true) ?? firstFree(waiting, (reference) => !reference.optional);
    if (next === undefined) throw new TypeError('Foreign keys that are not null form a cycle.');
    waiting.delete(`${next.schema}.${next.name}`);
    ordered.push(next);
  }
  return ordered;
}

function firstFree(
  waiting: ReadonlyMap<string, LoadTable>,
  binds: (reference: LoadTable['references'][number]) => boolean,
): LoadTable | undefined {
  return waiting.values().find(
    (table) =>
      // Files may name a person by an e-mail address. So `user_emails` comes before `memberships`, to which tables that name
      // people refer.
      !(table.name === 'memberships' && waiting.has('vault.user_emails')) &&
      table.references.every(
        (reference) =>
          waiting.get(reference.target) === table || !binds(reference) || !waiting.has(reference.target),
      ),
  );
}
