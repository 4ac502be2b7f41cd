/** The order in which tables are written: a referenced table before the table that references it. */
import type { LoadTable } from './catalogue.ts';

/**
 * Sorts tables so that each comes after the tables it references. In a cycle, references that may be empty are ignored:
 * all foreign keys are deferrable and checked when the transaction ends.
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
      // Files name people by their addresses, so these are read before every table that refers to a person.
      !(table.name === 'memberships' && waiting.has('vault.user_emails')) &&
      table.references.every(
        (reference) =>
          waiting.get(reference.target) === table || !binds(reference) || !waiting.has(reference.target),
      ),
  );
}
