/** What the templates of `schema/diff` stand for: the columns of one table, as both its files have them. */
import type { Placeholders } from '../sql-scripts.ts';
import type { Column, Table } from '../tables/table.ts';

/** For one table, over the columns that both its files have. */
export function placeholdersOf(table: Table, present: ReadonlySet<string>): Placeholders {
  const columns = table.columns.filter(({ name }) => name !== 'snapshot_id' && present.has(name));
  const key = keyOf(table).flatMap((name) => columns.find((column) => column.name === name) ?? []);
  return {
    table: table.name,
    columns: columns.map(({ name }) => `"${name}"`).join(', '),
    same_key: key.map(({ name }) => `later."${name}" is not distinct from earlier."${name}"`).join(' and '),
    differing: columns
      .map(({ name }) => `if(earlier."${name}" is distinct from later."${name}", '${name}', null)`)
      .join(', '),
    key: key.map((column) => `'${column.name}': ${either(column)}`).join(', '),
    order: `row(${key.map(({ name }) => `coalesce(earlier."${name}", later."${name}")`).join(', ')})`,
    cells: columns
      .map((column) => `cell('${column.name}', ${said('earlier', column)}, ${said('later', column)})`)
      .join(', '),
  };
}

/** A snapshot's own row has a new key in every snapshot: it is found by its account instead. */
function keyOf({ name, key }: Table): readonly string[] {
  return name === 'snapshot' ? ['account_id'] : key;
}

function either(column: Column): string {
  return `coalesce(${said('earlier', column)}, ${said('later', column)})`;
}

/** The cell as the API writes its kind: only instants are written otherwise than the engine does. */
function said(side: 'earlier' | 'later', { name, kind }: Column): string {
  return kind === 'timestamp' ? `said_instant(${side}."${name}")` : `${side}."${name}"`;
}
