/** The order in which tables are written: what is named comes before what names it. */
import type { LoadTable } from './catalogue.ts';

/**
 * Sorts tables so that each stands after those its keys lead to. Where keys form a circle, the one that may be empty
 * is let go: every key is deferrable and looked at when the transaction ends.
 */
export function inKeyOrder(tables: readonly LoadTable[]): readonly LoadTable[] {
  const waiting = new Map(tables.map((table) => [`${table.schema}.${table.name}`, table]));
  const ordered: LoadTable[] = [];
  while (waiting.size > 0) {
    const next = firstFree(waiting, () => true) ?? firstFree(waiting, (reference) => !reference.optional);
    if (next === undefined) throw new TypeError('Keys that may not be empty form a circle.');
    waiting.delete(`${next.schema}.${next.name}`);
    ordered.push(next);
  }
  return ordered;
}

function firstFree(
  waiting: ReadonlyMap<string, LoadTable>,
  binds: (reference: LoadTable['references'][number]) => boolean,
): LoadTable | undefined {
  return waiting
    .values()
    .find((table) =>
      table.references.every(
        (reference) =>
          waiting.get(reference.target) === table || !binds(reference) || !waiting.has(reference.target),
      ),
    );
}
