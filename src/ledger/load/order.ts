/** The order in which tables are written: a referenced table before the table that references it. */
import type { LoadTable } from '../staging/load-table.ts';

/**
 * Sorts tables so that each comes after the tables that it references: triggers and the search for names read the referenced
 * rows. In a cycle of tables, references that may be empty do not count. A load may write these in any order, because it
 * defers the check of foreign keys. Throws if all references of a cycle must have a value: then no order is right.
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
      // Files may name a person by an e-mail address. All tables that name people reference `memberships`. So `user_emails`
      // comes before `memberships`.
      !(table.name === 'memberships' && waiting.has('vault.user_emails')) &&
      table.references.every(
        (reference) =>
          waiting.get(reference.target) === table || !binds(reference) || !waiting.has(reference.target),
      ),
  );
}
